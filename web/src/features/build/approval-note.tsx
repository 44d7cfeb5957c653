import type { Build, Repo, Stage } from '@flightdeck/api'
import { ShieldAlert } from 'lucide-react'

import { buildTitle } from '../../lib/text.ts'
import { EventDescription, shortHash } from '../events/index.ts'
import { FileLink } from './file-link.tsx'

/** What would run, and where to read it: whoever approves has to know it (docs/specification-ids.md, F.approval). */
export function ApprovalNote({ build, repo, stage }: { build: Build; repo: Repo; stage: Stage }) {
  const steps = (stage.steps ?? []).map((step) => step.name).join(', ')
  const machine = [stage.type, [stage.os, stage.arch].filter(Boolean).join('/')].filter(Boolean).join(', ')
  return (
    <section
      aria-label="Waiting for approval"
      className="flex items-start gap-2 border-b border-l-3 border-b-line border-l-warning bg-warning-soft py-2 pr-4 pl-3.25 md:pr-6 md:pl-5.25"
    >
      <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden="true" />
      <div className="min-w-0">
        <p>
          Approving <span className="font-medium">{stage.name}</span>
          {machine && ` (${machine})`} runs the commands in{' '}
          <FileLink build={build} repo={repo}>
            <code className="font-mono text-sm">{repo.config_path}</code>
          </FileLink>{' '}
          at commit <code className="font-mono text-sm">{shortHash(build.after)}</code>, “{buildTitle(build)}”.
        </p>
        <p className="text-sm text-muted">
          <EventDescription build={build} repo={repo} />
          {steps && ` – steps: ${steps}`}
        </p>
      </div>
    </section>
  )
}
