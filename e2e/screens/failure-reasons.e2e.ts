/** Rows of failed builds show the reason. */
import type { Page } from '@playwright/test'
import type { Build } from '@flightdeck/api'
import { box, data, expect, fitsWidth, ok, ours, signedInAs, test, withBuild } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello'
const words = 'AssertionError [ERR_ASSERTION]: 3 !== 4'
const cause = { stage: 1, step: 1, stage_name: 'unit', step_name: 'test', line: 5, text: words }
const failedLog = data.lines(442, (i) => (i === 4 ? `  ${words}` : `ok ${i} - works`))
const broken = (more: Partial<Build> = {}): Build => ({
  ...data.oneStage({ status: 'failure' }, { status: 'failure', exit_code: 1, name: 'test' }, 'failure'),
  ...more,
})
const serveBuild = (host: Host, build: Build) => {
  withBuild(host, build)
  const { stages: _, ...listed } = build
  const repo = { ...data.repo(), build: listed }
  host
    .on(`GET ${base}/builds/42/logs/1/1`, ok(failedLog))
    .on('GET /api/user/repos', ok([repo]))
    .on('GET /api/user/builds/recent', ok([repo]))
    .on(`GET ${base}/builds`, ok([listed, data.build({ id: 6, number: 41 })]))
}
const executions = (page: Page) => page.getByRole('region', { name: 'Executions' }).getByRole('link')
const log = (page: Page) => page.getByRole('log')

for (const [width, height] of [
  [1440, 53],
  [768, 53],
  [390, 100],
] as const)
  test(`the row of a failed build names the step and the error line, and links to it (${width} px)${width === 390 ? '' : ' @system'}`, async ({
    page,
    host,
    go,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    signedInAs(host, ours)
    serveBuild(host, broken({ cause }))
    await go('/octocat/hello')
    const row = executions(page).first()
    await expect(row).toContainText(`test: ${words}`)
    await expect(executions(page).nth(1)).not.toContainText(words)
    expect((await box(row)).height).toBeLessThanOrEqual(height)
    // The texts after the reason fill its lines.
    if (width === 390) await expect(row.getByText('· Push', { exact: false })).toHaveCSS('white-space', 'normal')
    await fitsWidth(page)
    await row.click()
    await expect(page).toHaveURL(/\/octocat\/hello\/42\/1\/1#L5$/)
    await expect(log(page).locator('[data-telling]')).toContainText('3 !== 4')
    await expect(log(page).locator('[data-telling]')).toBeInViewport()
    await expect(log(page).locator('[data-line]')).toHaveCount(442)
    await page.goBack()
    await expect(executions(page).first()).toBeVisible()
  })

test('the feed and the dashboard show the reason as well @system', async ({ page, host, go }) => {
  signedInAs(host, ours)
  serveBuild(host, broken({ cause }))
  await go('/builds-feed')
  const item = page.getByRole('main').getByRole('listitem').filter({ hasText: words }).getByRole('link')
  await expect(item).toHaveAttribute('href', '/octocat/hello/42/1/1#L5')
  // A narrow window has no column for the branch, so that the reason has room.
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(item.getByText('main', { exact: true }).filter({ visible: true })).toHaveCount(1)
    // In pixels; a column of branches would leave 238.
    if (width === 768) expect((await box(item.getByText('octocat/hello #42'))).width).toBeGreaterThan(350)
  }
  await page.setViewportSize({ width: 1440, height: 844 })
  await go('/')
  const card = page.getByRole('region', { name: 'Recent Activity' }).getByRole('link')
  await expect(card).toContainText(words)
  await expect(card).toHaveAttribute('href', '/octocat/hello/42/1/1#L5')
  // A row of the list opens its repository, not the reason.
  const row = page.getByRole('main').locator('a[href="/octocat/hello"]')
  await expect(row).toContainText(`#42 test: ${words}`)
  expect((await box(row)).height).toBeLessThanOrEqual(53)
})

test('with another server rows show the causes of builds that were opened since the page loaded @system', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, broken())
  await go('/octocat/hello')
  await expect(executions(page).first()).not.toContainText('AssertionError')
  await expect(executions(page).first()).toHaveAttribute('href', '/octocat/hello/42')
  await executions(page).first().click()
  await expect(log(page).locator('[data-telling]')).toBeInViewport()
  await page.goBack()
  await expect(executions(page).first()).toContainText(`test: ${words}`)
  await expect(executions(page).first()).toHaveAttribute('href', '/octocat/hello/42/1/1#L5')
  // The page remembers it only until a reload.
  await page.reload()
  await expect(executions(page).first()).toBeVisible()
  await expect(executions(page).first()).not.toContainText('AssertionError')
})

test('the feed shows my builds, what waits for me, or all; the choice stays in the address @system', async ({
  page,
  host,
  go,
}) => {
  const of = (number: number, more: object) => ({ ...data.repo(), build: data.build({ number, id: number, ...more }) })
  const waits = { status: 'blocked' as const, finished: 0, title: 'Wait for a word', author_login: 'ann' }
  host
    .on('GET /api/user/repos', ok([data.repo()]))
    .on(
      'GET /api/user/builds/recent',
      ok([
        of(3, waits),
        of(2, { title: 'Mine alone', author_login: data.user().login }),
        of(1, { title: 'Of others', author_login: 'ann' }),
      ]),
    )
  await go('/builds-feed')
  const rows = page.getByRole('main').getByRole('region').getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Waiting for me (1)' }).press('Enter')
  await expect(page).toHaveURL(/\?show=waiting$/)
  await expect(rows).toHaveText([/Wait for a word/])
  await page.getByRole('button', { name: 'My builds' }).click()
  await expect(rows).toHaveText([/Mine alone/])
  await page.reload()
  await expect(rows).toHaveText([/Mine alone/])
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect(rows).toHaveCount(3)
})
