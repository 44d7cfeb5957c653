import type { Repo } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { readRepos, reposAddress, tokenOfHash } from './address.ts'
import { countsOf, inOrder, tileOf, toneOf } from './tile.ts'

const repo = (slug: string, status?: string, more: object = {}): Repo => {
  const [namespace = '', name = ''] = slug.split('/')
  const build = { number: 7, status, target: 'main', message: 'Fix it', created: 5, ...more }
  return { slug, namespace, name, active: true, ...(status && { build }) } as Repo
}
const tiles = (repos: readonly Repo[]) => inOrder(repos.map((repo) => tileOf(repo, '')))

test('failed builds come first, then waiting ones, running ones, and the rest, by name', () => {
  const sorted = tiles([
    repo('a/none'),
    repo('a/passed', 'success'),
    repo('a/runs', 'running'),
    repo('a/skipped', 'skipped'),
    repo('a/waits', 'pending', { waiting: { reason: 'approval', text: '' } }),
    repo('b/failed', 'failure'),
    repo('a/broken', 'error'),
    repo('a/queued', 'pending'),
  ])
  expect(sorted.map(({ name }) => name)).toEqual([
    'broken',
    'failed',
    'waits',
    'queued',
    'runs',
    'passed',
    'skipped',
    'none',
  ])
  expect(countsOf(sorted)).toEqual({ failing: 2, waiting: 1, running: 2 })
  expect(sorted.map(toneOf)).toEqual(['danger', 'danger', 'warning', 'warning', 'warning', 'success', 'inert', 'inert'])
})

test('the URL names the repositories, whatever their names', () => {
  const slugs = ['acme/web', 'group/sub/a,b', '100%/x%2Cy', 'a&b/c d']
  const address = reposAddress(slugs)
  expect(reposAddress(['acme/web', 'acme/api'])).toBe('/wall?repos=acme/web,acme/api')
  expect(readRepos(new URL(address, 'http://localhost').searchParams.get('repos'))).toEqual(slugs)
  expect(readRepos(null)).toBeUndefined()
  expect(readRepos(' , ')).toBeUndefined()
  expect(readRepos('a/b,a/b')).toEqual(['a/b'])
  expect(reposAddress([])).toBe('/wall')
})

test('a link is in the fragment, whole or not at all', () => {
  expect(['#fdw_abc1', '', '#fdw_', '#L7', '#fdw_a b', '#xfdw_a'].map(tokenOfHash)).toEqual([
    'fdw_abc1',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
