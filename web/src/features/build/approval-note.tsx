import type { Build, Repo, Stage } from '@flightdeck/api'
import { ShieldAlert } from 'lucide-react'

import { buildTitle } from '../../lib/text.ts'
import { EventDescription, shortHash } from '../events/index.ts'

/** What would run: whoever approves has to know it (docs/specification-ids.md, F.approval). */
export function ApprovalNote({ build, repo, stage }: { build: Build; repo: Repo; stage: Stage }) {
  const steps = (stage.steps ?? []).map((step) => step.name).join(', ')
  const machine = [stage.type, [stage.os, stage.arch].filter(Boolean).join('/')].filter(Boolean).join(', ')
  return (
    <section
      aria-label="Waiting for approval"
      className="flex items-start gap-2 border-b border-line bg-warning-soft px-4 py-2 md:px-6"
    >
      <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden="true" />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{stage.name}</span>
          {machine && ` (${machine})`} runs only after an approval: the commands of{' '}
          <code className="font-mono text-sm">{repo.config_path}</code> at commit{' '}
          <code className="font-mono text-sm">{shortHash(build.after)}</code>, “{buildTitle(build)}”.
        </p>
        <p className="text-sm text-muted">
          <EventDescription build={build} repo={repo} />
          {steps && ` – steps: ${steps}`}
        </p>
      </div>
    </section>
  )
}
