import type { Secret } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { changeSecret } from '../../api/actions/entries.ts'
import type { SecretsOf } from '../../api/actions/entries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { secretValueError } from './names.ts'

interface SecretDialogProps {
  secret: Secret
  of: SecretsOf
  onClose: () => void
}

function ChangeForm({ secret, of, onClose }: SecretDialogProps) {
  const [value, setValue] = useState('')
  const [forPulls, setForPulls] = useState(secret.pull_request === true)
  const [checked, setChecked] = useState(false)
  const { run, pending, busy, refusal } = useAction(changeSecret(of, secret.name ?? ''), onClose)
  const error = value === '' ? undefined : secretValueError(value)
  return (
    <form
      noValidate
      autoComplete="off"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (!error) run({ pull_request: forPulls, ...(value !== '' && { data: value }) })
      }}
    >
      <TextField
        label="New value"
        mono
        multiline
        spellCheck={false}
        value={value}
        onChange={setValue}
        error={checked ? error : undefined}
        help="Leave empty to keep the current value. You won’t be able to see it again."
      />
      <SwitchField
        label="Allow pull requests"
        checked={forPulls}
        onChange={setForPulls}
        help="Pull-request builds get this value. Anyone who can open a pull request can print it."
      />
      <FormFooter action="Save secret" pending={pending} busy={busy} refusal={refusal} onCancel={onClose} />
    </form>
  )
}

/** Changes the value of a secret, or the builds that get it. Its name cannot change. */
export function SecretDialog({ open, ...props }: SecretDialogProps & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title={`Edit secret ${props.secret.name ?? ''}`}
      description="New builds use the new value."
    >
      <ChangeForm {...props} />
    </Dialog>
  )
}
