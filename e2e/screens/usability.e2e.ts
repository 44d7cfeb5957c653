/** Small details that confused a new user. */
import type { Page } from '@playwright/test'
import { data, expect, ok, styleOf, test, withBuild, withRepo } from '../support/screens.ts'

const executions = (page: Page) => page.getByRole('region', { name: 'Executions' })
const log = '/api/repos/octocat/hello/builds/42/logs/1/1'

test('the search key searches the log of the page, and jumps to the first hit while typing', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host.on(`GET ${log}`, ok(data.lines(1000, (index) => (index % 400 === 10 ? `needle ${index}` : `hay ${index}`))))
  await go('/octocat/hello/42')
  await expect(page.getByText('hay 999', { exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Find in log' })).toBeFocused()
  await page.keyboard.type('needle')
  const bar = page.getByRole('search', { name: 'Find in log' })
  await expect(bar.locator('output')).toHaveText(/ of 3$/)
  await expect(page.getByRole('log').locator('mark[data-current]')).toBeInViewport()
})

test('a new build opens at the view in its URL, as a deployment does @system', async ({ page, host, go }) => {
  withRepo(host)
  const parameters = JSON.stringify([{ key: 'LEVEL', value: '3' }])
  await go(`/octocat/hello?${new URLSearchParams({ target: 'side', parameters })}`)
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await expect(dialog.getByLabel('Branch')).toHaveValue('side')
  await expect(dialog).toContainText('LEVEL')
  await go('/octocat/hello')
  await expect(page.getByRole('button', { name: 'New Build' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
})

test('the row of a failed build keeps the space after its reason @system', async ({ page, host, go }) => {
  withRepo(host, {}, [data.build({ status: 'error', error: 'the file is wrong' })])
  await go('/octocat/hello')
  const rest = executions(page).locator('span', { hasText: /^ · / }).first()
  expect(await styleOf(rest, 'white-space')).toBe('pre')
})

test('tags and pull requests have separate icons @system', async ({ page, host, go }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  withRepo(host, {}, [
    data.build({ number: 3, id: 3, event: 'tag', ref: 'refs/tags/v1.2.0' }),
    data.build({ number: 2, id: 2, event: 'pull_request', ref: 'refs/pull/7/head' }),
    data.build({ number: 1, id: 1 }),
  ])
  await go('/octocat/hello')
  const rows = executions(page).getByRole('link')
  await expect(rows.first()).toContainText('v1.2.0')
  const icons = await Promise.all(
    ['v1.2.0', 'main', 'main'].map((ref, index) =>
      rows.nth(index).locator('span', { hasText: ref }).locator('svg').first().innerHTML(),
    ),
  )
  expect(new Set(icons).size).toBe(3)
})

test('deployments name their author, and whether it was a rollback @system', async ({ page, host, go }) => {
  withRepo(host)
  const by = { parent: 7, actor: 'wes', author_login: 'octocat' }
  host.on(
    'GET /api/repos/octocat/hello/builds/deployments',
    ok([
      data.build({ number: 9, id: 9, event: 'promote', deploy_to: 'production', ...by }),
      data.build({ number: 8, id: 8, event: 'rollback', deploy_to: 'staging', ...by }),
    ]),
  )
  await go('/octocat/hello/deployments')
  await expect(page.getByRole('link', { name: /production/ })).toContainText('Promoted from #7 by wes')
  await expect(page.getByRole('link', { name: /staging/ })).toContainText('Rolled back from #7 by wes')
})

test('a pull request shows its fork, and links to its build and to the forge @system', async ({ page, host, go }) => {
  withRepo(host)
  const link = 'https://git.example.com/octocat/hello/pulls/7'
  const pull = { event: 'pull_request', ref: 'refs/pull/7/head', title: 'Fix it', link, source: 'fix' } as const
  host.on(
    'GET /api/repos/octocat/hello/builds/pulls',
    ok([data.build({ number: 9, id: 9, ...pull, source_repo: 'ann/hello' })]),
  )
  await go('/octocat/hello')
  await page.getByRole('link', { name: 'Pull requests' }).click()
  const row = page.getByRole('link', { name: /Fix it/ })
  await expect(row).toContainText('#7')
  await expect(row).toContainText('from ann/hello:fix to main')
  await expect(row).toHaveAttribute('href', '/octocat/hello/9')
  await expect(page.getByRole('link', { name: 'Open pull request #7' })).toHaveAttribute('href', link)
  await page.setViewportSize({ width: 390, height: 844 })
  await go('/octocat/hello/pulls')
  await expect(page.getByRole('link', { name: 'Pull requests' })).toBeInViewport({ ratio: 1 })
  const next = data.build({ number: 10, id: 10, ...pull, title: 'Fix it well', status: 'running', finished: 0 })
  await host.push('/api/stream', { ...data.repo(), build: next })
  await expect(page.getByRole('link', { name: /Fix it well/ })).toHaveAttribute('href', '/octocat/hello/10')
  await expect(row).toHaveCount(1)
})

test('the chart is one tab stop, with arrow keys inside @system', async ({ page, host, go }) => {
  withRepo(
    host,
    {},
    [3, 2, 1].map((number) => data.build({ number, id: number })),
  )
  await go('/octocat/hello')
  const bars = page.getByRole('region', { name: 'Durations of the last builds' }).getByRole('link')
  await expect(bars).toHaveCount(3)
  await expect(bars.and(page.locator('[tabindex="0"]'))).toHaveCount(1)
  await bars.last().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(bars.nth(1)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(bars.first()).toBeFocused()
  await expect(bars.and(page.locator('[tabindex="0"]'))).toHaveCount(1)
})

test('a link to a step opens its log on a phone @system', async ({ page, host, go }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  withBuild(
    host,
    data.detail({ stages: [data.stage({ steps: [data.step(), data.step({ number: 2, name: 'lint' })] })] }),
  )
  await go('/octocat/hello/42/1/2')
  await expect(page.getByRole('dialog').getByText('line 3', { exact: true })).toBeVisible()
})

test('the builds of a branch link back to all branches', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/branches/main')
  await page.getByRole('link', { name: 'All branches' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/branches$/)
})

test('robots.txt excludes crawlers', async ({ page, host }) => {
  const answer = await page.request.get(`${host.origin}/robots.txt`)
  expect([answer.status(), await answer.text()]).toEqual([200, 'User-agent: *\nDisallow: /\n'])
})
