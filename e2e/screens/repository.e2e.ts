/**
 * The repository page: Builds with summary and chart, Branches, Deployments, inactive repositories,
 * New Build.
 */
import {
  box,
  data,
  expect,
  fail,
  holdBack,
  notFound,
  ok,
  signedInAs,
  test,
  withBuild,
  withRepo,
  toastShows,
} from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const list = (count: number, first = 100, over = {}) =>
  Array.from({ length: count }, (_, index) =>
    data.build({ id: first - index, number: first - index, message: `Change ${first - index}`, ...over }),
  )
const path = '/api/repos/octocat/hello'
const timed = (durations: (number | 'runs' | undefined)[]) =>
  durations.map((seconds, index) =>
    data.build({
      id: 90 - index,
      number: 90 - index,
      created: data.now - 7200,
      started: seconds === undefined ? 0 : data.now - 7000,
      finished: typeof seconds === 'number' ? data.now - 7000 + seconds : 0,
      status: seconds === 'runs' ? 'running' : index === 0 ? 'failure' : 'success',
    }),
  )

test('[S2.routes.10] [S2.builds.1] [S3.entities.3] [S9.constants.6] [S9.constants.7] [S9.constants.8] the summary: total, median, age and status of the last build', async ({
  page,
  host,
  go,
}) => {
  const fact = (label: string) => page.getByRole('main').locator('dl > div').filter({ hasText: label }).locator('dd')
  for (const [durations, median] of [
    [[600, 240, 60], '4'],
    // The running build has started but has no duration yet: it counts neither as zero (the mean of
    // 300 and 120) nor with the time until now.
    [['runs', 600, 300, 120], '5'],
    [['runs', 200, 6000], '3'],
    // A build that has not started does not count; the mean of 300 and 119 is 209 seconds.
    [[undefined, 600, 300, 119, 10], '3'],
    [[200, 6000], '3'],
    [[59, 6000], '< 1'],
    [[30, 31, 32, 33], '< 1'],
    // Only the last fifty builds count.
    [[...Array<number>(50).fill(130), ...Array<number>(49).fill(6000)], '2'],
  ] as const) {
    withRepo(host, { counter: 1234 })
    const builds = timed([...durations])
    host.on(`GET ${path}/builds`, (call) => ok(call.query.includes('page=1') ? builds.slice(0, 50) : builds.slice(50)))
    await go('/octocat/hello')
    if (durations.length > 50) await page.getByRole('button', { name: 'Show more' }).click()
    await expect(fact('Median Build')).toHaveText(new RegExp(`^${median} ?min`))
  }
  await expect(fact('Total Builds')).toHaveText('1234')
  await expect(fact('Last Build')).toHaveText('2 hours ago')
  await expect(fact('Last Status').getByText('failure', { exact: true }).filter({ visible: true })).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Repository' }).getByRole('link')
  await expect(tabs).toHaveText(['Builds', 'Branches', 'Deployments', 'Pull requests', 'Settings'])
})

test('[S2.builds.2] [S2.builds.3] [S9.constants.2] the chart: fifty bars, 170 high, 8 wide at least with gaps of 12; a bar opens its build [F.builds.1] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ number: 51, id: 51 }))
  host.on(`GET ${path}/builds`, (call) => ok(call.query.includes('page=1') ? list(50) : list(20, 50)))
  await go('/octocat/hello')
  const chart = page.getByRole('region', { name: 'Durations of the last builds' })
  const bars = chart.getByRole('link')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByText('Change 31')).toBeVisible()
  await expect(bars).toHaveCount(50)
  const drawing = await box(chart.getByRole('list'))
  expect(drawing.height).toBe(170)
  const places = () =>
    bars.evaluateAll((links) => links.map((link) => link.getBoundingClientRect()).map(({ x, width }) => ({ x, width })))
  const wide = await places()
  for (const { width } of wide) expect(width).toBeCloseTo(wide[0]?.width ?? 0, 0)
  for (const [index, { x }] of wide.entries()) {
    const before = wide[index - 1]
    if (before) expect(x - before.x - before.width).toBeCloseTo(12, 0)
  }
  expect(wide[0]?.width).toBeGreaterThan(8)
  // Oldest on the left; the accessible name includes the text of the tooltip.
  await expect(bars.first()).toHaveAccessibleName(/^#51 success 1m 10s$/)
  await bars.first().hover()
  await expect(chart.getByText('#51 success 1m 10s')).toBeVisible()
  await expect(bars.last()).toHaveAccessibleName(/^#100 /)
  await page.setViewportSize({ width: 600, height: 800 })
  await expect.poll(async () => (await places())[0]?.width).toBe(8)
  const narrow = await places()
  expect((narrow[1]?.x ?? 0) - (narrow[0]?.x ?? 0)).toBeCloseTo(20, 0)
  await bars.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/octocat\/hello\/51$/)
  await page.goBack()
  await page.setViewportSize({ width: 1280, height: 800 })
  await bars.first().click()
  await expect(page).toHaveURL(/\/octocat\/hello\/51$/)
})

