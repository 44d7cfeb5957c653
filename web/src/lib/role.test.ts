import { expect, test } from 'vitest'
import { isRole, rightsOf, roleOf, roles } from './role.ts'

test('a role is its rights, and back', () => {
  for (const { value } of roles) expect(roleOf(rightsOf(value))).toBe(value)
  expect(rightsOf('write')).toEqual({ read: true, write: true, admin: false })
  expect([isRole('admin'), isRole('owner')]).toEqual([true, false])
})
