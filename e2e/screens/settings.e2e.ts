/** Repository settings: General, Secrets, Cron Jobs, Badges (specification §2, §5, §9). */
import { box, data, expect, ok, openDialog, signedInAs, test, withRepo, toastShows } from '../support/screens.ts'

const path = '/api/repos/octocat/hello'
const times =
  '15 minutes,30 minutes,60 minutes,90 minutes,2 hours,3 hours,4 hours,5 hours,6 hours,7 hours,8 hours,9 hours,10 hours,11 hours,12 hours,18 hours,24 hours,48 hours,72 hours'.split(
    ',',
  )
const minutes = [15, 30, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 720, 1080, 1440, 2880, 4320]

test('[S2.settings.1] [S2.settings.3] [S5.validation.10] [S7.calls.11] [S8.success.1] [S9.constants.21] [S9.constants.22] [S9.constants.23] saving sends all seven fields', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { protected: true, trusted: false, visibility: 'private' })
  host.on(`PATCH ${path}`, (call) => ok({ ...data.repo(), ...JSON.parse(call.body) }))
  await go('/octocat/hello/settings')
  const visibility = page.getByRole('radiogroup', { name: 'Visibility' }).getByRole('radio')
  await expect(visibility).toHaveCount(3)
  expect(await visibility.evaluateAll((radios) => radios.map((radio) => radio.getAttribute('value')))).toEqual([
    'private',
    'public',
    'internal',
  ])
  await expect(page.getByRole('radio', { name: 'private' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Ignore pull requests' })).not.toBeChecked()
  await page.getByRole('switch', { name: 'Ignore pull requests' }).click()
  await page.getByRole('switch', { name: 'Ignore forks' }).click()
  await page.getByRole('switch', { name: 'Ignore forks' }).click()
  await page.getByRole('radio', { name: 'internal' }).check()
  const timeout = page.getByLabel('Timeout')
  expect(await timeout.locator('option').allTextContents()).toEqual(times)
  expect(
    await timeout
      .locator('option')
      .evaluateAll((options) => options.map((option) => Number(option.getAttribute('value')))),
  ).toEqual(minutes)
  await timeout.selectOption('2 hours')
  await page.getByLabel('Configuration').fill('ci/drone.yml')
  await page.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'Changes have been saved')
  expect(JSON.parse(host.made(`PATCH ${path}`)[0]?.body ?? '')).toEqual({
    ignore_pull_requests: true,
    ignore_forks: false,
    protected: true,
    trusted: false,
    visibility: 'internal',
    timeout: 120,
    config_path: 'ci/drone.yml',
  })
})

test('[S2.settings.2] [S6.roles.6] protected and trusted only for system administrators @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello/settings')
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
  await expect(page.getByRole('switch', { name: /protected|trusted/i })).toHaveCount(0)
  signedInAs(host, { admin: true })
  host.on(`PATCH ${path}`, ok(data.repo()))
  await go('/octocat/hello/settings')
  await page.getByRole('switch', { name: 'Protected' }).click()
  await page.getByRole('switch', { name: 'Trusted' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await toastShows(page, 'Changes have been saved')
  expect(JSON.parse(host.made(`PATCH ${path}`)[0]?.body ?? '')).toMatchObject({ protected: true, trusted: true })
})

test('a timeout set elsewhere is kept, and values that the server dropped are reported [F.general.1] [F.general.2] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { timeout: 77 })
  host.on(`PATCH ${path}`, ok(data.repo({ timeout: 77 })))
  await go('/octocat/hello/settings')
  const timeout = page.getByLabel('Timeout')
  await expect(timeout).toHaveValue('77')
  await expect(timeout.locator('option:checked')).toHaveText('77 minutes')
  expect((await timeout.locator('option').allTextContents()).slice(0, -1)).toEqual(times)
  await timeout.selectOption('3 hours')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Timeout was not changed: only system administrators can change it/)).toBeVisible()
  await expect(timeout).toHaveValue('77')
})

test('[S2.settings.4] [S2.dialogs.3] [S4.states.27] [S5.validation.12] [S5.validation.16] [S7.calls.12] [S8.success.1] disabling asks first', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`DELETE ${path}`, () => {
    withRepo(host, { active: false })
    return ok(data.repo({ active: false, permissions: undefined }))
  })
  await go('/octocat/hello/settings')
  await page.getByRole('button', { name: 'Disable' }).click()
  await expect(openDialog(page).getByText('Are you sure you want to disable this repo?', { exact: true })).toBeVisible()
  await openDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(openDialog(page)).toHaveCount(0)
  expect(host.made(`DELETE ${path}`)).toHaveLength(0)
  await page.getByRole('button', { name: 'Disable' }).click()
  await openDialog(page).getByRole('button', { name: 'Disable' }).click()
  await toastShows(page, 'Repo has been disabled')
  await expect(page.getByRole('button', { name: 'Activate Repository' })).toBeVisible()
})

