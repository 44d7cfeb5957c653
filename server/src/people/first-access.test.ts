import { describe, expect, test } from 'vitest'
import { readFirstAccess } from './first-access.ts'

const slugs = (count: number): string => Array.from({ length: count }, (_, index) => `acme/r${index}`).join(' ')

describe('repositories of an invitation', () => {
  test('accepts 200 repositories, and refuses 201', () => {
    expect(readFirstAccess(slugs(200), 'read')?.repositories).toHaveLength(200)
    expect(() => readFirstAccess(slugs(201), 'read')).toThrow('At most 200 repositories can be named at once')
  })

  test('ignores blanks; a star means all, whatever else is listed', () => {
    expect(readFirstAccess(undefined, 'admin')).toBeNull()
    expect(readFirstAccess('  \n', 'admin')).toBeNull()
    expect(readFirstAccess(`${slugs(201)} *`, 'write')).toEqual({
      repositories: 'all',
      rights: { read: true, write: true, admin: false },
    })
  })

  test('accepts three roles; the default is read', () => {
    expect(readFirstAccess('a/b', undefined)?.rights).toEqual({ read: true, write: false, admin: false })
    for (const role of ['owner', 'toString']) expect(() => readFirstAccess('a/b', role)).toThrow('Role must be')
  })
})
