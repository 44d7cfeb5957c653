import type { Build, Repo, User } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { countOwners, countShown, inView, shows, type View } from './repo-view.ts'

const me: Partial<User> = { login: 'ada', admin: false }
const view = (repos: readonly Repo[], sort: View['sort'], over: Partial<User> = {}, show: View['show'] = null) =>
  inView(repos, { sort, show }, { ...me, ...over } as User)
const repo = (name: string, build?: Partial<Build>, over: Partial<Repo> = {}): Repo =>
  ({ slug: `acme/${name}`, active: true, default_branch: 'main', ...(build && { build }), ...over }) as Repo
const names = (repos: readonly Repo[]): string => repos.map(({ slug }) => slug.slice(5)).join(' ')

const sorted = [
  repo('passed', { status: 'success' }),
  repo('pull', { status: 'failure', target: 'main', event: 'pull_request' }),
  repo('running', { status: 'running' }),
  repo('broken', { status: 'failure', target: 'main', event: 'push' }),
  repo('killed', { status: 'killed' }),
  repo('blocked', { status: 'blocked' }),
  repo('new'),
  repo('off', { status: 'failure', target: 'main' }, { active: false }),
]

it('the order of activity is the same list', () => {
  expect(view(sorted, 'activity')).toBe(sorted)
})

it('by name, in the order of slugs', () => {
  expect(names(view(sorted, 'name'))).toBe('blocked broken killed new off passed pull running')
})

it('by status, a failing default branch first and waiting builds before running ones', () => {
  expect(names(view(sorted, 'status'))).toBe('broken pull blocked running passed killed new off')
})

it('favorites come first in each order', () => {
  const favorites = ['acme/new', 'acme/broken', 'acme/gone']
  expect(names(view(sorted, 'activity', { favorites })).startsWith('broken new passed pull')).toBe(true)
  expect(names(view(sorted, 'name', { favorites })).startsWith('broken new blocked killed')).toBe(true)
})

it('shows failed builds, my failed builds, builds that wait for me, and queued or running ones', () => {
  const repos = [
    ...sorted,
    repo('mine', { status: 'error', author_login: 'Ada' }),
    repo('read-only', { status: 'blocked' }, { permissions: { read: true, write: false, admin: false } }),
    repo('asks', { status: 'pending', waiting: { reason: 'approval', text: '' } }),
    repo('queued', { status: 'pending' }),
  ]
  const found = Object.fromEntries(shows.map((show) => [show, names(view(repos, 'activity', {}, show))]))
  expect(found).toEqual({
    failing: 'pull broken mine',
    mine: 'mine',
    waiting: 'blocked asks',
    running: 'running queued',
  })
  expect(Object.fromEntries(countShown(repos, me as User))).toEqual({ failing: 3, mine: 1, waiting: 2, running: 2 })
  expect(names(view(repos, 'name', { admin: true }, 'waiting'))).toBe('asks blocked read-only')
})

it('a filtered list keeps its order, and an unknown choice filters nothing', () => {
  expect(view(sorted, 'activity', {}, 'everything')).toBe(sorted)
  expect(names(view(sorted, 'status', { favorites: ['acme/pull'] }, 'failing'))).toBe('pull broken')
})

it('repositories of one owner, with the count of each', () => {
  const repos = [
    repo('a', undefined, { namespace: 'zeta' }),
    repo('b', undefined, { namespace: 'acme' }),
    repo('c', undefined, { namespace: 'zeta' }),
  ]
  expect(countOwners(repos)).toEqual([
    ['acme', 1],
    ['zeta', 2],
  ])
  expect(names(inView(repos, { sort: 'activity', show: null, owner: 'zeta' }, undefined))).toBe('a c')
})