test('[S2.settings.5] [S2.routes.13] [S2.dialogs.3] [S3.entities.9] [S5.validation.12] [S5.validation.14] [S7.calls.25] [S7.calls.26] [S8.success.1] secrets: list, add, delete', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`POST ${path}/secrets`, () => {
    host.on(`GET ${path}/secrets`, ok([data.secret({ name: 'api.key', pull_request: true })]))
    return ok(data.secret({ name: 'api.key' }))
  })
  host.on(`DELETE ${path}/secrets/api.key`, () => {
    host.on(`GET ${path}/secrets`, ok([]))
    return { status: 204 }
  })
  await go('/octocat/hello/settings')
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  const entries = await menu.evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]))
  expect(entries.slice(0, 4)).toEqual([
    ['General', '/octocat/hello/settings'],
    ['Secrets', '/octocat/hello/settings/secrets'],
    ['Cron Jobs', '/octocat/hello/settings/cron'],
    ['Badges', '/octocat/hello/settings/badges'],
  ])
  await menu.filter({ hasText: 'Secrets' }).click()
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
  await page.getByLabel('Name').fill('api.key')
  await page.getByLabel('Value').fill('s3cret value\n')
  await page.getByRole('switch', { name: 'Allow pull requests' }).click()
  await page.getByRole('button', { name: 'Add secret' }).click()
  await toastShows(page, 'Secret has been added successfully')
  expect(JSON.parse(host.made(`POST ${path}/secrets`)[0]?.body ?? '')).toEqual({
    name: 'api.key',
    data: 's3cret value\n',
    pull_request: true,
  })
  await expect(page.getByLabel('Value')).toHaveValue('')
  const row = page.getByRole('listitem').filter({ hasText: 'api.key' })
  await expect(row).toContainText('pull requests')
  await row.getByRole('button', { name: 'Delete secret api.key' }).click()
  await expect(
    openDialog(page).getByText('Are you sure you want to delete this secret?', { exact: true }),
  ).toBeVisible()
  expect(host.made(`DELETE ${path}/secrets/api.key`)).toHaveLength(0)
  await openDialog(page)
    .getByRole('button', { name: /^delete/i })
    .click()
  await toastShows(page, 'Secret has been removed successfully')
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
})

test('[S5.validation.8] [S5.validation.9] names and values are checked with the server’s rules before anything is sent @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello/settings/secrets')
  const add = page.getByRole('button', { name: 'Add secret' })
  for (const [name, value, words] of [
    ['', 'x', 'Invalid Secret Name'],
    ['two words', 'x', 'Invalid Secret Name'],
    ['a/b', 'x', 'Invalid Secret Name'],
    ['fine', '', 'Invalid Secret Value'],
  ] as const) {
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Value').fill(value)
    await add.click()
    await expect(page.getByText(words)).toBeVisible()
  }
  await go('/octocat/hello/settings/cron')
  await page.getByLabel('Name').fill('---')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await expect(page.getByText('Invalid Cronjob Name')).toBeVisible()
  expect(host.calls.filter((call) => call.method === 'POST')).toEqual([])
})

test('[S2.settings.6] [S2.dialogs.3] [S3.entities.8] [S5.validation.7] [S5.validation.12] [S5.validation.13] [S7.calls.23] [S7.calls.24] [S8.success.1] [S9.constants.18] [S9.constants.19] cron jobs: list, add, delete [F.cron.1]', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const job = data.cron({ name: 'nightly', branch: 'stable', expr: '@daily', next: 1_700_000_000 })
  host.on(`POST ${path}/cron`, () => {
    host.on(`GET ${path}/cron`, ok([job]))
    return ok(job)
  })
  host.on(`DELETE ${path}/cron/nightly`, () => {
    host.on(`GET ${path}/cron`, ok([]))
    return { status: 204 }
  })
  const sent = () => JSON.parse(host.made(`POST ${path}/cron`).at(-1)?.body ?? '') as unknown
  await go('/octocat/hello/settings/cron')
  await expect(page.getByText('It looks a little empty here!')).toBeVisible()
  await page.getByLabel('Name').fill(' nightly ')
  await page.getByLabel('Branch').fill('   ')
  const schedule = page.getByLabel('Schedule')
  await expect(schedule).toHaveValue('@hourly')
  expect((await schedule.locator('option').allTextContents()).slice(0, 5)).toEqual([
    '@hourly',
    '@daily',
    '@weekly',
    '@monthly',
    '@yearly',
  ])
  await schedule.selectOption('@daily')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await toastShows(page, 'Cron has been added successfully')
  expect(sent()).toEqual({ name: 'nightly', branch: 'master', expr: '@daily' })
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'nightly' })
  for (const words of ['stable', '@daily', 'Nov 14, 2023, 10:13 PM']) await expect(row).toContainText(words)
  expect((await box(row)).height, 'two lines').toBeLessThan(80)
  await page.getByLabel('Name').fill('own')
  await page.getByLabel('Branch').fill(' main ')
  await schedule.selectOption('Custom expression…')
  await page.getByLabel('Expression').fill('0 30 4 * * *')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await expect.poll(sent).toEqual({ name: 'own', branch: 'main', expr: '0 30 4 * * *' })
  await row.getByRole('button', { name: 'Delete cron job nightly' }).click()
  await expect(openDialog(page).getByText('Are you sure you want to remove cron job?', { exact: true })).toBeVisible()
  expect(host.made(`DELETE ${path}/cron/nightly`)).toHaveLength(0)
  await openDialog(page)
    .getByRole('button', { name: /^(delete|remove)/i })
    .click()
  await toastShows(page, 'Cron has been removed successfully')
})

