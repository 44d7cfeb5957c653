/** Home: favorites and the order of the list. */
import type { Page } from '@playwright/test'
import { data, expect, ok, ours, signedInAs, test } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Repositories' }).getByRole('link')
const order = (page: Page) => rows(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const star = (page: Page, name: string) => page.getByRole('button', { name: `Favorite octocat/${name}` })

const four = (host: Host): Host =>
  host.on(
    'GET /api/user/repos',
    ok([
      data.repo({ id: 1, name: 'calm', build: data.build({ status: 'success', created: data.now - 10 }) }),
      data.repo({ id: 2, name: 'busy', build: data.build({ status: 'running', created: data.now - 20, finished: 0 }) }),
      data.repo({
        id: 3,
        name: 'broken',
        build: data.build({ status: 'failure', created: data.now - 30, author_login: 'someone', actor: 'someone' }),
      }),
      data.repo({
        id: 4,
        name: 'tool',
        namespace: 'acme',
        slug: 'acme/tool',
        build: data.build({ status: 'success', created: data.now - 40 }),
      }),
    ]),
  )

test('a favorite goes to the top, by star or by key, and stays there @system', async ({ page, host, go }) => {
  signedInAs(four(host), ours)
  host
    .on('PUT /api/user/favorites/octocat/broken', { status: 204 })
    .on('DELETE /api/user/favorites/octocat/broken', { status: 204 })
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(1, 1)
  await expect(star(page, 'broken')).toHaveAttribute('aria-pressed', 'false')
  await star(page, 'broken').click()
  await expect(star(page, 'broken')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => order(page)).toEqual(['/octocat/broken', '/octocat/calm', '/octocat/busy', '/acme/tool'])
  expect(host.made('PUT /api/user/favorites/octocat/broken')).toHaveLength(1)
  signedInAs(host, { ...ours, favorites: ['octocat/broken'] })
  await page.reload()
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(2, 2)
  await expect.poll(() => order(page)).toEqual(['/octocat/broken', '/octocat/calm', '/octocat/busy', '/acme/tool'])
  await expect(star(page, 'broken')).toHaveAttribute('aria-pressed', 'true')
  await rows(page).first().focus()
  await page.keyboard.press('s')
  await expect.poll(() => order(page)).toEqual(['/octocat/calm', '/octocat/busy', '/octocat/broken', '/acme/tool'])
  await expect(page.locator(':focus')).toHaveAttribute('href', '/octocat/broken')
})

test('a server without favorites shows no stars; the order needs only the list @system', async ({ page, host, go }) => {
  four(host)
  await go('/')
  await expect(rows(page)).toHaveCount(4)
  await page.mouse.move(1, 1)
  await page.getByLabel('Sort by').selectOption('Name')
  await expect.poll(() => order(page)).toEqual(['/acme/tool', '/octocat/broken', '/octocat/busy', '/octocat/calm'])
  await page.getByLabel('Sort by').selectOption('Status')
  await page.reload()
  await expect.poll(async () => (await order(page))[0]).toBe('/octocat/broken')
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByRole('button', { name: /^Favorite / })).toHaveCount(0)
})
