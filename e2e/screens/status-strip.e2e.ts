/**
 * The dashboard: the counts beside "Recent Activity", each of which filters the list of
 * repositories.
 */
import type { Page } from '@playwright/test'
import { data, latch, expect, ok, test } from '../support/screens.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Repositories' }).getByRole('link')
const order = (page: Page) => rows(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const strip = (page: Page) => page.getByRole('group', { name: 'Show repositories' })
const button = (page: Page, name: string) => strip(page).getByRole('button', { name, exact: true })

const running = data.running({ created: data.now - 20 })
const finishedRepo = data.repo({ name: 'calm', build: data.build({ created: data.now - 10 }) })
const repos = [
  finishedRepo,
  data.repo({ id: 2, name: 'busy', build: running }),
  data.repo({
    id: 3,
    name: 'broken',
    build: data.build({ status: 'failure', created: data.now - 30, author_login: 'someone', actor: 'someone' }),
  }),
  data.repo({ id: 4, name: 'mine', build: data.build({ status: 'error', created: data.now - 40, actor: 'octocat' }) }),
  data.repo({ id: 5, name: 'gate', build: data.build({ status: 'blocked', created: data.now - 50, finished: 0 }) }),
]

test('each count filters the list, also with a filter, after a reload and at a live event @system', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', ok(repos))
  await go('/')
  await expect(rows(page).first()).toBeVisible()
  await page.mouse.move(1, 1)
  await expect(strip(page).getByRole('button')).toHaveText([
    /2 failing$/,
    /1 failing \(mine\)$/,
    /1 waiting for me$/,
    /1 running$/,
  ])
  await button(page, '1 failing (mine)').click()
  await expect.poll(() => order(page)).toEqual(['/octocat/mine'])
  await button(page, '1 waiting for me').click()
  await expect.poll(() => order(page)).toEqual(['/octocat/gate'])
  await button(page, '2 failing').click()
  await expect.poll(() => order(page)).toEqual(['/octocat/broken', '/octocat/mine'])
  await expect(page).toHaveURL(`${host.origin}/?show=failing`)
  await page.getByLabel('Filter').fill('o')
  await page.getByLabel('Filter').fill('bro')
  await expect(page).toHaveURL(`${host.origin}/?show=failing&filter=bro`)
  await page.reload()
  // Immediately, without input, because the list is filtered.
  await expect(button(page, '2 failing')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => order(page)).toEqual(['/octocat/broken'])
  await button(page, '1 running').click()
  await expect(page.getByText('No repositories match')).toBeVisible()
  await page.getByRole('button', { name: 'Show all repositories' }).click()
  await expect(rows(page)).toHaveCount(repos.length)
  await expect(page).toHaveURL(`${host.origin}/`)
  await host.push('/api/stream', {
    ...data.repo({ id: 2, name: 'busy' }),
    version: 9,
    build: { ...running, status: 'failure', finished: data.now, version: 9 },
  })
  await expect(button(page, '3 failing')).toHaveAttribute('aria-pressed', 'false')
  await expect(button(page, '1 running')).toHaveCount(0)
})

test('counts load at the first input @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok(repos))
  await go('/')
  await expect(rows(page)).toHaveCount(repos.length)
  await expect(page.getByLabel('Sort by')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await expect(button(page, '2 failing')).toBeVisible()
})

test('no counts if all builds are successful @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', ok([finishedRepo]))
  await go('/')
  await expect(rows(page).first()).toBeVisible()
  await page.mouse.move(1, 1)
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await expect(strip(page).getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')).toHaveCount(1)
})

test('large counts on a narrow screen scroll beside the heading, not over it @system', async ({ page, host, go }) => {
  const statuses = ['failure', 'blocked', 'running'] as const
  const many = Array.from({ length: 300 }, (_, index) =>
    data.repo({ id: index, name: `r${index}`, build: data.build({ id: index, status: statuses[index % 3] }) }),
  )
  host.on('GET /api/user/repos', ok(many))
  await page.setViewportSize({ width: 320, height: 700 })
  await go('/')
  await expect(rows(page).first()).toBeVisible()
  await page.mouse.move(1, 1)
  const last = button(page, '100 running')
  await last.click()
  const heading = await page.getByRole('heading', { name: 'Recent Activity' }).boundingBox()
  const box = await strip(page).boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual((heading?.x ?? 0) + (heading?.width ?? 0))
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
  await expect(last).toBeInViewport({ ratio: 0.95 })
})

for (const hasTouch of [false, true])
  test.describe(hasTouch ? 'with a finger' : 'with a mouse', () => {
    test.use({ hasTouch, isMobile: hasTouch, viewport: { width: 390, height: 800 } })
    test(`nothing moves when the counts arrive @system`, async ({ page, host }) => {
      host.on('GET /api/user/repos', ok(repos))
      const { opened, open } = latch()
      await page.route('**/assets/list-tools-*.js', async (route) => {
        await opened
        await route.continue()
      })
      await page.goto(host.origin)
      await expect(rows(page)).toHaveCount(repos.length)
      await page.mouse.move(1, 1)
      const card = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem').first()
      await expect(strip(page)).toHaveCount(0)
      const before = [await card.boundingBox(), await rows(page).first().boundingBox()]
      open()
      await expect(strip(page)).toBeVisible()
      expect([await card.boundingBox(), await rows(page).first().boundingBox()]).toEqual(before)
    })
  })
