import type { Cron } from '@flightdeck/api'
import { GitBranch, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { changeCron, removeCron, runCron } from '../../api/actions/entries.ts'
import { paths } from '../../lib/paths.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { AbsoluteTime, RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { CronDialog } from './cron-dialog.tsx'
import { readCron } from './cron-words.ts'
import type { SettingsPageProps } from './page-props.ts'

interface CronRowProps {
  cron: Cron
  repo: SettingsPageProps
}

function Buttons({ cron, repo, onEdit }: CronRowProps & { onEdit: () => void }) {
  const start = useAction(runCron(repo, cron.name))
  const { run, busy } = useAction(removeCron(repo, cron.name))
  const ask = async () => {
    const yes = await confirm({
      title: 'Are you sure you want to remove cron job?',
      action: 'Remove cron job',
      description: `${cron.name} will no longer start builds. Existing builds are kept.`,
      danger: true,
    })
    if (yes) run()
  }
  return (
    <div className="flex shrink-0">
      <IconButton
        label={`Run cron job ${cron.name} now`}
        hint="Run now"
        side="left"
        busy={start.busy}
        onClick={() => start.run()}
      >
        <Play className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton label={`Edit cron job ${cron.name}`} hint="Edit" side="left" onClick={onEdit}>
        <Pencil className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Delete cron job ${cron.name}`}
        hint="Delete"
        side="left"
        busy={busy}
        onClick={() => void ask()}
      >
        <Trash2 className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  )
}

function LastRun({ cron: { last, prev }, repo: { namespace, name } }: CronRowProps) {
  if (!last)
    return prev > 0 ? (
      <span>
        Last run: <AbsoluteTime seconds={prev} />
      </span>
    ) : null
  return (
    <Link
      href={paths.build(namespace, name, last.number)}
      className="inline-flex items-center gap-1.5 underline underline-offset-2 hover:text-ink"
    >
      <StatusIcon status={last.status} size={14} />
      Last run: #{last.number}, <RelativeTime seconds={last.created} />
    </Link>
  )
}

/** One job: its schedule, next run and last result, and its actions. */
export function CronRow({ cron, repo }: CronRowProps) {
  const [editing, setEditing] = useState(false)
  const change = useAction(changeCron(repo, cron.name))
  const reading = readCron(cron.expr)
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b border-line py-(--row-space) pr-2 pl-4 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{cron.name}</span>
        <Chip>{cron.expr}</Chip>
        <Chip>
          <GitBranch className="mr-1 inline size-3" aria-hidden="true" />
          {cron.branch}
        </Chip>
        {cron.target && <Chip>to {cron.target}</Chip>}
      </div>
      <div className="max-md:order-last max-md:basis-full">
        <SwitchField
          label={cron.disabled ? 'Disabled' : 'Enabled'}
          name={`Enabled: ${cron.name}`}
          checked={!cron.disabled}
          disabled={change.busy}
          onChange={(on) => change.run({ disabled: !on })}
        />
      </div>
      <Buttons cron={cron} repo={repo} onEdit={() => setEditing(true)} />
      <p className="flex basis-full flex-wrap gap-x-4 gap-y-1 pb-1 text-sm text-muted">
        {reading && <span className="text-ink">{reading}</span>}
        {!cron.disabled && (
          <span>
            Next run: <AbsoluteTime seconds={cron.next} />
          </span>
        )}
        <LastRun cron={cron} repo={repo} />
      </p>
      {cron.failed && (
        <span className="basis-full pb-1 text-sm text-danger">
          Could not start a build, <AbsoluteTime seconds={cron.failed} />: {cron.error}
        </span>
      )}
      <CronDialog open={editing} cron={cron} repo={repo} onClose={() => setEditing(false)} />
    </li>
  )
}
