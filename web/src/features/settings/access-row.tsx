import type { Collaborator } from '@flightdeck/api'
import { Trash2 } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { removeAccess, setRole } from '../../api/actions/repository.ts'
import { useMe } from '../../api/session.ts'
import { isRole, roleOf, roles } from '../../lib/role.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { ListRow } from '../common/remote-list.tsx'

const askRemove = (login: string) =>
  confirm({
    title: `Are you sure you want to remove ${login}?`,
    action: 'Remove access',
    description: `${login} keeps only the access that the repository’s visibility gives everyone.`,
    danger: true,
  })
const askGiveUp = () =>
  confirm({
    title: 'Remove your own access?',
    action: 'Remove my access',
    description: 'Only another administrator can restore it.',
    danger: true,
  })

export function AccessRow({ repo, person }: { repo: SettingsPageProps; person: Collaborator }) {
  const me = useMe()
  const { login } = person
  const role = useAction(setRole(repo, login))
  const remove = useAction(removeAccess(repo, person))
  // System administrators have every permission without a role.
  const losesOwn = login === me?.login && !me.admin
  const change = async (value: string) => {
    if (isRole(value) && (!losesOwn || (await askGiveUp()))) role.run({ login, role: value })
  }
  const ask = async () => {
    if (await (losesOwn ? askGiveUp() : askRemove(login))) remove.run()
  }
  return (
    <ListRow
      action={
        <IconButton
          label={`Remove access of ${login}`}
          hint="Remove"
          side="left"
          busy={remove.busy}
          onClick={() => void ask()}
        >
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
        busy={role.busy}
        onChange={(value) => void change(value)}
      />
    </ListRow>
  )
}