test('[S2.builds.4] [S2.builds.5] [S9.constants.1] [S7.calls.13] executions, fifty at a time, when asked for', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, (call) =>
    ok(
      call.query.includes('page=2')
        ? list(3, 50)
        : list(50, 100, {
            created: Math.floor(Date.now() / 1000) - 310,
            started: data.now - 200,
            finished: data.now - 75,
          }),
    ),
  )
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await expect(rows.first().getByRole('img', { name: 'success' })).toBeVisible()
  for (const words of ['#100', 'Change 100', 'Push', '5 minutes ago', '2m 05s'])
    await expect(rows.first()).toContainText(words)
  await expect(rows.first().getByRole('link')).toHaveAttribute('href', '/octocat/hello/100')
  // A page that connects late reads again what it has.
  const queries = () => [...new Set(host.made(`GET ${path}/builds`).map((call) => call.query))]
  expect(queries()).toEqual(['?page=1&per_page=50'])
  await page.mouse.wheel(0, 20_000)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(53)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  expect(queries()).toEqual(['?page=1&per_page=50', '?page=2&per_page=50'])
})

test('a new page starts at its top, and Back restores the scroll position, also after a reload @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, () => ok(list(50, 100)))
  host.on(`GET ${path}/builds/branches`, () => ok(list(50, 100)))
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await page.evaluate(() => window.scrollTo(0, 1_200))
  const top = () => page.evaluate(() => window.scrollY)
  const branchesLink = page.getByRole('link', { name: 'Branches' })
  await branchesLink.evaluate((link: HTMLElement) => link.click())
  await expect(page).toHaveTitle(/^Branches/)
  await expect.poll(top).toBe(0)
  await page.goBack()
  await expect(page).toHaveTitle(/^Builds/)
  await expect.poll(top).toBe(1_200)
  await page.reload()
  await expect(rows).toHaveCount(50)
  await expect.poll(top).toBe(1_200)
})

test('[S2.builds.6] no builds yet; and a title before a message', async ({ page, host, go }) => {
  withRepo(host, {}, [])
  await go('/octocat/hello')
  await expect(page.getByText('Your Build List is Empty.')).toBeVisible()
  withRepo(host, {}, [
    data.build({ title: 'A title', message: 'A message' }),
    data.build({ id: 6, number: 41, message: 'First line\n\nand more' }),
  ])
  await go('/octocat/hello')
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows.first()).toContainText('A title')
  await expect(rows.first()).not.toContainText('A message')
  await expect(rows.last()).toContainText('First line')
  await expect(rows.last()).not.toContainText('and more')
})

test('[S2.builds.7] [S2.branches.1] [S2.routes.19] [S2.inactive.1] inactive repositories open the settings; the other tabs are not links @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { active: false })
  for (const tail of ['', '/branches', '/deployments', '/pulls']) {
    await go(`/octocat/hello${tail}`)
    await expect(page).toHaveURL(/\/octocat\/hello\/settings$/)
    await expect(page.getByText('This Repository is not Active.')).toBeVisible()
  }
  for (const name of ['Builds', 'Branches', 'Deployments', 'Pull requests']) {
    const tab = page.getByRole('navigation', { name: 'Repository' }).getByRole('link', { name })
    await expect(tab).toHaveAttribute('aria-disabled', 'true')
    await tab.click({ force: true })
    await expect(page).toHaveURL(/\/octocat\/hello\/settings$/)
  }
})

test('[S2.builds.8] builds that are not found open /404', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`GET ${path}/builds`, fail(404, 'Not Found'))
  await go('/octocat/hello')
  await expect(page).toHaveURL(/\/404$/)
  await expect(page.getByText(notFound)).toBeVisible()
})

test('[S2.branches.2] [S2.branches.3] [S9.constants.9] [S2.routes.11] [S7.calls.16] branches', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(
    `GET ${path}/builds/branches`,
    ok([data.build({ number: 7, target: 'feature/x y%z', status: 'failure', author_avatar: '/favicon.svg' })]),
  )
  await go('/octocat/hello/branches')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'feature/x y%z' })
  await expect(row.getByRole('link')).toHaveAttribute('href', '/octocat/hello/7')
  for (const text of ['feature/x y%z', '7fd1a60b', 'octocat', 'Fix the parser']) await expect(row).toContainText(text)
  await expect(row).not.toContainText('7fd1a60b0')
  await expect(row.getByRole('img', { name: 'failure' })).toBeVisible()
  await expect(row.locator('img')).toHaveAttribute('src', '/favicon.svg')
  const head = page.getByRole('main').getByText('Committer', { exact: true })
  const left = async (name: string) => (await box(page.getByRole('main').getByText(name, { exact: true }).first())).x
  await expect(head).toBeVisible()
  expect(await left('Branch')).toBeLessThan(await left('Commit'))
  expect(await left('Commit')).toBeLessThan(await left('Committer'))
  expect(await left('Committer')).toBeLessThan(await left('Message'))
})

