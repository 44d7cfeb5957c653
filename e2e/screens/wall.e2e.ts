/** The wall of a signed-in user. */
import type { Build, Repo } from '@flightdeck/api'
import { data, expect, fail, ok, ours, signedInAs, test } from '../support/screens.ts'

const repo = (id: number, slug: string, build: Partial<Build>): Repo => {
  const [namespace = '', name = ''] = slug.split('/')
  return { ...data.repo({ id, slug, namespace, name }), build: data.build({ id, ...build }) }
}
const cause = { stage: 1, step: 2, stage_name: 'unit', step_name: 'test', line: 12, text: 'expected 220, got 180' }
const running = { status: 'running', started: data.now - 60, finished: 0 } as const
const repos = [
  repo(1, 'acme/web', { status: 'success' }),
  repo(2, 'acme/shop', { status: 'failure', number: 7, cause }),
  repo(3, 'infra/cluster', running),
]

test('shows failed builds first, with the cause, and the repositories in the URL', async ({ page, host, go }) => {
  signedInAs(host, ours)
  host.on('GET /api/user/repos', ok(repos))
  host.on(
    'GET /api/repos/infra/cluster/builds/42/usual',
    ok({ build: { count: 9, median: 120, low: 100, high: 140 }, steps: [] }),
  )
  await go('/builds-feed')
  await page.getByRole('button', { name: 'Wall' }).click()
  await expect(page).toHaveTitle(/^Wall/)
  const tiles = page.getByRole('list', { name: '3 repositories' }).getByRole('listitem')
  await expect(tiles.getByRole('heading')).toHaveText(['acme/shop', 'infra/cluster', 'acme/web'])
  await expect(tiles.first()).toContainText('failure')
  await expect(tiles.first()).toContainText('test: expected 220, got 180')
  await expect(page.getByRole('status').filter({ hasText: '1 failing' })).toContainText('1 running')
  await expect(page.getByRole('progressbar', { name: 'Progress of #42' })).toBeVisible()

  await page.getByRole('button', { name: 'Choose repositories' }).press('Enter')
  await page.getByLabel('acme/web').check()
  await page.getByLabel('Filter').fill('infra')
  await page.getByLabel('infra/cluster').check()
  await page.getByRole('button', { name: 'Show 2 repositories' }).click()
  await expect(page).toHaveURL(/\/wall\?repos=acme\/web,infra\/cluster$/)
  await expect(page.getByRole('list', { name: '2 repositories' }).getByRole('heading')).toHaveText([
    'infra/cluster',
    'acme/web',
  ])
  await page.goBack()
  await expect(tiles).toHaveCount(3)
  await tiles.first().getByRole('link').click()
  await expect(page).toHaveURL(/\/acme\/shop\/7$/)
})

test('shows a saved view of the feed, and says which one does not exist @system', async ({ page, host, go }) => {
  const view = { list: 'feed', name: 'My acme', query: 'text=acme', default: false } as const
  signedInAs(host, { ...ours, views: [view] })
  host.on('GET /api/user/repos', ok(repos))
  await go('/wall?view=My%20acme')
  await expect(page.getByRole('heading', { name: 'My acme' })).toBeVisible()
  await expect(page.getByRole('list', { name: '2 repositories' }).getByRole('heading')).toHaveText([
    'acme/shop',
    'acme/web',
  ])
  await go('/wall?view=Other')
  await expect(page.getByText('You have no view “Other”')).toBeVisible()
})

test('many repositories fit the screen, page by page @system', async ({ page, host, go }) => {
  signedInAs(host, ours)
  await page.setViewportSize({ width: 1440, height: 900 })
  const many = Array.from({ length: 30 }, (_, index) => repo(index + 1, `acme/r${10 + index}`, { status: 'success' }))
  host.on('GET /api/user/repos', ok(many))
  await go('/wall')
  await expect(page.getByRole('listitem')).toHaveCount(24)
  await expect(page.getByRole('heading', { name: 'acme/r33' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(6)
  await page.keyboard.press('PageUp')
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
})

test('without a response it shows the reason, and what to do next', async ({ page, host, go }) => {
  signedInAs(host, ours)
  host.on('GET /api/user/repos', fail(500, 'database is locked'))
  await go('/wall')
  await expect(page.getByText('database is locked')).toBeVisible()
  host.on('GET /api/user/repos', ok([]))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No repositories to show')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose repositories' })).toHaveCount(1)
})
