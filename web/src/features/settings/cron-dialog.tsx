import type { Cron, CronPatch } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { changeCron } from '../../api/actions/entries.ts'
import { useBranchNames } from '../../api/name-suggestions.ts'
import { useCapability } from '../../api/capabilities.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { cronExpressionError, defaultCronBranch } from './names.ts'
import type { SettingsPageProps } from './page-props.ts'
import { expressionOf, ScheduleFields, scheduleOf } from './schedule-fields.tsx'

interface CronDialogProps {
  cron: Cron
  repo: SettingsPageProps
  onClose: () => void
}

function ChangeForm({ cron, repo, onClose }: CronDialogProps) {
  const own = useCapability('cron_expressions')
  const [branch, setBranch] = useState(cron.branch)
  const [schedule, setSchedule] = useState(scheduleOf(cron.expr))
  const [checked, setChecked] = useState(false)
  const { run, pending, busy, refusal } = useAction(changeCron(repo, cron.name), onClose)
  const expr = expressionOf(schedule)
  // An expression that the server has accepted is kept unchanged, even if this form considers it
  // invalid.
  const error = expr === cron.expr ? undefined : cronExpressionError(expr)
  const changes: CronPatch = {
    branch: branch.trim() || defaultCronBranch,
    ...(expr !== cron.expr && { expression: expr }),
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (!error) run(changes)
      }}
    >
      <TextField
        label="Branch"
        mono
        spellCheck={false}
        value={branch}
        onChange={setBranch}
        choices={useBranchNames(repo.namespace, repo.name)}
        help={`Defaults to ${defaultCronBranch}.`}
      />
      {own ? (
        <ScheduleFields value={schedule} onChange={setSchedule} error={checked ? error : undefined} />
      ) : (
        <p className="text-muted">
          This server cannot change the schedule <code className="font-mono">{cron.expr}</code>. Add a new job and
          remove this one.
        </p>
      )}
      <FormFooter action="Save cron job" pending={pending} busy={busy} refusal={refusal} onCancel={onClose} />
    </form>
  )
}

/** Changes the schedule and the branch of a job. Its name cannot change. */
export function CronDialog({ open, ...props }: CronDialogProps & { open: boolean }) {
  return (
    <Dialog open={open} onClose={props.onClose} title={`Edit cron job ${props.cron.name}`}>
      <ChangeForm {...props} />
    </Dialog>
  )
}
