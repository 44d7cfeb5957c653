/** Which clicks close a dialog, and what happens to text typed in its form. */
import type { Page } from '@playwright/test'
import {
  box,
  choose,
  data,
  latch,
  expect,
  fail,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  withRepo,
  toastShows,
} from '../support/screens.ts'

const newBuild = (page: Page) => page.getByRole('dialog', { name: 'Create a New Build' })

test('a click beside a dialog closes it; the second click of a double-click and a drag from a field do not @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello')
  const button = page.getByRole('button', { name: 'New Build' })
  const branch = newBuild(page).getByLabel('Branch')
  await button.dblclick()
  await expect(branch).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(newBuild(page)).toHaveCount(0)
  // Two clicks that the system does not combine to a double-click.
  const { x, y } = await box(button)
  await page.clock.setFixedTime(Date.now())
  await page.mouse.click(x + 10, y + 10)
  await page.mouse.click(x + 10, y + 10)
  await expect(branch).toBeFocused()
  // Drags a selection out of the field.
  const field = await box(branch)
  await page.mouse.move(field.x + 20, field.y + 10)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(newBuild(page)).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(newBuild(page)).toHaveCount(0)
})

test('a click outside of a dialog with typed text does not close it; Escape and Close do @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello')
  const button = page.getByRole('button', { name: 'New Build' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => newBuild(page).getByRole('button', { name: 'Close' }).click(),
  ]) {
    await button.click()
    await newBuild(page).getByLabel('Branch').fill('main')
    await newBuild(page).getByLabel('Key').fill('colour')
    await page.mouse.click(5, 5)
    await expect(newBuild(page).getByLabel('Branch')).toHaveValue('main')
    await expect(newBuild(page).getByLabel('Key')).toHaveValue('colour')
    await expect(newBuild(page).getByLabel('Key')).toBeFocused()
    await leave()
    await expect(newBuild(page)).toHaveCount(0)
  }
})

test('a reserved parameter name is refused at its field, added or only typed @system', async ({ page, host, go }) => {
  withBuild(host, data.detail({ params: { branch: 'trunk', LEVEL: '3' } }))
  const builds = '/api/repos/octocat/hello/builds'
  host.on(`POST ${builds}`, fail(404, 'Not Found')).on(`POST ${builds}/42/promote`, fail(400, 'no'))
  const refused = (key: string) => page.getByText(`“${key}” can’t be used as a parameter name`, { exact: true })
  const form = page.getByRole('dialog')
  const pair = async (key: string): Promise<void> => {
    await form.getByLabel('Key').fill(key)
    await form.getByLabel('Value').fill('x')
  }
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await pair(' branch ')
  await expect(refused('branch')).toHaveCount(0)
  const inLine = async (): Promise<number[]> =>
    Promise.all(
      [form.getByLabel('Key'), form.getByLabel('Value'), form.getByRole('button', { name: 'Add' })].map(
        async (control) => (await box(control)).y,
      ),
    )
  expect(new Set(await inLine()).size).toBe(1)
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(refused('branch')).toBeVisible()
  await expect(form.getByLabel('Key')).toBeFocused()
  await expect(form.getByLabel('Key')).toHaveAccessibleDescription('“branch” can’t be used as a parameter name')
  await expect(form.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  expect(new Set(await inLine()).size).toBe(1)
  await pair('access_token')
  await form.getByLabel('Value').press('Enter')
  await expect(refused('access_token')).toBeVisible()
  await expect(form.getByLabel('Key')).toBeFocused()
  // Names reserved by other calls are allowed here; other errors of the form do not take the focus.
  await pair('target')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByText('target=x')).toBeVisible()
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByLabel('Branch')).toHaveAttribute('aria-invalid', 'true')
  expect(host.made(`POST ${builds}`).map(({ query }) => query)).toEqual(['?target=x'])
  await pair('commit')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(refused('commit')).toBeVisible()
  await expect(form.getByLabel('Key')).toBeFocused()
  await expect(form.getByLabel('Value')).toHaveValue('x')
  expect(host.made(`POST ${builds}`)).toHaveLength(1)

  await go('/octocat/hello/42')
  await choose(page, 'Promote')
  await pair('target')
  await form.getByRole('button', { name: 'Deploy' }).click()
  await expect(refused('target')).toBeVisible()
  await expect(form.getByLabel('Key')).toBeFocused()
  expect(host.made(`POST ${builds}/42/promote`)).toHaveLength(0)
  await page.keyboard.press('Escape')

  // The dialog says that a promoted build's parameter of that name is left out.
  await page.getByRole('button', { name: 'Restart actions' }).click()
  await page.getByRole('menuitem', { name: 'With changes…' }).click()
  await expect(form.getByRole('button', { name: /^Remove/ })).toHaveAccessibleName('Remove LEVEL')
  await expect(form.getByRole('region', { name: 'Changes from #42' })).toContainText(/branch.*trunk → none/)
})

