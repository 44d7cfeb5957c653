import type { User } from '@flightdeck/api'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'

import { useAction } from '../../api/action.ts'
import { deleteUser, resetPassword } from '../../api/actions/people.ts'
import { useCapability } from '../../api/capabilities.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm, confirmWith } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useLazyRow, type RenderMode } from '../../browser/use-lazy-row.ts'
import { showInvitation } from './one-time.tsx'
import { roleOf, typeOf } from './user-order.ts'
import { width } from './users-head.tsx'

const askDelete = (login: string) =>
  confirm({
    title: 'Are you sure you want to delete this user?',
    action: 'Delete user',
    description: `${login} will no longer be able to sign in. Their repositories go to another administrator.`,
    danger: true,
  })

const askReset = (login: string) =>
  confirmWith({
    title: `Are you sure you want to reset the password of ${login}?`,
    action: 'Reset password',
    description: `${login} will be signed out and will need the new invitation link, which you’ll see next, to sign in again.`,
    danger: true,
    also: {
      label: 'Also replace the token',
      help: 'Anyone who knew the password may also have the token. Scripts will stop working until they have the new one.',
    },
  })

/** People sign in; machine users have a token. */
const hasSignIn = (user: User): boolean => !user.machine && user.active
/** The user has not set a password yet. */
const isInvited = (user: User): boolean => hasSignIn(user) && user.has_password === false

function Traits({ user }: { user: User }) {
  const hasAccounts = useCapability('accounts')
  return (
    <span className="flex shrink-0 flex-wrap gap-1 empty:hidden">
      {hasAccounts && isInvited(user) && <Chip>invited</Chip>}
      {!user.active && <Chip>inactive</Chip>}
    </span>
  )
}

interface RowProps {
  user: User
  isMe: boolean
  /** The last administrator, whom the server does not delete. */
  isLast: boolean
  onEdit: (user: User) => void
}

const lastText = 'The last administrator cannot be deleted'

/** Specification §2: delete is available per row; one's own row cannot be edited. */
function Buttons({ user, isMe, isLast, onEdit }: RowProps) {
  const { login } = user
  const hasAccounts = useCapability('accounts')
  const remove = useAction(deleteUser(login))
  const reset = useAction(resetPassword(login, (invitation) => showInvitation(login, invitation)))
  const pressDelete = async () => {
    if (await askDelete(login)) remove.run()
  }
  const pressReset = async () => {
    const { yes, also } = await askReset(login)
    if (yes) reset.run({ keepToken: !also })
  }
  return (
    <span className="flex shrink-0 justify-end lg:w-24 touch:lg:w-33">
      {hasAccounts && hasSignIn(user) && !isMe ? (
        <IconButton
          label={`Reset password of ${login}`}
          hint="Reset password"
          side="left"
          busy={reset.pending}
          disabled={reset.busy}
          onClick={() => void pressReset()}
        >
          <KeyRound className="size-4" aria-hidden="true" />
        </IconButton>
      ) : (
        // A placeholder that keeps the columns aligned.
        hasAccounts && <span className="size-8 touch:size-11" />
      )}
      <IconButton
        label={`Edit user ${login}`}
        hint={isMe ? 'You cannot edit your own account' : 'Edit'}
        side="left"
        disabled={isMe}
        onClick={() => onEdit(user)}
      >
        <Pencil className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Delete user ${login}`}
        hint={isLast ? lastText : 'Delete'}
        // Tooltips are not announced by screen readers.
        aria-description={isLast ? lastText : undefined}
        side="left"
        busy={remove.pending}
        disabled={remove.busy || isLast}
        onClick={() => void pressDelete()}
      >
        <Trash2 className="size-4" aria-hidden="true" />
      </IconButton>
    </span>
  )
}

function Whole({ user, isMe, ...more }: RowProps) {
  return (
    <>
      <Avatar login={user.login} src={user.avatar} size={24} />
      <div className="flex min-w-0 flex-1 flex-col gap-1 lg:flex-row lg:items-center lg:gap-3 lg:text-sm lg:text-muted">
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="truncate text-base font-medium text-ink">{user.login}</span>
            {isMe && <span className="text-sm text-muted">you</span>}
            <Traits user={user} />
          </span>
          {user.email && <span className="truncate text-sm text-muted">{user.email}</span>}
        </span>
        <span className="flex flex-wrap gap-x-3 text-sm text-muted lg:contents">
          <span className={width.role}>{roleOf(user)}</span>
          <span className={width.type}>{typeOf(user)}</span>
          <span className={`truncate ${width.created}`}>
            <span className="lg:sr-only">created </span>
            <RelativeTime seconds={user.created} />
          </span>
          <span className={`truncate ${width.seen}`}>
            <span className="lg:sr-only">last login </span>
            <RelativeTime seconds={user.last_login} />
          </span>
        </span>
      </div>
      <Buttons user={user} isMe={isMe} {...more} />
    </>
  )
}

const words = (user: User): string =>
  [user.login, user.email, user.admin && 'admin', user.machine && 'machine'].filter(Boolean).join(' ')

export const UserRow = memo(function UserRow({ renderMode, ...row }: RowProps & { renderMode: RenderMode }) {
  const { ref, isNear, style } = useLazyRow(renderMode)
  return (
    <li
      ref={ref}
      style={style}
      className="flex min-h-(--row) items-center gap-3 border-b border-line py-(--row-space) pr-2 pl-4 last:border-b-0"
    >
      {isNear ? <Whole {...row} /> : words(row.user)}
    </li>
  )
})
