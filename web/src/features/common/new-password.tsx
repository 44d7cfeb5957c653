import { useState } from 'react'

import { passwordError, passwordHelp, repeatError } from './password.ts'
import { TextField } from '../../ui/text-field.tsx'

/** The state of a new password that is typed twice. */
export function usePassword() {
  const [typed, setTyped] = useState({ password: '', repeated: '' })
  const [checked, setChecked] = useState(false)
  const errors = { password: passwordError(typed.password), repeated: repeatError(typed.password, typed.repeated) }
  return {
    ...typed,
    errors: checked ? errors : { password: undefined, repeated: undefined },
    change: (changes: Partial<typeof typed>) => setTyped({ ...typed, ...changes }),
    /** Shows errors from now on; returns true if there are none. */
    check: () => {
      setChecked(true)
      return !errors.password && !errors.repeated
    },
    /** The password was saved. Text typed since then is kept. */
    clear: (taken: string) => {
      setTyped((now) => (now.password === taken ? { password: '', repeated: '' } : now))
      setChecked(false)
    },
  }
}

export function NewPassword({ password, repeated, errors, change }: ReturnType<typeof usePassword>) {
  return (
    <>
      <TextField
        className="max-w-110"
        label="New password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(value) => change({ password: value })}
        error={errors.password}
        help={passwordHelp}
      />
      <TextField
        className="max-w-110"
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        value={repeated}
        onChange={(value) => change({ repeated: value })}
        error={errors.repeated}
      />
    </>
  )
}
