import type { Role } from '@flightdeck/api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { setRole } from '../../api/actions/repository.ts'
import { ownQueryOf } from '../../api/own-client.ts'
import { isStatus } from '../../api/query-client.ts'
import { isRole, roles } from '../../lib/role.ts'
import { useDebounced } from '../../browser/use-debounced.ts'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { keepTyped } from './typed.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SettingsPageProps } from './page-props.ts'

/** Debounce: the delay after the last key press before users are requested. */
const pauseMs = 250
const nobody: { login: string; role: Role } = { login: '', role: 'write' }

export function AccessForm(props: SettingsPageProps) {
  const [person, setPerson] = useState(nobody)
  const [checked, setChecked] = useState(false)
  const [sent, setSent] = useState(nobody)
  const login = person.login.trim()
  const text = useDebounced(login, pauseMs)
  const { data: people } = useQuery({
    ...ownQueryOf('listPeople', props.namespace, props.name, { text }),
    placeholderData: keepPreviousData,
  })
  const { run, pending, busy, refusal } = useAction(setRole(props), () => {
    setPerson((typed) => keepTyped(typed, sent, nobody))
    setChecked(false)
  })
  const unknown = isStatus(refusal?.error, 404) && refusal?.input.login === login ? `No user named ${login}` : undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (!login) return
        setSent(person)
        run({ ...person, login })
      }}
    >
      <TextField
        className="max-w-110"
        label="Login"
        spellCheck={false}
        choices={(people ?? []).map((found) => found.login)}
        help="Search for a person who doesn’t have access yet."
        value={person.login}
        onChange={(value) => setPerson({ ...person, login: value })}
        error={checked ? (login ? unknown : 'Login is required') : undefined}
      />
      <SelectField
        className="max-w-72"
        label="Role"
        value={person.role}
        options={roles}
        onChange={(role) => isRole(role) && setPerson({ ...person, role })}
        help={roles.find(({ value }) => value === person.role)?.help}
      />
      <div>
        <Button type="submit" variant="primary" busy={pending} disabled={busy}>
          Grant access
        </Button>
      </div>
    </form>
  )
}
