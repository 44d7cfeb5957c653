import type { Build, Repo } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { inOrder } from './repo-view.ts'

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

it('the order of activity is the list as it comes, the very same', () => {
  expect(inOrder(sorted, 'activity')).toBe(sorted)
})

it('by name, in the order of the slugs', () => {
  expect(names(inOrder(sorted, 'name'))).toBe('blocked broken killed new off passed pull running')
})

it('by status, a failing default branch first and what waits for somebody before what runs', () => {
  expect(names(inOrder(sorted, 'status'))).toBe('broken pull blocked running passed killed new off')
})

it('favorites come first in each order', () => {
  const favorites = ['acme/new', 'acme/broken', 'acme/gone']
  expect(names(inOrder(sorted, 'activity', favorites)).startsWith('broken new passed pull')).toBe(true)
  expect(names(inOrder(sorted, 'name', favorites)).startsWith('broken new blocked killed')).toBe(true)
})
