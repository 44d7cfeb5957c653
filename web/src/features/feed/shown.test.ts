import type { Repo, RepoWithBuild, User } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { isMine, isWaitingFor, readShown } from './shown.ts'

const me = { login: 'ada', admin: false } as User
const item = (build: object): RepoWithBuild =>
  ({ slug: 'a/b', build: { status: 'pending', ...build } }) as RepoWithBuild
const repos = (write: boolean) =>
  new Map([['a/b', { slug: 'a/b', permissions: { read: true, write, admin: false } } as Repo]])

test('a build is mine if I started it or wrote its commit', () => {
  expect(isMine(item({ actor: 'Ada', author_login: 'bob' }), me)).toBe(true)
  expect(isMine(item({ actor: 'bob', author_login: 'ada' }), me)).toBe(true)
  expect(isMine(item({ actor: 'bob', author_login: 'cleo' }), me)).toBe(false)
})

test('a build waits for me if I can approve it', () => {
  const waiting = item({ waiting: { reason: 'approval', text: '' } })
  expect(isWaitingFor(waiting, me, repos(true))).toBe(true)
  expect(isWaitingFor(waiting, me, repos(false))).toBe(false)
  expect(isWaitingFor(waiting, { ...me, admin: true }, repos(false))).toBe(true)
  expect(isWaitingFor(item({ status: 'blocked' }), me, new Map())).toBe(true)
  expect(isWaitingFor(item({ waiting: { reason: 'runner', text: '' } }), me, repos(true))).toBe(false)
})

test('an unknown choice shows all builds', () => {
  expect(['mine', 'waiting', 'x', null].map(readShown)).toEqual(['mine', 'waiting', 'all', 'all'])
})