test('an invalid new user: the focus moves to the field, and the dialog shows the server’s reason @system', async ({
  page,
  host,
  go,
}) => {
  const reason = 'There is no repository acme/nothing'
  signedInAs(host, { admin: true, ...ours })
    .on('GET /api/users', ok([data.user({ admin: true })]))
    .on('POST /api/users', fail(400, reason))
  await go('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const form = page.getByRole('dialog', { name: 'New user' })
  const create = form.getByRole('button', { name: 'Create' })
  await create.click()
  await expect(form.getByLabel('Login')).toBeFocused()
  await form.getByLabel('Login').fill('bob')
  await create.click()
  await expect(form.getByLabel('Email')).toBeFocused()
  await form.getByLabel('Email').fill('bob@example.com')
  await form.getByLabel('Repositories').selectOption('Selected repositories…')
  await create.click()
  await expect(form.getByLabel('Names')).toBeFocused()
  await form.getByLabel('Names').fill('acme/nothing')
  await create.click()
  await toastShows(page, `Unable to create new user: ${reason}`)
  await expect(form.getByText(reason, { exact: true })).toBeVisible()
  await expect(form.getByLabel('Names')).toHaveValue('acme/nothing')
})

test('an existing secret’s name is reported at the field, compared as the server does', async ({ page, host, go }) => {
  withRepo(host)
  signedInAs(host, { admin: true, ...ours })
  const path = '/api/repos/octocat/hello/secrets'
  host
    .on(`GET ${path}`, ok([data.secret({ name: 'Token' })]))
    .on(`POST ${path}`, ok(data.secret({ name: 'token' })))
    .on('GET /api/secrets/octocat', ok([data.secret({ name: 'Token' })]))
  await go('/octocat/hello/settings/secrets')
  const add = async (name: string): Promise<void> => {
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Value').fill('hush')
    await page.getByRole('button', { name: 'Add secret' }).click()
  }
  const taken = page.getByText('A secret named Token already exists', { exact: true })
  await add(' Token ')
  await expect(taken).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  expect(host.made(`POST ${path}`)).toHaveLength(0)
  await add('token')
  await toastShows(page, 'Secret has been added successfully')
  expect(host.made(`POST ${path}`)).toHaveLength(1)
  await go('/octocat/hello/settings/organization')
  await add('token')
  await expect(taken).toBeVisible()
  expect(host.made('POST /api/secrets/octocat')).toHaveLength(0)
})

test('unsaved text in the settings is kept while another page is open @system', async ({ page, host, go }) => {
  withRepo(host)
  const path = '/api/repos/octocat/hello'
  const { opened, open } = latch()
  host.on(`PATCH ${path}`, async (call) => {
    await opened
    const saved = ok({ ...data.repo(), ...JSON.parse(call.body) })
    host.on(`GET ${path}`, saved)
    return saved
  })
  await go('/octocat/hello/settings')
  const configuration = page.getByLabel('Configuration')
  const unsaved = page.getByText('You have unsaved changes.')
  const visit = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await configuration.fill('ci.yml')
  await expect(unsaved).toHaveCount(0)
  await visit('Secrets')
  await page.getByLabel('Name', { exact: true }).fill('token')
  await page.getByLabel('Value').fill('hush')
  await visit('General')
  await expect(configuration).toHaveValue('ci.yml')
  await expect(unsaved).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('token')
  await expect(page.getByLabel('Value')).toHaveValue('hush')
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('hush')
  await visit('General')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(configuration).toHaveValue('.drone.yml')
  await expect(unsaved).toHaveCount(0)
  // Saved while another page is shown, it is no longer a draft.
  await configuration.fill('other.yml')
  await page.getByRole('button', { name: 'Save' }).click()
  await visit('Badges')
  open()
  await toastShows(page, 'Changes have been saved')
  await visit('General')
  await expect(configuration).toHaveValue('other.yml')
  await expect(unsaved).toHaveCount(0)
})