test('the default branch is first on the Branches tab, also when its build is the oldest @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { default_branch: 'main' })
  const of = (number: number, target: string) => data.build({ id: number, number, target })
  host.on(`GET ${path}/builds/branches`, ok([of(8, 'fix'), of(9, 'feature'), of(3, 'main')]))
  await go('/octocat/hello/branches')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Fix the parser' })
  await expect(rows).toHaveText([/main.*#3/, /feature.*#9/, /fix.*#8/])
})

test('[S2.branches.4] no branches @system', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/branches')
  await expect(page.getByText('Your Branch List is Empty.')).toBeVisible()
  await expect(
    page.getByText('This list will be populated when you execute a pipeline for an open branch.'),
  ).toBeVisible()
})

test('[S2.deployments.1] [S2.deployments.2] [S2.routes.12] [S7.calls.17] deployments', async ({ page, host, go }) => {
  withRepo(host)
  await go('/octocat/hello/deployments')
  await expect(page.getByText('Your Deployment List is Empty.')).toBeVisible()
  host.on(`GET ${path}/builds/deployments`, ok([data.build({ number: 9, event: 'promote', deploy_to: 'staging' })]))
  await go('/octocat/hello/deployments')
  const main = page.getByRole('main')
  const left = async (name: string) => (await box(main.getByText(name, { exact: true }))).x
  const places: number[] = []
  for (const name of ['Environment', 'Commit', 'Committer', 'Message']) places.push(await left(name))
  expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
  const row = main.getByRole('listitem').filter({ hasText: 'staging' })
  for (const text of ['7fd1a60b', 'octocat', 'Fix the parser']) await expect(row).toContainText(text)
  await expect(row).not.toContainText('7fd1a60b0')
  await expect(row.getByRole('link')).toHaveAttribute('href', '/octocat/hello/9')
})

/** A repository that can be activated. The response has no permissions (docs/api §1.15). */
const withInactiveRepo = (host: Host): void => {
  withRepo(host, { active: false })
  host.on(`POST ${path}`, () => {
    withRepo(host)
    return ok(data.repo({ permissions: undefined }))
  })
}

