/**
 * Browsers allow six connections to a host across all tabs, so the tabs share one connection to
 * `/api/stream`.
 */
import type { Page } from '@playwright/test'
import type { Build } from '@flightdeck/api'
import { data, expect, ok, test } from '../support/screens.ts'

const icon = (page: Page, status: string) => page.getByRole('main').getByRole('img', { name: status, exact: true })

test('ten tabs load, share one event stream, and continue when the tab that held it closes', async ({
  page,
  host,
  go,
}) => {
  const build = data.build({ status: 'running', finished: 0 })
  host.on('GET /api/user/repos', ok([data.repo({ build })]))
  await go('/')
  await host.reader('/api/stream')
  const others = []
  for (let count = 0; count < 9; count++) {
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect(icon(other, 'running').first()).toBeVisible()
    others.push(other)
  }
  expect(host.readers('/api/stream')).toBe(1)
  const killed: Build = { ...build, status: 'killed', finished: data.now, version: 9 }
  await host.push('/api/stream', { ...data.repo(), version: 9, build: killed })
  for (const tab of [page, ...others]) await expect(icon(tab, 'killed').first()).toBeVisible()

  const after: Build = { ...build, status: 'success', finished: data.now, version: 10 }
  host.on('GET /api/user/repos', ok([data.repo({ version: 10, build: after })]))
  await page.close()
  // The next tab opens it again, and reads what it may have missed.
  await expect(icon(others[0] ?? page, 'success').first()).toBeVisible()
  await host.reader('/api/stream')
  expect(host.readers('/api/stream')).toBe(1)
})
