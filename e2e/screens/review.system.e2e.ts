/** Fields that a server can omit, a session that ends, and URLs that cannot exist. */
import type { Page } from '@playwright/test'
import {
  data,
  latch,
  expect,
  fail,
  notFound,
  ok,
  signedInAs,
  signedOut,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'

const errorsOf = (page: Page): string[] => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

test('a session that ended leaves nothing about the user in the sidebar', async ({ page, host, go }) => {
  signedInAs(host, { admin: true })
  withRepo(host)
  await go('/octocat/hello')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect(sidebar.getByRole('button', { name: 'Search' })).toBeVisible()
  signedOut(host)
  host.on('GET /api/repos/octocat/hello/builds/branches', fail(401, 'Unauthorized'))
  await page.getByRole('link', { name: 'Branches' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(sidebar.getByRole('link', { name: 'Click to sign in or sign up.' })).toHaveAttribute('href', '/welcome')
  await expect(sidebar.getByRole('button', { name: 'Search' })).toBeHidden()
  await expect(sidebar.getByRole('link', { name: 'Settings' })).toBeHidden()
  await expect(sidebar.getByRole('link', { name: 'Account' })).toBeHidden()
})

test('a session that ended leaves no list of repositories on the device', async ({ page, host, go }) => {
  withRepo(host)
  const storedRepos = () => page.evaluate(() => localStorage.getItem('flightdeck.kept-repos'))
  await go('/')
  await expect.poll(storedRepos).toContain('octocat/hello')
  signedOut(host)
  host.on('POST /api/user/token', fail(401, 'Unauthorized'))
  await page.getByRole('link', { name: 'Account' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect.poll(storedRepos).toBeNull()
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(await storedRepos()).toBeNull()
})

/** A build and its repository with as few fields as possible. */
const bareBuild = (over: object = {}) => ({
  id: 7,
  number: 42,
  status: 'failure',
  event: 'push',
  created: data.now - 120,
  ...over,
})
const bareRepo = { id: 1, namespace: 'octocat', name: 'hello', slug: 'octocat/hello', active: true, counter: 42 }
const bareStage = {
  id: 1,
  number: 1,
  name: 'unit',
  status: 'failure',
  steps: [{ id: 2, number: 1, name: 'test', status: 'failure', exit_code: 2 }],
}
const events = ['push', 'pull_request', 'tag', 'promote', 'rollback', 'cron', 'custom']

const bareScreens: [path: string, shows: string][] = [
  ['/', 'Recent Activity'],
  ['/builds-feed', 'Build #42'],
  ['/settings/users', 'mona'],
  ['/octocat/hello', 'Executions'],
  ['/octocat/hello/branches', 'Message'],
  ['/octocat/hello/deployments', 'Message'],
  ['/octocat/hello/pulls', 'Message'],
  ['/octocat/hello/settings', 'Configuration'],
  ['/octocat/hello/settings/cron', 'nightly'],
  ...events.map((_, index): [string, string] => [`/octocat/hello/${index + 1}`, 'Exit Code 2']),
]

test('fields that a server omits leave no gaps', async ({ page, host, go }) => {
  const errors = errorsOf(page)
  const base = '/api/repos/octocat/hello'
  host
    .on('GET /api/user', ok({ login: 'octocat', admin: true }))
    .on('GET /api/users', ok([{ id: 2, login: 'mona' }]))
    .on('GET /api/user/repos', ok([{ ...bareRepo, build: bareBuild() }]))
    .on('GET /api/user/builds/recent', ok([{ ...bareRepo, build: bareBuild({ status: 'running' }) }]))
    .on(`GET ${base}`, ok(bareRepo))
    .on(`GET ${base}/builds`, ok(events.map((event, index) => bareBuild({ event, number: index + 1 }))))
    .on(`GET ${base}/builds/branches`, ok([bareBuild()]))
    .on(`GET ${base}/builds/deployments`, ok([bareBuild({ event: 'promote' })]))
    .on(`GET ${base}/builds/pulls`, ok([bareBuild({ event: 'pull_request' })]))
    .on(`GET ${base}/cron`, ok([{ id: 1, name: 'nightly', expr: '@daily' }]))
  events.forEach((event, index) => {
    host
      .on(`GET ${base}/builds/${index + 1}`, ok(bareBuild({ event, number: index + 1, stages: [bareStage] })))
      .on(`GET ${base}/builds/${index + 1}/logs/1/1`, ok(null))
  })
  for (const [path, shows] of bareScreens) {
    await go(path)
    const main = page.getByRole('main')
    await expect.soft(main.getByText(shows).first(), path).toBeVisible()
    expect.soft(await main.innerText(), path).not.toMatch(/undefined|NaN|Invalid Date|could not be shown/)
  }
  expect(errors).toEqual([])
})

test('builds that are not found are requested once, also if they respond before the repository', async ({
  page,
  host,
  go,
}) => {
  const repo = withRepo(host)
  const { opened, open } = latch()
  const builds = '/api/repos/octocat/hello/builds'
  host.on(`GET ${builds}`, fail(404, 'Not Found')).on('GET /api/repos/octocat/hello', async () => {
    await opened
    return ok(repo)
  })
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === builds)
  await go('/octocat/hello')
  await (await answered).finished()
  open()
  await expect(page.getByText(notFound)).toBeVisible()
  await expect(page).toHaveURL(/\/404$/)
  await page.waitForLoadState('networkidle')
  expect(host.made(`GET ${builds}`)).toHaveLength(1)
})

test('each build starts with the stage in its URL open', async ({ page, host, go }) => {
  const stages = [data.stage(), data.stage({ number: 2, name: 'lint' })]
  withBuild(host, data.detail({ number: 41, stages }))
  withBuild(host, data.detail({ stages, event: 'promote', deploy_to: 'qa', parent: 41 }))
  const lint = page.getByRole('button', { name: 'lint' })
  await go('/octocat/hello/42')
  await expect(lint).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('link', { name: '#41' }).click()
  await expect(page).toHaveURL(/\/41$/)
  await lint.click()
  await expect(lint).toHaveAttribute('aria-expanded', 'true')
  await page.goBack()
  await expect(page).toHaveURL(/\/42$/)
  await expect(lint).toHaveAttribute('aria-expanded', 'false')
})

for (const path of ['/octocat/%zz', '/octocat/100%/5', '/%', '/octocat/hello/42/x', '/octocat/hello/0'])
  test(`${path}, a URL that cannot exist, is not found`, async ({ page, host }) => {
    const errors = errorsOf(page)
    await page.goto(`${host.origin}/404`)
    await page.evaluate((wanted) => location.replace(wanted), path)
    await page.waitForURL((url) => url.pathname === path)
    await expect(page.getByText(notFound)).toBeVisible()
    expect(errors).toEqual([])
  })
