/** Each click acts once, and a late response does not change the page. */
import type { Page } from '@playwright/test'
import {
  choose,
  data,
  latch,
  expect,
  fail,
  ok,
  openDialog,
  test,
  withBuild,
  withRepo,
  toastShows,
} from '../support/screens.ts'

const repo = '/api/repos/octocat/hello'
const notifications = (page: Page) => page.getByRole('status', { name: 'Notifications' })

test('clicking Restart twice creates one build', async ({ page, host, go }) => {
  withBuild(host)
  const { opened, open } = latch()
  host
    .on(`POST ${repo}/builds/42`, async () => {
      await opened
      return ok(data.build({ number: 43 }))
    })
    .on(`GET ${repo}/builds/43`, ok(data.detail({ number: 43, id: 8 })))
  await go('/octocat/hello/42')
  await choose(page, 'Restart')
  await expect.poll(() => host.made(`POST ${repo}/builds/42`).length).toBe(1)
  const actions = page.getByRole('button', { name: 'Actions' })
  await expect(actions).toHaveAttribute('aria-disabled', 'true')
  await actions.click({ force: true })
  await actions.press('Enter')
  await actions.press('ArrowDown')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  open()
  await expect(page).toHaveURL(/\/octocat\/hello\/43\/1\/1$/)
  await expect(page.getByRole('button', { name: 'Actions' })).not.toHaveAttribute('aria-disabled', 'true')
  expect(host.made(`POST ${repo}/builds/42`)).toHaveLength(1)
})

test('an action is still pending when the user returns to its page @system', async ({ page, host, go }) => {
  withBuild(host)
  const { opened, open } = latch()
  host.on(`POST ${repo}/builds/42`, async () => {
    await opened
    return fail(500, 'no runner')
  })
  await go('/octocat/hello/42')
  await choose(page, 'Restart')
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await page.goBack()
  const actions = page.getByRole('button', { name: 'Actions' })
  await expect(actions).toHaveAttribute('aria-disabled', 'true')
  open()
  await toastShows(page, 'Unable to restart build: no runner')
  await expect(actions).not.toHaveAttribute('aria-disabled', 'true')
})

test('a late response to Create does not navigate; a message and the list of builds report it @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  const { opened, open } = latch()
  host.on(`POST ${repo}/builds`, async () => {
    await opened
    host.on(`GET ${repo}/builds`, ok([data.build({ id: 8, number: 43, message: 'By hand' }), data.build()]))
    return ok(data.build({ id: 8, number: 43 }))
  })
  await go('/octocat/hello/branches')
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await page.getByRole('button', { name: 'New Build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => host.made(`POST ${repo}/builds`).length).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL(/\/branches$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  open()
  await toastShows(page, 'New build has started successfully')
  await expect(page).toHaveURL(/\/branches$/)
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await expect(page.getByText('By hand')).toBeVisible()
})

test('the list of builds is read again after New Build @system', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`POST ${repo}/builds`, ok(data.build({ id: 8, number: 43 })))
  host.on(`GET ${repo}/builds/43`, ok(data.detail({ id: 8, number: 43 })))
  await go('/octocat/hello')
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await page.getByRole('button', { name: 'New Build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/43$/)
  await page.goBack()
  await expect.poll(() => host.made(`GET ${repo}/builds`).length).toBe(2)
})

test('the promote dialog closes with its page: Back does not deploy a different build @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ number: 41, id: 6 }))
  withBuild(host)
  host.on(`GET ${repo}/builds/41`, ok(data.detail({ number: 41, id: 6 })))
  for (const number of [41, 42]) host.on(`POST ${repo}/builds/${number}/promote`, ok(data.build({ number: 45 })))
  host.on(`POST ${repo}/builds/41`, ok(data.build({ number: 42 })))
  await go('/octocat/hello/41')
  await choose(page, 'Restart')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await choose(page, 'Promote')
  await expect(page.getByRole('dialog')).toContainText('#42')
  await page.goBack()
  await expect(page).toHaveURL(/\/41$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(host.calls.filter((call) => call.path.endsWith('/promote'))).toEqual([])
})

test('a confirmation closes with its page @system', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`GET ${repo}/secrets`, ok([data.secret()]))
  await go('/octocat/hello/settings')
  await page.getByRole('link', { name: 'Secrets' }).click()
  await page.getByRole('button', { name: 'Delete secret password' }).click()
  await expect(openDialog(page)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeVisible()
  await expect(openDialog(page)).toHaveCount(0)
  expect(host.calls.filter((call) => call.method === 'DELETE')).toEqual([])
})

