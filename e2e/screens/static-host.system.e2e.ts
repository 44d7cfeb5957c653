/**
 * `web/dist` on a plain file server: chunks of an older build, and a build for an API of a
 * different origin with a token.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test as base } from '@playwright/test'
import { Host, fail, ok } from '../support/host.ts'
import { data, withBuild, withRepo } from '../support/screens.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const token = 'b3arer of the build'

/** Pages on one origin, the API on another; the build has both settings. */
const test = base.extend<object, { api: Host; pages: Host }>({
  api: [
    async ({}, use) => {
      const api = await new Host().listen()
      await use(api)
      await api.close()
    },
    { scope: 'worker' },
  ],
  pages: [
    async ({ api }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'flightdeck-static-'))
      await promisify(execFile)(
        process.execPath,
        [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', folder, '--logLevel', 'warn'],
        {
          cwd: root,
          env: { ...process.env, NODE_ENV: 'production', VITE_SERVER_URL: `${api.origin}/`, VITE_TOKEN: token },
        },
      )
      const pages = await new Host(folder).listen()
      await use(pages)
      await pages.close()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('[S6.roles.9] [S6.roles.10] [S7.calls.1] [S7.calls.2] a build for another origin with a token sends everything there, with the token', async ({
  page,
  api,
  pages,
  context,
}) => {
  await context.addCookies([{ name: '_session_', value: 'abc', url: api.origin }])
  const running = data.running()
  withBuild(api, running)
  api
    .on('GET /api/user', ok(data.user()))
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
    .on('GET /login', { status: 200, text: 'the source-control system' })
  await page.goto(`${pages.origin}/octocat/hello/42`)
  await api.push('/api/stream/octocat/hello/42/1/1', { pos: 0, out: 'from afar\n', time: 0 })
  await expect(page.getByText('from afar')).toBeVisible()
  await api.push('/api/stream', {
    ...data.repo(),
    build: { ...running, status: 'success', finished: data.now, version: 9 },
  })
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('success')
  expect(pages.calls).toEqual([])
  for (const call of api.calls) {
    expect(call.headers.cookie, call.path).toContain('_session_=abc')
    if (call.path.startsWith('/api/stream')) expect(call.query).toBe(`?${new URLSearchParams({ access_token: token })}`)
    else {
      expect(call.headers.authorization, call.path).toBe(`Bearer ${token}`)
      expect(call.query).not.toContain('access_token')
    }
  }

  await page.goto(`${pages.origin}/account`)
  const main = page.getByRole('main')
  await expect(main).toContainText(`export DRONE_SERVER=${api.origin}\n`)
  await expect(main).toContainText(`${api.origin}/api/user`)
  await expect(page.getByRole('link', { name: 'Logout' })).toHaveAttribute('href', `${api.origin}/logout`)
  withRepo(api)
  await page.goto(`${pages.origin}/octocat/hello/settings/badges`)
  await expect(page.locator('img[src*="status.svg"]')).toHaveAttribute(
    'src',
    `${api.origin}/api/badges/octocat/hello/status.svg`,
  )
  await expect(main).toContainText(`${api.origin}/api/badges/octocat/hello/cc.xml`)
  await expect(main).toContainText(`(${pages.origin}/octocat/hello)`)
  await page.goto(`${pages.origin}/login/form`)
  await expect(page.locator('form')).toHaveAttribute('action', `${api.origin}/login`)
  await page.goto(`${pages.origin}/welcome`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${api.origin}/login`)
})

test('every URL works on a file server that falls back to index.html, also names with dots', async ({
  page,
  api,
  pages,
}) => {
  withRepo(api, { name: 'web.site.js', slug: 'octocat/web.site.js' })
  api.on('GET /api/user', ok(data.user()))
  await page.goto(`${pages.origin}/octocat/web.site.js`)
  await expect(page.getByRole('heading', { level: 1, name: 'web.site.js' })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Executions')).toBeVisible()
})

test('a page that requests a chunk of an older build reloads once', async ({ page, api, pages }) => {
  withRepo(api)
  api.on('GET /api/user', ok(data.user())).on('POST /api/user/token', fail(500, 'x'))
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(`${pages.origin}/octocat/hello`)
  await expect(page.getByText('Executions')).toBeVisible()
  expect(loads).toBe(1)
  // A newer build replaced it: the file server returns index.html for the old chunks.
  const isRemovedFile = (address: URL) => /account-page.*\.js$/.test(address.pathname)
  await page.route(isRemovedFile, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.getByRole('link', { name: 'Account' }).click()
  await expect.poll(() => loads).toBe(2)
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  expect(loads).toBe(2)
  await page.unroute(isRemovedFile)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
})
