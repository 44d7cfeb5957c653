/** The search drawer and the account page (specification §2). */
import { box, data, latch, expect, fail, ok, ours, signedInAs, test, withRepo } from '../support/screens.ts'

const repos = ok([
  data.repo({ id: 1, namespace: 'octocat', name: 'hello-world' }),
  data.repo({ id: 2, namespace: 'octo-org', name: 'website' }),
  data.repo({ id: 3, namespace: 'acme', name: 'octopus' }),
])
const placeholder = 'Search repositories, branches and builds'

test('[S2.search.1] [S2.search.2] [S2.search.3] [S2.search.4] [S2.search.5] [S2.search.6] [S2.search.7] [S5.validation.1] finds repositories by part of the slug, or of both its parts [F.search.3]', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', repos)
  await go('/')
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByPlaceholder(placeholder)
  const hits = page.getByRole('dialog', { name: 'Search' }).getByRole('link')
  await expect(hits).toHaveCount(0)
  await expect(page.getByText(/type part of a name/i)).toBeVisible()
  for (const [query, slugs] of [
    ['  OCTO ', ['acme/octopus', 'octo-org/website', 'octocat/hello-world']],
    ['opus', ['acme/octopus']],
    ['cat-org', []],
    ['octo/web', ['octo-org/website']],
    ['OCTO/', ['octo-org/website', 'octocat/hello-world']],
    ['me/octo', ['acme/octopus']],
    ['zebra', []],
  ] as const) {
    await field.fill(query)
    await expect(hits).toHaveCount(slugs.length)
    expect(await hits.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
      slugs.map((slug) => `/${slug}`),
    )
    for (const slug of slugs)
      await expect(hits.filter({ hasText: slug })).toHaveAccessibleName(
        new RegExp(`Found "${query.trim()}" in Repositories`),
      )
    if (slugs.length === 0) await expect(page.getByText('Repos not found')).toBeVisible()
  }
})

test('[S2.search.8] the back button, a click outside, Escape, the browser’s Back and a result close it @system', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', repos)
  withRepo(host, { namespace: 'acme', name: 'octopus' })
  await go('/account')
  await go('/')
  const field = page.getByPlaceholder(placeholder)
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(1270, 780),
    () => page.getByRole('button', { name: 'Back' }).click(),
    () => page.goBack(),
  ]) {
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(field).toBeFocused()
    await leave()
    await expect(field).toHaveCount(0)
    await expect(page).toHaveURL(`${host.origin}/`)
  }
  await page.getByRole('button', { name: 'Search' }).click()
  await field.fill('octopus')
  await page.getByRole('dialog').getByRole('link').click()
  await expect(field).toHaveCount(0)
  await expect(page).toHaveURL(/\/acme\/octopus$/)
})

test('[S2.search.9] [S9.constants.13] the drawer takes 200 ms to leave @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', repos)
  await page.clock.install()
  await go('/')
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByPlaceholder(placeholder)
  await expect(field).toBeFocused()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('Escape')
  // CSS uses the browser's own time and shows that the drawer is closing; the page's clock is
  // paused.
  const drawer = page.getByRole('dialog', { name: 'Search' })
  await expect(drawer).toHaveCSS('transition-duration', '0.2s')
  await expect(drawer).toHaveCSS('opacity', '0')
  await page.clock.runFor(199)
  await expect(field).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(field).toHaveCount(0)
})

test('Escape also closes the search drawer before the code of its results has loaded @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const { opened, open } = latch()
  await page.route('**/search-found-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await go('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const before = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.poll(() => page.evaluate(() => history.length)).toBe(before + 1)
  await page.keyboard.press('Escape')
  open()
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('dialog', { name: 'Search' })).toHaveCount(0)
  await expect(page).toHaveURL(`${host.origin}/`)
  // It opens again, although its code has loaded since.
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
})

