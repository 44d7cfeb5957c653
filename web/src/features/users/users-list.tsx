import type { User } from '@flightdeck/api'
import { memo, useDeferredValue, useMemo, useState } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePreference } from '../../browser/preference.ts'
import { useFilter } from '../../browser/use-filter.ts'
import { renderModeOf } from '../../browser/use-lazy-row.ts'
import { useRowFocus } from '../../browser/use-row-focus.ts'
import { sortUsers, userOrders } from './user-order.ts'
import { UserRow } from './user-row.tsx'
import { UsersHead } from './users-head.tsx'

/** Specification §9: "Users list initial 1000". */
const firstUsers = 1000

const matches = (user: User, filter: string): boolean =>
  `${user.login} ${user.email}`.toLowerCase().includes(filter.trim().toLowerCase())

/** The administrator whom Flightdeck does not delete, because there is no other. */
const lastAdministrator = (users: readonly User[]): string | undefined => {
  const [first, second] = users.filter((user) => user.admin && user.active && !user.machine)
  return second ? undefined : first?.login
}

interface FoundProps {
  users: readonly User[]
  filter: string
  onEdit: (user: User) => void
}

/** Renders when typing has paused, not at each key. */
const Found = memo(function Found({ users, filter, onEdit }: FoundProps) {
  const me = useMe()?.login
  const [all, setAll] = useState(false)
  const place = useRowFocus()
  const [order, setOrder] = usePreference('users.order', userOrders)
  const sorted = useMemo(() => sortUsers(users, order), [users, order])
  const found = useMemo(() => sorted.filter((user) => matches(user, filter)), [sorted, filter])
  const hasAccounts = useCapability('accounts')
  const last = useMemo(() => (hasAccounts ? lastAdministrator(users) : undefined), [hasAccounts, users])
  const shown = all ? found : found.slice(0, firstUsers)
  return (
    <div ref={place} className="contents">
      {shown.length > 0 ? (
        <div className="overflow-hidden rounded-lg border border-line bg-surface">
          <UsersHead order={order} onOrder={setOrder} />
          <ul>
            {shown.map((user, index) => (
              <UserRow
                key={user.login}
                user={user}
                isMe={user.login === me}
                isLast={user.login === last}
                onEdit={onEdit}
                renderMode={renderModeOf(index, shown.length)}
              />
            ))}
          </ul>
        </div>
      ) : (
        <p className="py-8 text-center text-muted">No users match “{filter.trim()}”.</p>
      )}
      {shown.length < found.length && (
        <div className="flex justify-center">
          <Button onClick={() => setAll(true)}>Show more</Button>
        </div>
      )}
    </div>
  )
})

export function UsersList({ users, onEdit }: Pick<FoundProps, 'users' | 'onEdit'>) {
  const [filter, setFilter] = useFilter()
  return (
    <div className="flex flex-col gap-4">
      <TextField
        className="max-w-72"
        label="Filter"
        hideLabel
        type="search"
        placeholder="Filter by login or email"
        value={filter}
        onChange={setFilter}
      />
      <Found users={users} filter={useDeferredValue(filter)} onEdit={onEdit} />
    </div>
  )
}
