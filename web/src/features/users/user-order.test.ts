import type { User } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { nextOrder, sortUsers, type UserOrder } from './user-order.ts'

const user = (login: string, more: Partial<User>) =>
  ({ login, admin: false, machine: false, created: 1, last_login: 0, ...more }) as User
const users = [
  user('bo', { created: 30, last_login: 5 }),
  user('Ann', { admin: true, created: 20, last_login: 9 }),
  user('deploy', { machine: true, created: 10 }),
]
const logins = (order: UserOrder) => sortUsers(users, order).map(({ login }) => login)

test.each<[UserOrder, string[]]>([
  ['login', ['Ann', 'bo', 'deploy']],
  ['-login', ['deploy', 'bo', 'Ann']],
  ['role', ['Ann', 'bo', 'deploy']],
  ['-role', ['bo', 'deploy', 'Ann']],
  ['type', ['deploy', 'Ann', 'bo']],
  ['-type', ['Ann', 'bo', 'deploy']],
  ['created', ['bo', 'Ann', 'deploy']],
  ['-created', ['deploy', 'Ann', 'bo']],
  ['seen', ['Ann', 'bo', 'deploy']],
  ['-seen', ['deploy', 'bo', 'Ann']],
])('by %s', (order, expected) => {
  expect(logins(order)).toEqual(expected)
})

test('a second click reverses the order, a third reverses it again', () => {
  expect(nextOrder('login', 'seen')).toBe('seen')
  expect(nextOrder('seen', 'seen')).toBe('-seen')
  expect(nextOrder('-seen', 'seen')).toBe('seen')
})
