import type { UserInput } from '@flightdeck/api'
import { useState } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { FormFooter, type FormFooterProps } from '../../ui/form-footer.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { accessToSend, firstAccessError, noAccess } from './first-access.ts'
import { FirstAccessFields } from './first-access-fields.tsx'

export interface UserFields {
  login: string
  email: string
  admin: boolean
  machine: boolean
}

export interface UserFormProps extends FormFooterProps {
  initial: UserFields
  /** For an existing user, only the admin flag can change (specification §5, §7). */
  existing: boolean
  onSubmit: (fields: UserFields & Pick<UserInput, 'repositories' | 'role'>) => void
}

const required = (value: string, what: string): string | undefined =>
  value.trim() === '' ? `${what} is required` : undefined

/** As lenient as the browser's own check of an email address. */
const emailError = (email: string): string | undefined =>
  required(email, 'Email') ?? (/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'This is not an email address')

export function UserForm({ initial, existing, onSubmit, ...footer }: UserFormProps) {
  const [fields, setFields] = useState(initial)
  const [access, setAccess] = useState(noAccess)
  const hasAccess = useCapability('access')
  const grants = !existing && hasAccess && !fields.admin
  const [checked, setChecked] = useState(false)
  const change = (changes: Partial<UserFields>) => setFields({ ...fields, ...changes })
  const errors = existing ? {} : { login: required(fields.login, 'Login'), email: emailError(fields.email) }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (errors.login || errors.email || (grants && firstAccessError(access))) return
        const typed = { ...fields, login: fields.login.trim(), email: fields.email.trim() }
        onSubmit({ ...typed, ...(grants && accessToSend(access)) })
      }}
    >
      <TextField
        label="Login"
        required={!existing}
        disabled={existing}
        spellCheck={false}
        value={fields.login}
        onChange={(login) => change({ login })}
        error={checked ? errors.login : undefined}
      />
      <TextField
        label="Email"
        type="email"
        required={!existing}
        disabled={existing}
        value={fields.email}
        onChange={(email) => change({ email })}
        error={checked ? errors.email : undefined}
      />
      <CheckboxField
        label="Admin"
        checked={fields.admin}
        onChange={(admin) => change({ admin })}
        help="Can change all repositories and manage users."
      />
      <CheckboxField
        label="Machine User"
        checked={fields.machine}
        disabled={existing}
        onChange={(machine) => change({ machine })}
        help={existing ? 'Cannot be changed later.' : 'For scripts: uses a token instead of a password.'}
      />
      {grants && <FirstAccessFields value={access} checked={checked} onChange={setAccess} />}
      <FormFooter {...footer} />
    </form>
  )
}