test('search by keyboard: arrows, Enter, Escape; at most a hundred hits are rendered [F.search.1] [F.search.2] @system', async ({
  page,
  host,
  go,
}) => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    data.repo({ id: index, name: `repo-${String(index).padStart(4, '0')}` }),
  )
  host.on('GET /api/user/repos', ok(many))
  withRepo(host, { name: 'repo-0001' })
  host.on('GET /api/user/repos', ok(many))
  await go('/')
  await expect(page.getByText('octocat/repo-0000')).toBeVisible()
  // The code of the keys loads after the page's.
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder(placeholder)).toBeFocused()
  await page.keyboard.type('repo')
  const hits = page.getByRole('dialog').getByRole('link')
  await expect(hits.first()).toBeVisible()
  await expect(hits).toHaveCount(100)
  // The rows that follow later also belong to the latest text.
  await page.keyboard.type('-0')
  await expect(hits.filter({ hasText: 'Found "repo-0" in' })).toHaveCount(100)
  await page.keyboard.type('00')
  await expect(hits.filter({ hasText: 'Found "repo-000" in' })).toHaveCount(10)
  await expect(hits).toHaveCount(10)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(hits.filter({ hasText: 'Found "repo-0" in' })).toHaveCount(100)
  await page.keyboard.press('ArrowDown')
  await expect(hits.nth(0)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(hits.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByPlaceholder(placeholder)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/octocat\/repo-0001$/)
})

