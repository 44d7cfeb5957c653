/** The dashboard: the strip of the last twelve builds in each row. */
import type { Page } from '@playwright/test'
import { data, expect, ok, ours, signedInAs, test } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const read = 'GET /api/user/builds/last'
const rows = (page: Page) => page.getByRole('region', { name: 'Repositories' }).getByRole('link')
const strips = (page: Page) => page.getByRole('button', { name: /^Last (\d+ )?builds?:/ })
const tip = (page: Page) => page.getByRole('region', { name: 'Repositories' }).getByRole('status')

const twelve = Array.from({ length: 12 }, (_, index) =>
  data.lastBuild(42 - index, index === 0 || index === 5 ? 'failure' : 'success'),
)

/** Three repositories with builds and one without. */
const four = (host: Host): Host => {
  const named = (id: number, name: string) => data.repo({ id, name, build: data.build({ created: data.now - id }) })
  const repos = [named(1, 'hello'), named(2, 'tool'), named(3, 'young'), data.repo({ id: 4, name: 'new' })]
  return signedInAs(host, ours)
    .on('GET /api/user/repos', ok(repos))
    .on(
      read,
      ok([
        { id: 1, builds: twelve },
        { id: 2, builds: twelve.map((build) => ({ ...build, status: 'success' })) },
        { id: 3, builds: [data.lastBuild(1, 'killed')] },
      ]),
    )
}

test('one request serves all rows; a bar shows its build on hover and opens it on click', async ({
  page,
  host,
  go,
}) => {
  four(host)
  // Times move when their text changes.
  host.time = () => new Date(data.now * 1000)
  await page.clock.setFixedTime(data.now * 1000)
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  const before = await rows(page).first().locator('time').boundingBox()
  await page.mouse.move(1, 1)
  await expect(strips(page)).toHaveCount(3)
  expect(await rows(page).first().locator('time').boundingBox(), 'nothing moved').toEqual(before)
  expect(host.made(read).map(({ query }) => query)).toEqual(['?repos=1%2C2%2C3'])
  await expect(strips(page).nth(0)).toHaveAccessibleName('Last 12 builds: 10 passed, 2 failed')
  await expect(strips(page).nth(2)).toHaveAccessibleName('Last build: killed')
  const box = await strips(page).nth(0).boundingBox()
  if (!box) throw new Error('no strip')
  // The sixth bar from the right.
  await page.mouse.move(box.x + 6 * 7 + 2, box.y + 20)
  await expect(tip(page)).toContainText('#37 failed · Fix the parser')
  await page.mouse.down()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/octocat\/hello\/37/)
})

test('keys move through the builds @system', async ({ page, host, go }) => {
  four(host)
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('Tab')
  await expect(strips(page)).toHaveCount(3)
  await rows(page).first().focus()
  await page.keyboard.press('Tab')
  await expect(strips(page).first()).toBeFocused()
  await expect(tip(page)).toContainText('#42 failed')
  await page.keyboard.press('ArrowLeft')
  await expect(tip(page)).toContainText('#41 passed')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(tip(page)).toContainText('#31 passed')
  await page.keyboard.press('Escape')
  await expect(tip(page)).toHaveCount(0)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/octocat\/hello\/42/)
})

test('a build event changes the strip without a request @system', async ({ page, host, go }) => {
  four(host)
  // After a stream that took long to open, the page reads everything again.
  await page.clock.setFixedTime(Date.now())
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(1, 1)
  await expect(strips(page)).toHaveCount(3)
  const event = (status: 'running' | 'success', version: number) =>
    host.push('/api/stream', {
      ...data.repo({ id: 1 }),
      build: data.running({
        number: 43,
        created: data.now,
        status,
        version,
        ...(status === 'success' && { finished: data.now }),
      }),
    })
  await event('running', 1)
  await expect(strips(page).first()).toHaveAccessibleName('Last 12 builds: 9 passed, 2 failed, 1 running')
  await event('success', 2)
  await expect(strips(page).first()).toHaveAccessibleName('Last 12 builds: 10 passed, 2 failed')
  expect(host.made(read)).toHaveLength(1)
})

test('there is no strip on a phone, and none with a Drone server @system', async ({ page, host, go }) => {
  four(host)
  await page.setViewportSize({ width: 390, height: 800 })
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(1, 1)
  await expect(page.getByRole('button', { name: 'Favorite octocat/hello' })).toBeVisible()
  await expect(strips(page)).toHaveCount(0)
  expect(host.made(read)).toHaveLength(0)
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(strips(page)).toHaveCount(3)
  signedInAs(host, {})
  await page.reload()
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(2, 2)
  await expect(page.getByLabel('Sort by')).toBeVisible()
  await expect(strips(page)).toHaveCount(0)
  expect(host.made(read)).toHaveLength(1)
})
