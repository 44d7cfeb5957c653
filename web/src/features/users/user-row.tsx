import type { User } from '@flightdeck/api'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'

import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

const ask = (login: string) =>
  confirm({
    title: 'Are you sure you want to delete this user?',
    action: 'Delete user',
    description: `${login} can no longer sign in. Repositories pass to another of their administrators.`,
    danger: true,
  })

/** Only our own server tells, and only of people: machines have a token. */
const hasSignIn = (user: User): boolean => user.has_password !== undefined && !user.machine && user.active
/** Has not set a password yet. */
const isInvited = (user: User): boolean => hasSignIn(user) && user.has_password === false

function Traits({ user }: { user: User }) {
  return (
    <span className="flex shrink-0 flex-wrap gap-1 empty:hidden lg:w-48 lg:empty:flex">
      {user.admin && <Chip>admin</Chip>}
      {user.machine && <Chip>machine</Chip>}
      {isInvited(user) && <Chip>invited</Chip>}
      {!user.active && <Chip>inactive</Chip>}
    </span>
  )
}

/** Specification §2: delete is available per row; one's own row cannot be edited. */
export function UserRow({
  user,
  isMe,
  onEdit,
  onDelete,
  onReset,
}: {
  user: User
  isMe: boolean
  onEdit: (user: User) => void
  onDelete: (login: string) => void
  onReset: (login: string) => void
}) {
  const remove = async () => {
    if (await ask(user.login)) onDelete(user.login)
  }
  return (
    <li className="flex min-h-13 items-center gap-3 border-b border-line py-1.5 pr-2 pl-4 last:border-b-0">
      <Avatar login={user.login} src={user.avatar} size={24} />
      <div className="flex min-w-0 flex-1 flex-col gap-1 lg:flex-row lg:items-center lg:gap-3">
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="truncate font-medium">{user.login}</span>
            {isMe && <span className="text-sm text-muted">you</span>}
          </span>
          {user.email && <span className="truncate text-sm text-muted">{user.email}</span>}
        </span>
        <Traits user={user} />
        <span className="text-sm text-muted lg:w-52 lg:shrink-0">
          Last login: <RelativeTime seconds={user.last_login} />
        </span>
      </div>
      <span className="flex shrink-0">
        {hasSignIn(user) && !isMe ? (
          <IconButton
            label={`Reset password of ${user.login}`}
            hint="Reset password"
            side="left"
            onClick={() => onReset(user.login)}
          >
            <KeyRound className="size-4" aria-hidden="true" />
          </IconButton>
        ) : (
          // Its place, so that the columns of all rows stand below each other.
          user.has_password !== undefined && <span className="size-8 touch:size-11" />
        )}
        <IconButton
          label={`Edit user ${user.login}`}
          hint={isMe ? 'You cannot edit your own account' : 'Edit'}
          side="left"
          disabled={isMe}
          onClick={() => onEdit(user)}
        >
          <Pencil className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton label={`Delete user ${user.login}`} hint="Delete" side="left" onClick={() => void remove()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}
