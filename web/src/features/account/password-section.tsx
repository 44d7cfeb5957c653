import { useId, useState } from 'react'

import { useAction } from '../../api/action.ts'
import { changePassword } from '../../api/actions/people.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { NewPassword, usePassword } from '../common/new-password.tsx'

/** Only for users who sign in with a password; other servers don't have this endpoint. */
export function PasswordSection({ login }: { login: string }) {
  const id = useId()
  const [old, setOld] = useState('')
  const [newToken, setNewToken] = useState(true)
  const next = usePassword()
  const { run, pending, refusal } = useAction(changePassword, (_answer, sent) => {
    setOld((typed) => (typed === sent.old ? '' : typed))
    next.clear(sent.password)
  })
  return (
    <section aria-labelledby={id} className="flex max-w-4xl min-w-0 flex-col gap-4">
      <header>
        <h2 id={id} className="text-lg font-semibold">
          Change password
        </h2>
        <p className="text-muted">You will be signed out in all other browsers.</p>
      </header>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (next.check()) run({ old, password: next.password, keepToken: !newToken })
        }}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input hidden readOnly autoComplete="username" value={login} />
        <TextField
          className="max-w-110"
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={refusal?.reason}
        />
        <NewPassword {...next} />
        <CheckboxField
          label="Also replace my tokens"
          checked={newToken}
          onChange={setNewToken}
          help="Anyone who knew your password may also have your tokens. Named tokens are revoked, and scripts stop working until you give them the new one."
        />
        <div>
          <Button type="submit" busy={pending}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  )
}
