import { describe, expect, test } from 'vitest'
import { readFirstAccess } from './first-access.ts'

const slugs = (count: number): string => Array.from({ length: count }, (_, index) => `acme/r${index}`).join(' ')

describe('repositories of an invitation', () => {
  test('as many as can be named at once, and not one more', () => {
    expect(readFirstAccess(slugs(200), 'read')?.repositories).toHaveLength(200)
    expect(() => readFirstAccess(slugs(201), 'read')).toThrow('At most 200 repositories can be named at once')
  })

  test('blanks name none; a star means all, whatever else is listed', () => {
    expect(readFirstAccess(undefined, 'admin')).toBeNull()
    expect(readFirstAccess('  \n', 'admin')).toBeNull()
    expect(readFirstAccess(`${slugs(201)} *`, 'write')).toEqual({
      repositories: 'all',
      rights: { read: true, write: true, admin: false },
    })
  })

  test('the role is one of three; without one it is read', () => {
    expect(readFirstAccess('a/b', undefined)?.rights).toEqual({ read: true, write: false, admin: false })
    for (const role of ['owner', 'toString']) expect(() => readFirstAccess('a/b', role)).toThrow('Role must be')
  })
})