test('a read sent before Save and answered after it does not restore the old values @system', async ({
  page,
  host,
  go,
}) => {
  const old = withRepo(host)
  const { opened, open } = latch()
  host.on(`PATCH ${repo}`, (call) => ok({ ...old, ...JSON.parse(call.body) }))
  await go('/octocat/hello/settings')
  const configuration = page.getByLabel('Configuration')
  const save = page.getByRole('button', { name: 'Save' })
  await configuration.fill('ci.yml')
  // In the browser, which sends no other request to this URL meanwhile.
  const asked = page.waitForRequest((request) => request.url().endsWith(repo))
  await page.route(`**${repo}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    await opened
    return route.fulfill({ json: old })
  })
  // Data that may have been missed meanwhile is read again.
  await host.reader('/api/stream')
  host.cutStreams()
  const late = await asked
  await save.click()
  await toastShows(page, 'Changes have been saved')
  open()
  await (await late.response())?.finished()
  await page.getByRole('switch', { name: 'Ignore forks' }).click()
  await expect(configuration).toHaveValue('ci.yml')
  await save.click()
  await expect.poll(() => host.made(`PATCH ${repo}`).length).toBe(2)
  expect(JSON.parse(host.made(`PATCH ${repo}`)[1]?.body ?? '')).toMatchObject({
    config_path: 'ci.yml',
    ignore_forks: true,
  })
})

test('text typed while a form is saving stays @system', async ({ page, host, go }) => {
  withRepo(host)
  const doors = [latch(), latch(), latch()] as const
  host
    .on(`POST ${repo}/secrets`, async () => {
      await doors[0].opened
      return ok(data.secret({ name: 'one' }))
    })
    .on(`POST ${repo}/cron`, async () => {
      await doors[1].opened
      return ok(data.cron({ name: 'one' }))
    })
    .on(`PATCH ${repo}`, async (call) => {
      await doors[2].opened
      return ok({ ...data.repo(), ...JSON.parse(call.body) })
    })
  await go('/octocat/hello/settings/secrets')
  await page.getByLabel('Name').fill('one')
  await page.getByLabel('Value').fill('first')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect.poll(() => host.made(`POST ${repo}/secrets`).length).toBe(1)
  await page.getByLabel('Name').fill('two')
  doors[0].open()
  await toastShows(page, 'Secret has been added successfully')
  await expect(page.getByLabel('Value')).toHaveValue('')
  await expect(page.getByLabel('Name')).toHaveValue('two')

  await page.getByRole('link', { name: 'Cron Jobs' }).click()
  // The previous page has a field with the same name, and stays until the next page's code has
  // loaded.
  await expect(page.getByRole('button', { name: 'Add cron job' })).toBeVisible()
  await page.getByLabel('Name').fill('one')
  await page.getByRole('button', { name: 'Add cron job' }).click()
  await expect.poll(() => host.made(`POST ${repo}/cron`).length).toBe(1)
  await page.getByLabel('Branch').fill('stable')
  doors[1].open()
  await toastShows(page, 'Cron has been added successfully')
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByLabel('Branch')).toHaveValue('stable')

  await page.getByRole('link', { name: 'General' }).click()
  await page.getByLabel('Configuration').fill('ci.yml')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => host.made(`PATCH ${repo}`).length).toBe(1)
  await page.getByLabel('Configuration').fill('ci.yaml')
  await page.getByRole('switch', { name: 'Ignore forks' }).click()
  doors[2].open()
  await toastShows(page, 'Changes have been saved')
  await expect(page.getByLabel('Configuration')).toHaveValue('ci.yaml')
  await expect(page.getByRole('switch', { name: 'Ignore forks' })).toBeChecked()
})

test('after New Build the log of the running step is shown, then that of the next one', async ({ page, host, go }) => {
  withRepo(host)
  const steps = [data.step({ number: 1, name: 'compile' }), data.step({ id: 2, number: 2, name: 'check' })]
  const at = (running: number, version: number) => {
    const known = steps.map((step, index) => ({
      ...step,
      version,
      status: index < running ? ('success' as const) : index === running ? ('running' as const) : ('pending' as const),
    }))
    const stages = [data.stage({ status: 'running', version, steps: known })]
    return data.detail({ id: 8, number: 43, version, status: 'running', finished: 0, stages })
  }
  const notify = (build: ReturnType<typeof at>) => {
    host.on(`GET ${repo}/builds/43`, ok(build))
    return host.push('/api/stream', { ...data.repo(), build })
  }
  const line = (step: number, out: string) =>
    host.push(`/api/stream/octocat/hello/43/1/${step}`, { pos: 0, out, time: 1 })
  host.on(`POST ${repo}/builds`, ok(data.build({ id: 8, number: 43 }))).on(`GET ${repo}/builds/43`, ok(at(0, 10)))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await line(1, 'compiling')
  await expect(page.getByRole('log', { name: 'Log of compile' })).toContainText('compiling')
  await notify(at(1, 11))
  await line(2, 'checking')
  await expect(page.getByRole('log', { name: 'Log of check' })).toContainText('checking')
  await expect(page).toHaveURL(/\/octocat\/hello\/43\/1\/2$/)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
})

test('a refusal is shown once: first as a toast, then at the form @system', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`POST ${repo}/builds`, fail(404, 'no such branch'))
  const dialog = page.getByRole('dialog')
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await dialog.getByLabel('Branch').fill('nowhere')
  const button = dialog.getByRole('button', { name: 'Create' })
  await button.click()
  await toastShows(page, 'Unable to start a new build: no such branch')
  await expect(button).not.toHaveAttribute('aria-busy', 'true')
  // Checked immediately: a moment later the toast is gone in any case.
  expect(await page.getByText('no such branch').count()).toBe(1)
  await expect(notifications(page).getByText('no such branch')).toHaveCount(0)
  await expect(dialog.getByText('no such branch')).toBeVisible()
})

test('Escape pressed twice in the search leaves the search, not the page @system', async ({ page, host, go }) => {
  withRepo(host)
  await go('/')
  await page
    .getByRole('link', { name: /octocat\/hello/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  // Twice before the browser has gone back once, as a fast double press of Escape.
  await page.getByRole('dialog', { name: 'Search' }).evaluate((dialog) => {
    for (let times = 0; times < 2; times++) dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Search' })).toHaveCount(0)
  await expect(page).toHaveURL(/\/octocat\/hello$/)
})

test('f typed into a field is a letter @system', async ({ page, host, go }) => {
  const failed = data.step({ number: 2, name: 'break', status: 'failure', exit_code: 1 })
  withBuild(
    host,
    data.detail({ status: 'failure', stages: [data.stage({ status: 'failure', steps: [data.step(), failed] })] }),
  )
  await go('/octocat/hello/42/1/1')
  await expect(page.getByRole('button', { name: 'break failed in unit' })).toBeVisible()
  await page.getByRole('button', { name: 'Find in log' }).click()
  const field = page.getByRole('searchbox', { name: 'Find in log' })
  await field.pressSequentially('if')
  await expect(field).toHaveValue('if')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await page.evaluate(() => {
    const editable = document.createElement('div')
    editable.contentEditable = 'true'
    document.querySelector('main')?.append(editable)
    editable.focus()
  })
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/\/42\/1\/2$/)
})

test('New Build offers the default branch and those that were built, the newest first @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(
    'GET /api/repos/octocat/hello/builds/branches',
    ok([data.build({ target: 'old', created: 10 }), data.build({ target: 'feature/parser', created: 20 })]),
  )
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  const field = page.getByRole('dialog').getByRole('combobox', { name: 'Branch' })
  await expect(field).toHaveValue('')
  const offered = () =>
    field.evaluate((input: HTMLInputElement) => Array.from(input.list?.options ?? [], ({ value }) => value))
  await expect.poll(offered).toEqual(['main', 'feature/parser', 'old'])
})
