import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { useBranchNames } from '../../api/name-suggestions.ts'
import { cronZone } from '../../api/capabilities.ts'
import { useMe } from '../../api/session.ts'
import { useRepo } from '../../api/use-repo.ts'
import { addCron } from '../../api/actions/entries.ts'
import { cronExpressionError, cronNameError, cronSchedules, defaultCronBranch } from './names.ts'
import { keepTyped } from './typed.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { expressionOf, ScheduleFields } from './schedule-fields.tsx'
import type { SettingsPageProps } from './page-props.ts'

const empty: Record<'name' | 'branch' | 'schedule' | 'own', string> = {
  name: '',
  branch: '',
  schedule: cronSchedules[0],
  own: '',
}

export function CronForm(props: SettingsPageProps) {
  const [cron, setCron] = useState(empty)
  const [checked, setChecked] = useState(false)
  const [sent, setSent] = useState(empty)
  const { run, pending, busy } = useAction(addCron(props), () => {
    setCron((typed) => keepTyped(typed, sent, empty))
    setChecked(false)
  })
  const branches = useBranchNames(props.namespace, props.name)
  const { default_branch: main } = useRepo(props.namespace, props.name)
  const zone = cronZone(useMe())
  const expr = expressionOf(cron)
  const nameError = cronNameError(cron.name)
  const exprError = cronExpressionError(expr)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (nameError || exprError) return
        setSent(cron)
        run({ name: cron.name.trim(), branch: cron.branch.trim() || defaultCronBranch, expr })
      }}
    >
      <TextField
        className="max-w-110"
        label="Name"
        spellCheck={false}
        value={cron.name}
        onChange={(name) => setCron({ ...cron, name })}
        error={checked ? nameError : undefined}
      />
      <TextField
        className="max-w-110"
        label="Branch"
        mono
        spellCheck={false}
        placeholder={defaultCronBranch}
        value={cron.branch}
        onChange={(branch) => setCron({ ...cron, branch })}
        choices={branches}
        help={
          zone && main && main !== defaultCronBranch
            ? `Defaults to ${defaultCronBranch}, or to ${main} if there is no ${defaultCronBranch}.`
            : `Defaults to ${defaultCronBranch}.`
        }
      />
      <ScheduleFields
        value={cron}
        onChange={(schedule) => setCron({ ...cron, ...schedule })}
        error={checked ? exprError : undefined}
      />
      <div>
        <Button type="submit" variant="primary" busy={pending} disabled={busy}>
          Add cron job
        </Button>
      </div>
    </form>
  )
}
