import type { RepoWithBuild, User } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { isMine, readShown } from './shown.ts'

const me = { login: 'ada', admin: false } as User
const item = (build: object): RepoWithBuild => ({ slug: 'a/b', build }) as RepoWithBuild

test('a build is mine if I started it or wrote its commit', () => {
  expect(isMine(item({ actor: 'Ada', author_login: 'bob' }), me)).toBe(true)
  expect(isMine(item({ actor: 'bob', author_login: 'ada' }), me)).toBe(true)
  expect(isMine(item({ actor: 'bob', author_login: 'cleo' }), me)).toBe(false)
})

test('an unknown choice shows all builds', () => {
  expect(['mine', 'waiting', 'x', null].map(readShown)).toEqual(['mine', 'waiting', 'all', 'all'])
})
