/** A long repository list from Flightdeck: its first rows immediately, the rest in parts. */
import type { Page } from '@playwright/test'
import type { Repo, TopOfRepos } from '@flightdeck/api'
import { packRepos } from '@flightdeck/api/repo-columns'
import { data, latch, expect, fail, ok, signedInAs, test } from '../support/screens.ts'
import type { Handler, Host } from '../support/host.ts'

const total = 1_200
const perPart = 500

/** Newest first; every hundredth one is inactive. */
const all: readonly Repo[] = Array.from({ length: total }, (_, n) => {
  const name = `repo-${String(n).padStart(4, '0')}`
  const build = data.build({ id: n + 1, repo_id: n + 1, created: data.now - n, message: `Change ${n}`, version: 2 })
  return data.repo({ id: n + 1, name, slug: `octocat/${name}`, active: n % 100 !== 99, version: 2, build })
})

const partOf = (path: string): number => Number(path.slice(path.lastIndexOf('/') + 1))
const columnsOf = (part: number) => [packRepos(all.slice(part * perPart, (part + 1) * perPart))]

/** Responds like Flightdeck; each part waits for `before`. */
function withLongList(host: Host, before: Promise<unknown> = Promise.resolve()): void {
  const top: TopOfRepos = {
    total,
    active: all.filter(({ active }) => active).length,
    repos: [...all.slice(0, 50), ...all.filter(({ active }) => !active).slice(0, 6)],
    list: 'abc',
    parts: Math.ceil(total / perPart),
  }
  host.on('GET /api/user/repos', ({ headers }) => ok(headers.accept?.includes('flightdeck.top') ? top : all))
  eachPart(host, async ({ path }) => {
    await before
    return ok(columnsOf(partOf(path)))
  })
}
/** The dashboard with its first rows; the rest waits for the latch. */
async function firstRows(host: Host, go: (path: string) => Promise<void>) {
  const rest = latch()
  withLongList(host, rest.opened)
  await go('/')
  return rest
}
const eachPart = (host: Host, answer: Handler): void => {
  for (const part of [0, 1, 2]) host.on(`GET /api/user/repos/parts/${part}`, answer)
}

const list = (page: Page) => page.getByRole('region', { name: 'Repositories' })
const row = (page: Page, name: string) => list(page).getByRole('link').filter({ hasText: name })
const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter' })

