import type { Role } from '@flightdeck/api'

import { isRole, roles } from '../../lib/role.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { firstAccessError, isFirst, type FirstAccess } from './first-access.ts'

const choices = [
  { value: 'none', label: 'No repositories' },
  { value: 'all', label: 'All repositories' },
  { value: 'named', label: 'Selected repositories…' },
]

/** The first roles of a new user, if the server can assign them with the account. */
export function FirstAccessFields({
  value,
  checked,
  onChange,
}: {
  value: FirstAccess
  checked: boolean
  onChange: (value: FirstAccess) => void
}) {
  return (
    <>
      <SelectField
        label="Repositories"
        value={value.of}
        options={choices}
        onChange={(of) => isFirst(of) && onChange({ ...value, of })}
      />
      {value.of === 'named' && (
        <TextField
          label="Names"
          mono
          multiline
          spellCheck={false}
          value={value.names}
          onChange={(names) => onChange({ ...value, names })}
          error={checked ? firstAccessError(value) : undefined}
          help="One namespace/name per line"
        />
      )}
      {value.of !== 'none' && (
        <SelectField
          label="Role"
          value={value.role}
          options={roles}
          onChange={(role: string) => isRole(role) && onChange({ ...value, role: role satisfies Role })}
          help={roles.find((role) => role.value === value.role)?.help}
        />
      )}
    </>
  )
}
