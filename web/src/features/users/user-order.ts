/** Sorts the user list. */
import type { User } from '@flightdeck/api'

/** `-` means descending. */
export const userOrders = [
  'login',
  '-login',
  'role',
  '-role',
  'type',
  '-type',
  'created',
  '-created',
  'seen',
  '-seen',
] as const
export type UserOrder = (typeof userOrders)[number]
export type UserColumn = Exclude<UserOrder, `-${string}`>

export const columns: readonly { column: UserColumn; label: string }[] = [
  { column: 'login', label: 'User' },
  { column: 'role', label: 'Role' },
  { column: 'type', label: 'Type' },
  { column: 'created', label: 'Created' },
  { column: 'seen', label: 'Last login' },
]

export const roleOf = (user: User): string => (user.admin ? 'admin' : 'member')
export const typeOf = (user: User): string => (user.machine ? 'machine' : 'user')

const collator = new Intl.Collator('en')

/** Times sort newest first, with users who were never active last. */
const byColumn: Record<UserColumn, (a: User, b: User) => number> = {
  login: (a, b) => collator.compare(a.login, b.login),
  role: (a, b) => collator.compare(roleOf(a), roleOf(b)),
  type: (a, b) => collator.compare(typeOf(a), typeOf(b)),
  created: (a, b) => b.created - a.created,
  seen: (a, b) => b.last_login - a.last_login,
}

export const columnOf = (order: UserOrder): UserColumn =>
  columns.find(({ column }) => order.endsWith(column))?.column ?? 'login'
export const isReversed = (order: UserOrder): boolean => order.startsWith('-')

/**
 * The order after a click on a column: by this column, or reversed if it was sorted by it already.
 */
export const nextOrder = (order: UserOrder, column: UserColumn): UserOrder => (order === column ? `-${column}` : column)

export const sortUsers = (users: readonly User[], order: UserOrder): User[] => {
  const compare = byColumn[columnOf(order)]
  const sign = isReversed(order) ? -1 : 1
  return users.toSorted((a, b) => sign * compare(a, b) || byColumn.login(a, b))
}