test('the search offers actions on what is in view, themes, and the places that were open before @system', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', repos)
  withRepo(host, { namespace: 'octo-org', name: 'website' })
  withRepo(host, { namespace: 'acme', name: 'octopus' })
  host.on('GET /api/user/repos', repos)
  const search = page.getByRole('dialog', { name: 'Search' })
  const recent = search.getByRole('region', { name: 'Recent' }).getByRole('link')
  await go('/octo-org/website')
  await expect(page.getByRole('heading', { name: 'website' })).toBeVisible()
  await go('/acme/octopus/branches')
  await expect(page.getByRole('heading', { name: 'octopus' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(recent).toHaveText([/octo-org\/website/])
  await page.keyboard.type('new b')
  await expect(search.getByRole('link')).toHaveText([/New build/])
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New Build' })
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/\/acme\/octopus\?action=build$/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/acme\/octopus$/)
  // Once more, on the page that is open already.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new b')
  await expect(search.getByRole('link')).toHaveText([/New build/])
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dark')
  await search.getByRole('button', { name: 'Use the dark theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('Ctrl+K opens the search, also while typing @system', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', repos)
  await go('/')
  await expect(page.getByText('acme/octopus').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter' }).press('Control+k')
  const field = page.getByPlaceholder(placeholder)
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
})

test('[S2.routes.6] [S2.account.1] [S2.account.2] [S2.account.3] [S2.account.4] [S2.account.5] [S7.calls.5] [S3.entities.10] the account page', async ({
  page,
  host,
  go,
}) => {
  host.on('POST /api/user/token', ok({ ...data.user(), token: 'tok3nF0rScripts' }))
  await go('/account')
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Logout' })).toHaveAttribute('href', /\/logout$/)
  const part = (name: string) => page.getByRole('region', { name })
  await expect(part('Your personal token:')).toContainText('tok3nF0rScripts')
  const curl = part('Example API Usage:')
  await expect(curl).toContainText(/curl/)
  await expect(curl).toContainText(`${host.origin}/api/user`)
  await expect(curl).toContainText('Authorization: Bearer tok3nF0rScripts')
  const shell = await part('Example CLI Usage:').locator('pre').innerText()
  expect(shell.trim().split('\n')).toEqual([
    `export DRONE_SERVER=${host.origin}`,
    'export DRONE_TOKEN=tok3nF0rScripts',
    'drone info',
  ])
  expect(host.made('POST /api/user/token')).toHaveLength(1)
  expect(host.made('POST /api/user/token')[0]).toMatchObject({ query: '', body: '' })
})

test('[S2.account.6] [S9.constants.12] each snippet is copied, and says Copied for two seconds @system', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  host.on('POST /api/user/token', ok({ ...data.user(), token: 'tok3n' }))
  await go('/account')
  await expect(page.getByText('drone info')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const [name, words] of [
    ['Your personal token:', /^tok3n$/],
    ['Example API Usage:', /^curl/],
    ['Example CLI Usage:', /drone info$/],
  ] as const) {
    const part = page.getByRole('region', { name })
    await part.getByRole('button', { name: /copy/i }).click()
    await expect(part.getByText('Copied', { exact: true })).toBeVisible()
    expect((await box(part.getByText('Copied', { exact: true }))).width).toBeGreaterThan(10)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(words)
    await page.clock.runFor(1_999)
    await expect(part.getByText('Copied', { exact: true })).toBeVisible()
    await page.clock.runFor(1)
    await expect(part.getByText('Copied', { exact: true })).toHaveCount(0)
  }
})

test('the value of a new token is shown even if the list cannot be read again @system', async ({ page, host, go }) => {
  signedInAs(host, { ...ours })
  const made = { id: 5, name: 'deploy script', created: data.now, expires: 0, last_used: 0 }
  host
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
    .on('GET /api/user/sessions', ok([]))
    .on('GET /api/user/tokens', ok([]))
    .on('POST /api/user/tokens', ok({ ...made, token: 'onlyShownOnce' }))
  await go('/account')
  const tokens = page.getByRole('region', { name: 'Named tokens' })
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await expect(tokens.getByLabel('Token name')).toBeFocused()
  await tokens.getByLabel('Token name').fill('deploy script')
  host.on('GET /api/user/tokens', fail(500, 'disk full'))
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await expect(tokens.getByText('onlyShownOnce')).toBeVisible()
  await expect(tokens.getByRole('listitem')).toContainText('deploy script')
})

test('a new password shows the remaining tokens and sessions @system', async ({ page, host, go }) => {
  signedInAs(host, { ...ours })
  const listed = { id: 5, name: 'deploy script', created: data.now, expires: 0, last_used: 0 }
  host
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
    .on('GET /api/user/sessions', ok([]))
    .on('GET /api/user/tokens', ok([listed]))
    .on('PUT /api/user/password', ok({}))
  await go('/account')
  const rows = page.getByRole('region', { name: 'Named tokens' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  host.on('GET /api/user/tokens', ok([]))
  await page.getByLabel('Current password').fill('old password')
  for (const label of ['New password', 'Confirm new password'])
    await page.getByLabel(label, { exact: true }).fill('a much longer one 42')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(rows).toHaveCount(0)
})

test('density and time format are selected in Account and remembered @system', async ({ page, host, go }) => {
  withRepo(host, {}, [data.build({ number: 42, created: data.now - 3600 })])
  await go('/account')
  const display = page.getByRole('region', { name: 'Display' })
  await display.getByRole('combobox', { name: 'Density' }).selectOption('compact')
  await display.getByRole('combobox', { name: 'Times in lists' }).selectOption('absolute')
  await go('/octocat/hello')
  const row = page.getByRole('region', { name: 'Executions' }).getByRole('link').first()
  await expect(row).toContainText(/[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M/)
  expect((await box(row)).height).toBeLessThanOrEqual(41)
  // Every list of one-line or two-line rows follows, not only builds.
  signedInAs(host, { admin: true, ...ours })
  host
    .on('GET /api/user/builds/recent', ok([{ ...data.repo(), build: data.build() }]))
    .on('GET /api/users', ok([data.user({ login: 'ann' }), data.user({ id: 2, login: 'bo' })]))
    .on('GET /api/repos/octocat/hello/secrets', ok([{ id: 1, name: 'key', pull_request: false }]))
  for (const [path, list] of [
    ['/builds-feed', page.getByRole('region', { name: 'Recently finished' })],
    ['/settings/users', page.getByRole('main').getByRole('list').last()],
    ['/octocat/hello/settings/secrets', page.getByRole('main').getByRole('list').last()],
  ] as const) {
    await go(path)
    expect((await box(list.getByRole('listitem').first())).height, path).toBeLessThanOrEqual(46)
  }
  await go('/account')
  await expect(display.getByRole('combobox', { name: 'Density' })).toHaveValue('compact')
  await display.getByRole('combobox', { name: 'Density' }).selectOption('comfortable')
  await display.getByRole('combobox', { name: 'Times in lists' }).selectOption('relative')
  await go('/octocat/hello')
  await expect(row).toContainText('ago')
  expect((await box(row)).height).toBeGreaterThan(50)
})
