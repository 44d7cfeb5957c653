import type { Page } from '@playwright/test'
import { data, fail, ok, withRepo } from '../../support/screens.ts'
import { never, repo, type State } from './state.ts'

const secretForm = async (page: Page) => {
  await page.getByLabel('Name').fill('password')
  await page.getByLabel('Value').or(page.getByLabel('Data')).first().fill('s3cret')
  await page.getByRole('button', { name: /add/i }).click()
}

/** Settings and accounts. */
export const settingsStates: State[] = [
  { name: 'secrets-empty', path: '/octocat/hello/settings/secrets', play: (host) => withRepo(host) },
  {
    name: 'secrets-refused',
    path: '/octocat/hello/settings/secrets',
    play: (host) => (withRepo(host), host.on(`POST ${repo}/secrets`, fail(500, 'UNIQUE constraint failed'))),
    act: secretForm,
  },
  {
    name: 'secrets-loading',
    path: '/octocat/hello/settings/secrets',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/secrets`, never)),
  },
  {
    name: 'cron-failing',
    path: '/octocat/hello/settings/cron',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/cron`, fail(500, 'database is locked'))),
  },
  { name: 'cron-empty', path: '/octocat/hello/settings/cron', play: (host) => withRepo(host) },
  {
    name: 'users-loading',
    path: '/settings/users',
    play: (host) => host.on('GET /api/user', ok(data.user({ admin: true }))).on('GET /api/users', never),
  },
  {
    name: 'users-failing',
    path: '/settings/users',
    play: (host) =>
      host.on('GET /api/user', ok(data.user({ admin: true }))).on('GET /api/users', fail(500, 'database is locked')),
  },
  {
    name: 'account-failing',
    path: '/account',
    play: (host) => host.on('POST /api/user/token', fail(500, 'database is locked')),
  },
]