test('the first rows and the total arrive before the rest, and nothing moves when it arrives', async ({
  page,
  host,
  go,
}) => {
  // After a stream that took long to open, the page reads everything again.
  await page.clock.setFixedTime(Date.now())
  const rest = await firstRows(host, go)
  await expect(list(page).getByRole('link')).toHaveCount(50)
  await expect(page.getByRole('heading', { name: 'Repositories 1200' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading more repositories…' })).toBeAttached()
  await expect(page.getByText('1150 more')).toBeVisible()
  await page.getByText('Active Only').click()
  await expect(page.getByRole('heading', { name: 'Repositories 1188' })).toBeVisible()
  await page.getByText('Active Only').click()
  const placeOf = async (name: string) => (await row(page, name).boundingBox())?.y
  const before = await placeOf('repo-0000')
  rest.open()
  await expect(page.getByText('Loading more repositories…')).toHaveCount(0)
  expect(await placeOf('repo-0000')).toBe(before)
  await expect(page.getByText('1150 more')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(list(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(total))
  // One request as for Drone, and each part once.
  expect(host.made('GET /api/user/repos').map(({ query }) => query)).toEqual(['?latest=true'])
  for (const part of [0, 1, 2])
    expect(host.made(`GET /api/user/repos/parts/${part}`).map(({ query }) => query)).toEqual(['?list=abc'])
})

test('a filter before the rest arrives says that it is loading, and then shows all matches', async ({
  page,
  host,
  go,
}) => {
  const rest = await firstRows(host, go)
  await filter(page).fill('repo-11')
  // The number of matches is unknown until the rest has loaded.
  await expect(page.getByRole('heading', { name: 'Repositories –', exact: true })).toBeVisible()
  await filter(page).fill('repo-004')
  await expect(list(page).getByRole('link')).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'Repositories –', exact: true })).toBeVisible()
  await filter(page).fill('repo-11')
  await expect(page.getByRole('status').filter({ hasText: 'Loading more repositories…' })).toBeAttached()
  await expect(page.getByText('No repositories match')).toHaveCount(0)
  rest.open()
  await expect(page.getByRole('heading', { name: 'Repositories 100' })).toBeVisible()
  await expect(page.getByText('Loading more repositories…')).toHaveCount(0)
  await expect(row(page, 'octocat/repo-1100')).toContainText('Change 1100')
  await filter(page).fill('nowhere')
  await expect(page.getByText('No repositories match')).toBeVisible()
})

test('events while the rest is loading are shown: in the first rows immediately, in others when they arrive', async ({
  page,
  host,
  go,
}) => {
  const rest = await firstRows(host, go)
  const push = async (n: number) => {
    const build = data.running({ id: 9_000 + n, number: 90, created: data.now, message: 'Brand new', version: 9 })
    await host.push('/api/stream', { ...all[n], version: 9, build })
  }
  await expect(row(page, 'octocat/repo-0030')).toBeVisible()
  await push(30)
  await expect(row(page, 'octocat/repo-0030')).toContainText('Brand new')
  await push(1_111)
  rest.open()
  await expect(page.getByText('Loading more repositories…')).toHaveCount(0)
  await expect(row(page, 'octocat/repo-0030')).toContainText('Brand new')
  await expect(row(page, 'octocat/repo-1111')).toContainText('Brand new')
  await expect(list(page).getByRole('link').nth(2)).toContainText('octocat/repo-1111')
})

test('if the list changes in between, the plain request loads all of it', async ({ page, host, go }) => {
  withLongList(host)
  host.on('GET /api/user/repos/parts/1', fail(404, 'Not Found'))
  await go('/')
  await filter(page).fill('repo-11')
  await expect(page.getByRole('heading', { name: 'Repositories 100' })).toBeVisible()
  expect(host.made('GET /api/user/repos').map(({ headers }) => headers.accept?.includes('top'))).toEqual([true, false])
})

test('if the rest fails to load, the first rows stay, and Retry requests it again', async ({ page, host, go }) => {
  withLongList(host)
  host.on('GET /api/user/repos/parts/2', fail(500, 'No memory'))
  await go('/')
  await expect(page.getByText('The rest of the repositories could not be loaded: No memory')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Repositories 1200' })).toBeVisible()
  await expect(page.getByText('1150 more')).toBeVisible()
  await expect(list(page).getByRole('link')).toHaveCount(50)
  await expect(page.getByText('Loading more repositories…')).toHaveCount(0)
  host.on('GET /api/user/repos/parts/2', ok(columnsOf(2)))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('could not be loaded')).toHaveCount(0)
  await filter(page).fill('repo-1199')
  await expect(row(page, 'octocat/repo-1199')).toBeVisible()
})

test('a list that is still loading does not reach another person who signs in meanwhile', async ({
  page,
  host,
  go,
}) => {
  const rest = await firstRows(host, go)
  await expect(row(page, 'octocat/repo-0000')).toBeVisible()
  await host.reader('/api/stream')
  signedInAs(host, { id: 2, login: 'hubot' })
  host.on('GET /api/user/repos', ok([data.repo({ name: 'of-hubot', slug: 'octocat/of-hubot' })]))
  host.cutStreams()
  await expect(row(page, 'of-hubot')).toBeVisible()
  rest.open()
  await expect(page.getByRole('heading', { name: 'Repositories 1', exact: true })).toBeVisible()
  await filter(page).fill('repo-')
  await expect(page.getByText('No repositories match')).toBeVisible()
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(stored).not.toContain('repo-0')
})
