/** What lists and settings show beyond the specification. */
import type { Locator } from '@playwright/test'
import {
  box,
  data,
  expect,
  fail,
  ok,
  ours,
  openDialog,
  signedInAs,
  test,
  withRepo,
  toastShows,
} from '../support/screens.ts'

const path = '/api/repos/octocat/hello'

test('users have role, type, creation and last login, and can be sorted', async ({ page, host, go }) => {
  const day = 86_400
  signedInAs(host, { admin: true }).on(
    'GET /api/users',
    ok([
      data.user({ id: 1, login: 'octocat', admin: true, created: data.now - 6 * day, last_login: data.now - 2 * day }),
      data.user({ id: 2, login: 'deploy', machine: true, created: data.now - 2 * day, last_login: 0 }),
      data.user({ id: 3, login: 'ann', created: data.now - 4 * day, last_login: data.now - day }),
    ]),
  )
  await go('/settings/users')
  const rows = page.getByRole('main').getByRole('listitem')
  const logins = () =>
    rows.evaluateAll((all) => all.map((row) => /octocat|deploy|ann/.exec(row.textContent ?? '')?.[0]))
  await expect(rows).toHaveCount(3)
  expect(await logins()).toEqual(['ann', 'deploy', 'octocat'])
  for (const words of ['member', 'user', '4 days ago', '1 day ago']) await expect(rows.nth(0)).toContainText(words)
  for (const words of ['machine', '2 days ago', 'never']) await expect(rows.nth(1)).toContainText(words)
  await expect(rows.nth(2)).toContainText('admin')
  const sort = (name: string) => page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name })
  for (const [name, order] of [
    ['Last login', ['ann', 'octocat', 'deploy']],
    ['Last login', ['deploy', 'octocat', 'ann']],
    ['Created', ['deploy', 'ann', 'octocat']],
    ['Role', ['octocat', 'ann', 'deploy']],
    ['Type', ['deploy', 'ann', 'octocat']],
  ] as const) {
    await sort(name).click()
    await expect(sort(name)).toHaveAttribute('aria-pressed', 'true')
    expect(await logins()).toEqual(order)
  }
  // The choice is remembered.
  await page.reload()
  await expect(rows).toHaveCount(3)
  expect(await logins()).toEqual(['deploy', 'ann', 'octocat'])
  // Rows without columns have no column headings.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('group', { name: 'Sort by' })).toHaveCount(0)
  const choice = page.getByRole('combobox', { name: 'Sort by' })
  await expect(choice).toHaveValue('type')
  await choice.selectOption('Last login')
  expect(await logins()).toEqual(['ann', 'octocat', 'deploy'])
  await page.getByRole('button', { name: 'Reverse the order' }).click()
  expect(await logins()).toEqual(['deploy', 'octocat', 'ann'])
})

test('the tooltip of a job’s button does not cover the time of the next run', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`GET ${path}/cron`, ok([{ id: 1, name: 'nightly', branch: 'main', expr: '@daily', next: data.now + 9_000 }]))
  for (const width of [1440, 768]) {
    await page.setViewportSize({ width, height: 844 })
    await go('/octocat/hello/settings/cron')
    const button = page.getByRole('button', { name: 'Delete cron job nightly' })
    await button.hover()
    const tip = await button.evaluate((element) => {
      const style = getComputedStyle(element.parentElement ?? element, '::after')
      return {
        width: Number.parseFloat(style.width) + Number.parseFloat(style.marginRight),
        height: Number.parseFloat(style.height),
      }
    })
    expect(tip.width).toBeGreaterThan(30)
    const next = await box(page.getByText('Next run:'))
    const shown = await box(button)
    // It is as high as its button at most, in the middle of it, so what is below stays readable.
    expect(tip.height, `${width}`).toBeLessThanOrEqual(shown.height)
    const isBelow = next.y >= shown.y + shown.height
    expect(isBelow || next.x + next.width <= shown.x - tip.width, `${width}`).toBe(true)
  }
})

