/** The forge connection in repository settings. */
import { data, latch, expect, fail, fitsWidth, ok, test, withRepo, toastShows } from '../support/screens.ts'

const path = 'GET /api/repos/octocat/hello/forge'
const link = 'https://git.example.com/octocat/hello'
const administers = { read: true, write: true, admin: true }
const connection = {
  forge: 'Gogs',
  link,
  acts_as: '',
  status_error: '',
  hook: {
    state: 'manual',
    error: 'Gogs refuses (403).',
    seen: 0,
    manual: {
      url: 'https://ci.example.com/hook',
      secret: 'a-secret-to-copy',
      content_type: 'application/json',
      events: ['push', 'create', 'pull_request'],
      page: `${link}/settings/hooks/gogs/new`,
    },
  },
  mirror: { fetched: data.repo().created, bytes: 183_204, error: '' },
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.flightdeckForge = { title: 'Gogs', url: 'https://git.example.com', sign_in: 'password' }
  })
})

test('an administrator sees the connection: loading, failed, and what to do manually @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { link, permissions: administers })
  const { opened, open } = latch()
  host.on(path, async () => {
    await opened
    return fail(500, 'database is locked')
  })
  await go('/octocat/hello/settings')
  const section = page.getByRole('region', { name: 'Connection to Gogs' })
  await expect(section.getByText('Loading')).toBeAttached()
  open()
  await expect(section.getByText('The connection to Gogs could not be loaded: database is locked')).toBeVisible()
  host.on(path, ok(connection))
  await section.getByRole('button', { name: 'Retry' }).click()
  await expect(section.getByText('Gogs refuses (403).')).toBeVisible()
  await expect(section.getByText('a-secret-to-copy')).toBeVisible()
  await expect(section.getByText('Events: push, create, pull_request')).toBeVisible()
  await expect(section.getByRole('link', { name: 'Add webhook on Gogs' })).toHaveAttribute(
    'href',
    connection.hook.manual.page,
  )
  await expect(section.getByRole('link', { name: 'Connect again' })).toHaveAttribute('href', '/login')
  await expect(section.getByText('183 KB')).toBeVisible()
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await fitsWidth(page)
  }
})

test('reconnecting returns to the settings @system', async ({ page, host, go }) => {
  withRepo(host, { link, permissions: administers })
  host.on(path, ok(connection)).on('GET /login', { status: 200, text: 'the forge' })
  await go('/octocat/hello/settings')
  await page.getByRole('link', { name: 'Connect again' }).click()
  await expect(page.getByText('the forge')).toBeVisible()
  await go('/')
  await expect(page).toHaveURL(`${host.origin}/octocat/hello/settings`)
})

test('nothing is requested for a local repository, or without admin access @system', async ({ page, host, go }) => {
  for (const overrides of [
    { link: 'file:///srv/hello', permissions: administers },
    { link, permissions: { ...administers, admin: false } },
  ]) {
    withRepo(host, overrides)
    await go('/octocat/hello/settings')
    await expect(page.getByRole('heading', { name: 'Disable repository' })).toBeVisible()
    await expect(page.getByText('Connection to Gogs')).toHaveCount(0)
  }
  expect(host.made(path)).toHaveLength(0)
})

test('an administrator fetches manually and repairs the webhook; errors are shown @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { link, permissions: administers })
  const calls = { fetch: 'POST /api/repos/octocat/hello/forge/fetch', repair: 'POST /api/repos/octocat/hello/repair' }
  host.on(path, ok(connection)).on(calls.fetch, { status: 204 }).on(calls.repair, fail(502, 'Gogs: refused'))
  await go('/octocat/hello/settings')
  const section = page.getByRole('region', { name: 'Connection to Gogs' })
  await expect(section.getByText('Last fetch: ')).toBeVisible()
  host.on(path, ok({ ...connection, mirror: { ...connection.mirror, bytes: 5_000_000 } }))
  await section.getByRole('button', { name: 'Fetch now' }).click()
  await toastShows(page, 'The repository has been fetched')
  await expect(section.getByText('5 MB')).toBeVisible()
  await section.getByRole('button', { name: 'Repair webhook' }).click()
  await toastShows(page, 'Unable to repair the connection: Gogs: refused')
})

test('a sync shows its progress, then what failed and what it skipped @system', async ({ page, host, go }) => {
  withRepo(host, { link })
  host.on('GET /api/user', ok(data.user({ syncing: true })))
  const state = { syncing: true, synced: 0, error: '', refused: [], refused_count: 0 }
  host.on('GET /api/user/sync', ok({ ...state, done: 3200, total: 12_000 }))
  await go('/')
  await expect(page.getByText('Synchronizing… 3200 of 12\u2009000 repositories')).toBeVisible()
  host.on('GET /api/user', ok(data.user({ synced: data.now })))
  const refused = ['acme/a b: its name can’t be used in an address']
  host.on('GET /api/user/sync', ok({ ...state, error: 'Gogs does not answer.', refused, refused_count: 3 }))
  await go('/')
  await expect(page.getByText('The last sync with Gogs failed: Gogs does not answer.')).toBeVisible()
  await page.getByText('3 repositories are not in this list').click()
  await expect(page.getByText(refused[0] ?? '')).toBeVisible()
  await expect(page.getByText('and 2 repositories more')).toBeVisible()
})