test('[S2.inactive.2] [S4.states.26] [S6.roles.5] [S7.calls.10] [S8.success.1] an administrator activates, and has everything at once [F.inactive.1]', async ({
  page,
  host,
  go,
}) => {
  withInactiveRepo(host)
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await toastShows(page, 'Repo has been successfully enabled')
  expect(host.made(`POST ${path}`)[0]?.body).toBe('')
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  await expect(page.getByRole('button', { name: 'New Build' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
})

test('activation opens the builds also if the code of the settings has not loaded yet @system', async ({
  page,
  host,
  go,
}) => {
  withInactiveRepo(host)
  const code = await holdBack(page, '**/general-page-*.js')
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await toastShows(page, 'Repo has been successfully enabled')
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await expect(page).toHaveURL(/\/octocat\/hello$/)
  code.open()
})

test('after activation the next key press starts the first build @system', async ({ page, host, go }) => {
  withRepo(host, { active: false })
  host.on(`POST ${path}`, () => {
    withRepo(host)
    host.on(`GET ${path}/builds`, ok([])).on(`POST ${path}/builds`, ok(data.detail({ number: 1 })))
    return ok(data.repo())
  })
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Activate Repository' }).click()
  await expect(page.getByText('Your Build List is Empty.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run the first build of main' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/octocat\/hello\/1(\/|$)/)
  expect(host.made(`POST ${path}/builds`)).toHaveLength(1)
})

test('readers are not offered a first build, and a link to the page keeps the heading @system', async ({
  page,
  host,
  go,
}) => {
  for (const write of [false, true]) {
    withRepo(host, { permissions: { read: true, write, admin: false } })
    host.on(`GET ${path}/builds`, ok([]))
    await go('/octocat/hello')
    await expect(page.getByText('Your Build List is Empty.')).toBeVisible()
    const first = page.getByRole('button', { name: /^Run the first build/ })
    await expect(first).toHaveCount(write ? 1 : 0)
    if (write) await expect(first).not.toBeFocused()
  }
})

test('[S2.inactive.1] [S2.inactive.3] others see whom to ask @system', async ({ page, host, go }) => {
  for (const permissions of [
    { read: true, write: true, admin: false },
    { read: true, write: false, admin: false },
  ]) {
    withRepo(host, { active: false, permissions })
    await go('/octocat/hello')
    await expect(page.getByText('This Repository is not Active.')).toBeVisible()
    await expect(
      page.getByText('Please contact the repository administrator to activate this repository.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Activate Repository' })).toHaveCount(0)
  }
})

test('[S2.routes.18] [S6.roles.4] New Build and the Settings tab are for writers @system', async ({
  page,
  host,
  go,
}) => {
  for (const write of [false, true]) {
    withRepo(host, { permissions: { read: true, write, admin: false } })
    await go('/octocat/hello')
    await expect(page.getByText('Fix the parser').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'New Build' })).toHaveCount(write ? 1 : 0)
    await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(write ? 1 : 0)
  }
})

test('[S2.routes.18] [S6.roles.4] New Build and the Settings tab are for administrators of the system, too @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { permissions: { read: true, write: false, admin: false } })
  signedInAs(host, { admin: true })
  await go('/octocat/hello')
  await expect(page.getByText('Fix the parser').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Build' })).toBeVisible()
  const settings = page.getByRole('navigation', { name: 'Repository' }).getByRole('link', { name: 'Settings' })
  await expect(settings).toHaveAttribute('href', '/octocat/hello/settings')
})

test('[S2.dialogs.1] [S5.validation.2] [S5.validation.3] [S5.validation.4] [S7.calls.14] [S8.success.1] a new build: branch, commit, parameters; then it is in the list [F.newbuild.1] [F.newbuild.3] [F.newbuild.4]', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  host
    .on(`POST ${path}/builds`, ok(data.build({ number: 43, id: 8 })))
    .on(`GET ${path}/builds/43`, ok(data.detail({ number: 43, id: 8 })))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
  await expect(dialog.getByLabel('Branch')).toHaveValue('')
  await dialog.getByLabel('Branch').fill('  feature/a b ')
  await dialog.getByLabel('Commit').fill(' 7fd1a60b ')
  const add = dialog.getByRole('button', { name: 'Add' })
  const key = dialog.getByLabel('Key')
  const value = dialog.getByLabel('Value')
  for (const [left, right] of [
    ['', ''],
    [' NAME ', ''],
    [' NAME ', '   '],
    ['   ', 'x'],
  ] as const) {
    await key.fill(left)
    await value.fill(right)
    await expect(add).toBeDisabled()
  }
  await key.fill(' NAME ')
  await value.fill('')
  await value.pressSequentially(' two words ')
  await expect(value).toHaveValue(' two words ')
  await add.click()
  await expect(key).toHaveValue('')
  await expect(dialog.getByText('NAME=two words', { exact: true })).toBeVisible()
  await key.fill('LATE')
  await value.fill('yes')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await toastShows(page, 'New build has started successfully')
  await expect(page).toHaveURL(/\/octocat\/hello\/43(\/|$)/)
  const call = host.made(`POST ${path}/builds`)[0]
  expect(Object.fromEntries(new URLSearchParams(call?.query))).toEqual({
    branch: 'feature/a b',
    commit: '7fd1a60b',
    NAME: 'two words',
    LATE: 'yes',
  })
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/43(\/|$)/)
  expect(host.made(`POST ${path}/builds`)[1]).toMatchObject({ query: '', body: '' })
})

test('names can contain dots, percent signs, spaces and reserved words @system', async ({ page, host, go }) => {
  for (const name of ['a.b', '100%', 'two words', '__proto__', 'index.html']) {
    const repo = data.repo({ name, slug: `octocat/${name}` })
    const at = `/api/repos/octocat/${encodeURIComponent(name)}`
    host
      .on('GET /api/user/repos', ok([{ ...repo, build: data.build() }]))
      .on(`GET ${at}`, ok(repo))
      .on(`GET ${at}/builds`, ok([data.build()]))
      .on(`GET ${at}/builds/42`, ok(data.detail()))
      .on(`GET ${at}/builds/42/logs/1/1`, ok(data.lines(3)))
    await go('/')
    // Until the list has loaded, the row of the last visit is shown.
    await page.getByRole('region', { name: 'Repositories' }).getByRole('link').filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await page.getByRole('region', { name: 'Executions' }).getByRole('link').click()
    await expect(page.getByText('line 3')).toBeVisible()
    await page.reload()
    await expect(page.getByText('line 3')).toBeVisible()
    await expect(page).toHaveTitle(`#42 – Fix the parser – octocat/${name} · Flightdeck`)
  }
})