for (const { tab, column, person = 'Committer', label, over } of [
  { tab: 'branches', column: 'Branch', label: 'topic', over: { target: 'topic' } },
  {
    tab: 'deployments',
    column: 'Environment',
    label: 'staging',
    over: { event: 'promote', deploy_to: 'staging' } as const,
  },
  {
    tab: 'pulls',
    column: 'Pull request',
    person: 'Author',
    label: '#7',
    over: { event: 'pull_request', ref: 'refs/pull/7/head' } as const,
  },
])
  test(`${tab} show the build's number, time and duration`, async ({ page, host, go }) => {
    withRepo(host)
    const build = data.build({ number: 17, created: data.now - 7_300, ...over })
    host.on(`GET ${path}/builds/${tab}`, ok([build, data.build({ number: 16, message: '', ...over })]))
    for (const width of [1440, 1024, 768, 640, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await go(`/octocat/hello/${tab}`)
      const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: '7fd1a60b' })
      const row = rows.first()
      for (const words of ['#17', '2 hours ago', '1m 10s']) await expect(row.getByText(words)).toBeVisible()
      await expect(rows.last()).toContainText('No message')
      const head = (name: string) => page.getByRole('main').getByText(name, { exact: true })
      // Specification §2 requires these; without room for columns, the others are below them.
      for (const name of [column, 'Commit', person, 'Message'])
        await expect(head(name), `${name} ${width}`).toBeVisible({ visible: width > 390 })
      for (const name of ['Build', 'Time', 'Duration'])
        await expect(head(name), `${name} ${width}`).toBeVisible({ visible: width >= 1024 })
      const left = async (of: Locator) => Math.round((await box(of)).x)
      const cells = { [column]: label, Commit: '7fd1a60b', [person]: 'octocat', Message: 'Fix the parser' }
      for (const [name, text] of Object.entries(width > 390 ? cells : {})) {
        const cell = row.getByText(text, { exact: true })
        await expect(cell).toBeVisible()
        expect((await left(cell)) - (await left(head(name))), `${name} ${width}`).toBeLessThan(36)
        const cut = await cell.evaluate((element) => element.scrollWidth > element.clientWidth + 1)
        expect(cut, `${name} ${width}`).toBe(false)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })

test('secrets of the organization: members with the right list, add and delete them', async ({ page, host, go }) => {
  withRepo(host)
  const secrets = '/api/secrets/octocat'
  host
    .on(`GET ${secrets}`, ok([data.secret({ name: 'shared_token', pull_request: true })]))
    .on(`POST ${secrets}`, ok(data.secret({ name: 'other' })))
    .on(`DELETE ${secrets}/shared_token`, { status: 204 })
  await go('/octocat/hello/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Organization' }).click()
  await expect(page.getByRole('heading', { name: 'Organization secrets' })).toBeVisible()
  await expect(page.getByRole('main').getByText('shared_token')).toBeVisible()
  await page.getByLabel('Name').fill(' other ')
  await page.getByLabel('Value').fill('hidden')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await toastShows(page, 'Secret has been added successfully')
  expect(JSON.parse(host.made(`POST ${secrets}`)[0]?.body ?? '')).toEqual({
    name: 'other',
    data: 'hidden',
    pull_request: false,
  })
  await page.getByRole('button', { name: 'Delete secret shared_token' }).click()
  await expect(openDialog(page)).toContainText('Are you sure you want to delete this secret?')
  await openDialog(page).getByRole('button', { name: 'Delete secret' }).click()
  await toastShows(page, 'Secret has been removed successfully')
  // Another server asks its forge for the members of an organization, and reports the result.
  host.on(`GET ${secrets}`, fail(403, 'Forbidden'))
  await go('/octocat/hello/settings/organization')
  await expect(page.getByRole('alert')).toContainText('Forbidden')
  // Flightdeck knows: the user with the namespace's name, and administrators.
  for (const [login, count] of [
    ['octocat', 1],
    ['ann', 0],
  ] as const) {
    signedInAs(host, { login, ...ours })
    await go('/octocat/hello/settings')
    await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Organization' })).toHaveCount(count)
  }
})

test('auto-cancel switches are shown if the server has them; only changed settings are sent', async ({
  page,
  host,
  go,
}) => {
  const repo = withRepo(host, { auto_cancel_pushes: false })
  host.on(`PATCH ${path}`, (call) => ok({ ...repo, ...JSON.parse(call.body) }))
  await go('/octocat/hello/settings')
  const running = page.getByRole('switch', { name: 'Also cancel running builds' })
  await expect(running).toBeDisabled()
  await page.getByRole('switch', { name: 'Cancel older push builds' }).click()
  await running.click()
  await page.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'Changes have been saved')
  const sent = JSON.parse(host.made(`PATCH ${path}`)[0]?.body ?? '')
  expect(sent).toMatchObject({ auto_cancel_pushes: true, auto_cancel_running: true, ignore_forks: false })
  expect(sent).not.toHaveProperty('auto_cancel_pull_requests')
  await expect(running).toBeChecked()
  // An older server does not have them.
  host.on(`GET ${path}`, ok({ ...repo, auto_cancel_pushes: undefined, auto_cancel_pull_requests: undefined }))
  await go('/octocat/hello/settings')
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
  await expect(page.getByRole('switch', { name: /Cancel/ })).toHaveCount(0)
})
