import type { Collaborator } from '@flightdeck/api'
import { Trash2 } from 'lucide-react'

import { useMe } from '../../api/session.ts'
import { isRole, roleOf, roles } from '../../lib/role.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { ListRow } from './remote-list.tsx'
import { useRemove, useSetRole } from './use-access.ts'

const askRemove = (login: string) =>
  confirm({
    title: `Are you sure you want to remove ${login}?`,
    action: 'Remove access',
    description: `${login} can then see and do only what the visibility of the repository allows to everybody.`,
    danger: true,
  })
const askGiveUp = () =>
  confirm({
    title: 'Are you sure you want to give up your own rights?',
    action: 'Give up',
    description: 'Only another administrator can give them back to you.',
    danger: true,
  })

export function AccessRow({ repo, person }: { repo: SettingsPageProps; person: Collaborator }) {
  const me = useMe()
  const { mutate: setRole, isPending } = useSetRole(repo)
  const { mutate: remove } = useRemove(repo)
  const { login } = person
  // A system administrator keeps every right without a row.
  const losesOwn = login === me?.login && !me.admin
  const change = async (value: string) => {
    if (isRole(value) && (!losesOwn || (await askGiveUp()))) setRole({ login, role: value })
  }
  const ask = async () => {
    if (await (losesOwn ? askGiveUp() : askRemove(login))) remove(person)
  }
  return (
    <ListRow
      action={
        <IconButton label={`Remove access of ${login}`} hint="Remove" side="left" onClick={() => void ask()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      <Avatar login={login} src={person.avatar} size={24} />
      <span className="min-w-0 flex-1 truncate font-medium">
        {login}
        {login === me?.login && <span className="ml-2 text-sm font-normal text-muted">you</span>}
      </span>
      <SelectField
        className="w-28 shrink-0"
        label={`Role of ${login}`}
        hideLabel
        value={roleOf(person)}
        options={roles}
        disabled={isPending}
        onChange={(value) => void change(value)}
      />
    </ListRow>
  )
}
