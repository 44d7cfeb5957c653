import type { Repo } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { actionsInView, matchesLabel, pagesOf } from './actions-in-view.ts'

const repo = (namespace: string, name: string, active = true) =>
  ({ namespace, name, slug: `${namespace}/${name}`, active }) as Repo
const repos = [repo('acme', 'shop'), repo('group/sub', 'app'), repo('acme', 'attic', false)]
const inView = (pathname: string, writes = true) =>
  actionsInView({
    pathname,
    repos,
    canWrite: () => writes,
    isAdmin: false,
    isFinished: (_, number) => number === 12,
  }).map(({ label, href }) => `${label}: ${href}`)

test('a repository in view can be built and its pages opened, by a person who may', () => {
  expect(inView('/acme/shop/branches')).toContain('New build: /acme/shop?action=build')
  expect(inView('/acme/shop')).toContain('Go to secrets: /acme/shop/settings/secrets')
  expect(inView('/group%2Fsub/app')).toContain('Go to branches: /group%2Fsub/app/branches')
  expect(inView('/acme/shop', false).join()).not.toMatch(/New build|settings|secrets|cron/)
  expect(inView('/acme/shop', false)).toContain('Go to deployments: /acme/shop/deployments')
  expect(inView('/acme/attic')).toEqual(['Go to settings: /acme/attic/settings'])
  expect(inView('/settings/users')).toEqual([])
  expect(inView('/')).toEqual([])
})

test('a finished build in view can be restarted and deployed', () => {
  expect(inView('/acme/shop/12/1/2')[0]).toBe('Restart #12 with changes: /acme/shop/12?action=restart')
  expect(inView('/acme/shop/12')).toContain('Promote #12: /acme/shop/12?action=promote')
  expect(inView('/acme/shop/13').join()).not.toMatch(/Restart|Promote/)
  expect(inView('/acme/shop/12', false).join()).not.toMatch(/Restart|Promote/)
})

test('administrators have their pages', () => {
  expect(pagesOf({ isAdmin: true }).map(({ label }) => label)).toContain('Go to users')
  expect(pagesOf({ isAdmin: false }).map(({ href }) => href)).not.toContain('/settings/users')
})

test.each([
  ['new', true],
  ['NEW bu', true],
  ['go secr', false],
  ['build new', false],
  ['new new', false],
  ['uild', false],
  ['n', false],
  ['  ', false],
])('%j finds "New build": %j', (query, isFound) => {
  expect(matchesLabel('New build', query)).toBe(isFound)
})