test('[S2.settings.7] [S2.settings.8] [S7.calls.35] [S9.constants.24] badges: the image, three syntaxes, a branch, Copied! for two seconds [F.badges.1] [F.badges.2]', async ({
  page,
  host,
  go,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  withRepo(host)
  await go('/octocat/hello/settings/badges')
  const image = `${host.origin}/api/badges/octocat/hello/status.svg`
  const badge = page.locator('img[src*="/api/badges/octocat/hello/status.svg"]')
  await expect(badge).toHaveAttribute('src', image)
  const main = page.getByRole('main')
  await expect(
    main.getByText(`[![Build Status](${image})](${host.origin}/octocat/hello)`, { exact: true }),
  ).toBeVisible()
  await expect(main.getByText(`<a href="${host.origin}/octocat/hello"><img src="${image}"`)).toBeVisible()
  await expect(main.getByText(`${host.origin}/api/badges/octocat/hello/cc.xml`, { exact: true })).toBeVisible()
  expect(await main.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Markdown', 'Markup', 'CCMenu'])
  await page.getByLabel('Branch').fill('feature/a')
  await page.keyboard.press('Enter')
  await expect(badge).toHaveAttribute('src', `${image}?ref=refs/heads/feature/a`)
  await expect(page).toHaveURL(`${host.origin}/octocat/hello/settings/badges`)
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const [syntax, words] of [
    ['Markdown', `${image}?ref=refs/heads/feature/a`],
    ['Markup', `${image}?ref=refs/heads/feature/a`],
    ['CCMenu', '/api/badges/octocat/hello/cc.xml'],
  ] as const) {
    await page.getByRole('button', { name: `Copy ${syntax}` }).click()
    await expect(page.getByText('Copied!', { exact: true })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(words)
    await page.clock.runFor(1_999)
    await expect(page.getByText('Copied!', { exact: true })).toBeVisible()
    await page.clock.runFor(1)
    await expect(page.getByText('Copied!', { exact: true })).toHaveCount(0)
  }
})

test('writers see that only administrators can change the general settings @system', async ({ page, host, go }) => {
  const note = page.getByText('Only repository administrators can change these settings.')
  withRepo(host, { permissions: { read: true, write: true, admin: false } })
  await go('/octocat/hello/settings')
  await expect(note).toBeVisible()
  const group = page.getByRole('group', { name: 'General settings' })
  await expect(group).toHaveAccessibleDescription(/Only repository administrators/)
  for (const control of await group.locator('input, select, button').all()) await expect(control).toBeDisabled()
  await expect(group.getByRole('switch', { name: 'Ignore forks' })).toBeDisabled()
  const disable = page.getByRole('button', { name: 'Disable' })
  await expect(disable).toBeDisabled()
  await expect(disable).toHaveAttribute('title', 'Only repository administrators can disable it.')
  signedInAs(host, { admin: true })
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Protected' })).toBeVisible()
  await expect(note).toHaveCount(0)
  await expect(group.getByRole('switch', { name: 'Ignore forks' })).toBeEnabled()
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled()
  await expect(disable).toBeEnabled()
})

test('people who cannot change the settings see a message under the page’s title @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { permissions: { read: true, write: false, admin: false } })
  for (const path of ['settings', 'settings/secrets']) {
    await go(`/octocat/hello/${path}`)
    await expect(page.getByText('You can’t change these settings')).toBeVisible()
    await expect(page).toHaveTitle('Settings – octocat/hello · Flightdeck')
  }
})
