import type { Role } from '@flightdeck/api'
import { useState } from 'react'

import { isStatus } from '../../api/query-client.ts'
import { isRole, roles } from '../../lib/role.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { useSetRole } from './use-access.ts'

const nobody: { login: string; role: Role } = { login: '', role: 'write' }

export function AccessForm(props: SettingsPageProps) {
  const [person, setPerson] = useState(nobody)
  const [checked, setChecked] = useState(false)
  const { mutate, isPending, error, variables } = useSetRole(props, () => {
    setPerson(nobody)
    setChecked(false)
  })
  const login = person.login.trim()
  const unknown = isStatus(error, 404) && variables?.login === login ? `Nobody is called ${login} here` : undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (login) mutate({ ...person, login })
      }}
    >
      <TextField
        className="max-w-110"
        label="Login"
        spellCheck={false}
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
        <Button type="submit" variant="primary" busy={isPending}>
          Give access
        </Button>
      </div>
    </form>
  )
}
