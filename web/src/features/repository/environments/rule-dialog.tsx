import type { Deployers, EnvironmentRule, Repo } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../../api/action.ts'
import { isOpenRule, saveEnvironmentRule } from '../../../api/environments.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { focusFirstInvalid } from '../../../ui/focus-first-invalid.ts'
import { FormFooter } from '../../../ui/form-footer.tsx'
import { RadioGroupField } from '../../../ui/radio-group-field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'

export interface RuleDialogProps {
  repo: Repo
  /** If undefined, the dialog has a field for its name. */
  environment?: string
  rule: EnvironmentRule | undefined
  open: boolean
  onClose: () => void
}

const deployers: readonly { value: Deployers; label: string }[] = [
  { value: 'writers', label: 'Anyone with write permission' },
  { value: 'administrators', label: 'Repository administrators' },
  { value: 'people', label: 'Only these people' },
]

function RuleForm({ repo, environment, rule, onClose }: Omit<RuleDialogProps, 'open'>) {
  const [name, setName] = useState(environment ?? '')
  const [who, setWho] = useState<Deployers>(rule?.who ?? 'administrators')
  const [people, setPeople] = useState((rule?.people ?? []).join(' '))
  const [approval, setApproval] = useState(rule?.approval ?? false)
  const [checked, setChecked] = useState(false)
  const { run, pending, busy, refusal } = useAction(saveEnvironmentRule(repo, name.trim()), onClose)
  const logins = people.split(/[\s,]+/).filter(Boolean)
  const noName = name.trim() === '' ? 'Name the environment.' : undefined
  const noPeople = who === 'people' && logins.length === 0 ? 'Enter at least one login.' : undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (!noName && !noPeople) run({ who, people: who === 'people' ? logins : [], approval })
      }}
    >
      {environment === undefined && (
        <TextField
          label="Environment"
          value={name}
          onChange={setName}
          placeholder="production"
          spellCheck={false}
          error={checked ? noName : undefined}
        />
      )}
      <RadioGroupField
        label="Can deploy"
        value={who}
        options={deployers}
        onChange={(value) => setWho(deployers.find((choice) => choice.value === value)?.value ?? 'writers')}
      />
      {who === 'people' && (
        <TextField
          label="Logins"
          value={people}
          onChange={setPeople}
          spellCheck={false}
          help="Separate them by spaces. Each person also needs write permission."
          error={checked ? noPeople : undefined}
        />
      )}
      <SwitchField
        label="Require approval"
        checked={approval}
        onChange={setApproval}
        help="Each deployment is blocked until someone who can deploy here approves it."
      />
      <FormFooter
        action={rule && isOpenRule({ who, approval }) ? 'Remove protection' : 'Save protection'}
        pending={pending}
        busy={busy}
        refusal={refusal}
        onCancel={onClose}
      />
    </form>
  )
}

/**
 * Selects the people who can deploy to an environment, and whether each deployment needs an
 * approval.
 */
export function RuleDialog({ open, ...props }: RuleDialogProps) {
  const { environment } = props
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title={environment === undefined ? 'Protect an environment' : `Protect ${environment}`}
      description="Applies to promotions, rollbacks and restarts of deployments, on this page and through the API."
    >
      <RuleForm {...props} />
    </Dialog>
  )
}
