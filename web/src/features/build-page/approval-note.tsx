import type { Build, Repo, Stage } from '@flightdeck/api'
import { ShieldAlert } from 'lucide-react'

import { buildTitle } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'
import { EventDescription, shortHash } from '../events/index.ts'
import { FileLink } from './file-link.tsx'

interface ApprovalNoteProps {
  build: Build
  repo: Repo
  stage: Stage
  /** Shows the commands; undefined if they are in view, or unknown. */
  onCommands: (() => void) | undefined
}

/**
 * What an approval would run, on one line if there is room; the console of the stage shows the
 * commands (docs/specification-ids.md, F.approval).
 */
export function ApprovalNote({ build, repo, stage, onCommands }: ApprovalNoteProps) {
  const steps = (stage.steps ?? []).map((step) => step.name).join(', ')
  const machine = [stage.type, [stage.os, stage.arch].filter(Boolean).join('/')].filter(Boolean).join(', ')
  return (
    <section
      aria-label="Waiting for approval"
      className="shrink-0 border-b border-l-3 border-b-line border-l-warning bg-warning-soft py-1.5 pr-4 pl-3.25 md:pr-6 md:pl-5.25"
    >
      <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
        <ShieldAlert className="mt-1.5 size-4 shrink-0 text-warning" aria-hidden="true" />
        <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-baseline gap-x-3 py-1">
          <p className="min-w-0 break-words">
            Approving <span className="font-medium">{stage.name}</span>
            {machine && ` (${machine})`} runs the commands in{' '}
            <FileLink build={build} repo={repo}>
              <code className="font-mono text-sm">{repo.config_path}</code>
            </FileLink>{' '}
            at commit <code className="font-mono text-sm">{shortHash(build.after)}</code>, “{buildTitle(build)}”.
          </p>
          <p className="min-w-0 text-sm break-words text-muted">
            <EventDescription build={build} repo={repo} />
            {steps && ` – steps: ${steps}`}
          </p>
        </div>
        {onCommands && (
          <Button className="max-md:ml-6" onClick={onCommands}>
            Show commands
          </Button>
        )}
      </div>
    </section>
  )
}
