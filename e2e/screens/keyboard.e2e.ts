/** Dialogs, menus and forms without a mouse (fault list, "Keyboard and accessibility"). */
import type { Locator, Page } from '@playwright/test'
import { data, expect, ok, openDialog, signedInAs, test, withBuild, withRepo, toastShows } from '../support/screens.ts'
import { press } from '../support/keys.ts'

const path = '/api/repos/octocat/hello'
const isInside = (place: Locator) => place.evaluate((element) => element.contains(document.activeElement))

/**
 * Opened from `opener` with Enter, the dialog takes the focus, keeps it, and returns it on Escape.
 */
async function isModal(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await expect(dialog).toHaveAccessibleName(/\S/)
  await expect.poll(() => isInside(dialog)).toBe(true)
  for (let times = 0; times < 14; times++) {
    await page.keyboard.press(times % 3 === 2 ? 'Shift+Tab' : 'Tab')
    const outside = await page.evaluate(
      () =>
        document.activeElement?.closest('main form, main a, nav') !== null &&
        !document.activeElement?.closest('dialog'),
    )
    expect(outside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

test('every dialog has a name, takes the focus, keeps it, closes on Escape and returns it [F.keyboard.2] [F.keyboard.3] [F.keyboard.4] @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  signedInAs(host, { admin: true })
    .on('GET /api/users', ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann' })]))
    .on(`GET ${path}/secrets`, ok([data.secret()]))
  const button = (name: string) => page.getByRole('button', { name })
  await go('/octocat/hello')
  await isModal(page, button('New Build'), page.getByRole('dialog', { name: 'Create a New Build' }))
  await isModal(page, button('Search'), page.getByRole('dialog', { name: 'Search' }))
  await go('/octocat/hello/settings')
  await isModal(page, button('Disable'), openDialog(page))
  await go('/octocat/hello/settings/secrets')
  await isModal(page, button('Delete secret password'), openDialog(page))
  await go('/settings/users')
  await isModal(page, button('New user'), page.getByRole('dialog', { name: 'New user' }))
  await isModal(page, button('Edit user ann'), page.getByRole('dialog', { name: 'Edit user ann' }))
})

test('settings and secrets are changed without a mouse [F.keyboard.6] [F.keyboard.7] [F.keyboard.12] @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  host.on(`PATCH ${path}`, (call) => ok({ ...data.repo(), ...JSON.parse(call.body) }))
  host.on(`POST ${path}/secrets`, () => {
    host.on(`GET ${path}/secrets`, ok([data.secret({ name: 'token' })]))
    return ok(data.secret({ name: 'token' }))
  })
  host.on(`DELETE ${path}/secrets/token`, { status: 204 })
  await go('/octocat/hello')
  await press(page, 'Tab', page.getByRole('link', { name: 'Settings', exact: true }))
  await page.keyboard.press('Enter')
  await press(page, 'Tab', page.getByRole('switch', { name: 'Ignore forks' }))
  await page.keyboard.press('Space')
  await press(page, 'Tab', page.getByRole('radio', { name: 'public' }))
  // Radio buttons are one tab stop; arrow keys choose.
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'internal' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Timeout')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await press(page, 'Tab', page.getByLabel('Configuration'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('ci.yml')
  await page.keyboard.press('Enter')
  await toastShows(page, 'Changes have been saved')
  expect(JSON.parse(host.made(`PATCH ${path}`)[0]?.body ?? '')).toMatchObject({
    ignore_forks: true,
    visibility: 'internal',
    timeout: 90,
    config_path: 'ci.yml',
  })
  await press(page, 'Shift+Tab', page.getByRole('link', { name: 'Secrets' }))
  await page.keyboard.press('Enter')
  await press(page, 'Tab', page.getByLabel('Name'))
  await page.keyboard.type('token')
  await page.keyboard.press('Tab')
  await page.keyboard.type('hush')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('switch', { name: 'Allow pull requests' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toastShows(page, 'Secret has been added successfully')
  await press(page, 'Shift+Tab', page.getByRole('button', { name: 'Delete secret token' }))
  await page.keyboard.press('Enter')
  await press(page, 'Tab', openDialog(page).getByRole('button', { name: /^delete/i }))
  await page.keyboard.press('Enter')
  await toastShows(page, 'Secret has been removed successfully')
  // A click on its label toggles a switch as well.
  await page.getByText('Allow pull requests', { exact: true }).click()
  await expect(page.getByRole('switch', { name: 'Allow pull requests' })).toBeChecked()
})

test('a secret is added without a mouse', async ({ page, host, go }) => {
  withRepo(host)
  host.on(`POST ${path}/secrets`, ok(data.secret({ name: 'token' })))
  await go('/octocat/hello/settings/secrets')
  await page.getByLabel('Name').focus()
  for (const key of ['token', 'Tab', 'hush', 'Tab', 'Space', 'Tab', 'Enter'])
    await (/^[a-z]/.test(key) ? page.keyboard.type(key) : page.keyboard.press(key))
  await toastShows(page, 'Secret has been added successfully')
  const [{ body } = { body: '' }] = host.made(`POST ${path}/secrets`)
  expect(JSON.parse(body)).toMatchObject({ name: 'token', data: 'hush', pull_request: true })
  expect(page.url()).toBe(`${host.origin}/octocat/hello/settings/secrets`)
})

test('a build is approved without a mouse, and arrow keys move in its menu @system', async ({ page, host, go }) => {
  const build = `${path}/builds/42`
  withBuild(host, data.detail({ status: 'pending', stages: [data.stage({ status: 'blocked', steps: [] })] }))
  host.on(`POST ${build}/approve/1`, () => {
    withBuild(host)
    return { status: 204 }
  })
  await go('/octocat/hello')
  await press(page, 'Tab', page.getByRole('region', { name: 'Executions' }).getByRole('link'))
  await page.keyboard.press('Enter')
  await press(page, 'Tab', page.getByRole('button', { name: 'Approve Build' }))
  await page.keyboard.press('Enter')
  const actions = page.getByRole('button', { name: 'Actions' })
  await expect(actions).toBeVisible()
  await expect.poll(() => host.made(`POST ${build}/approve/1`).length).toBe(1)
  await actions.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Restart' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Debug' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await expect(actions).toHaveAttribute('aria-expanded', 'false')
})

test('keys pressed before a menu opens act in the menu @system', async ({ page, host, go }) => {
  withBuild(host, data.detail({ status: 'success' }))
  let release = (): void => undefined
  const pendingAnswer = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/open-menu-*.js', async (route) => {
    await pendingAnswer
    await route.continue()
  })
  await go('/octocat/hello/42')
  const actions = page.getByRole('button', { name: 'Actions' })
  await actions.focus()
  for (const key of ['Enter', 'ArrowDown', 'ArrowUp', 'End', 'Enter']) await page.keyboard.press(key)
  release()
  await expect(page.getByRole('dialog').getByRole('heading')).toHaveText('Create deployment')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  // The second time its code has loaded: the same with the keys in one task, before anything is
  // rendered.
  await actions.focus()
  const pressedAtOnce = (keys: string[]): Promise<void> =>
    page.evaluate((names) => {
      const [button] = [document.activeElement]
      if (button instanceof HTMLElement) button.click()
      for (const key of names)
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }, keys)
  await pressedAtOnce(['ArrowDown', 'ArrowDown'])
  await expect(page.getByRole('menuitem', { name: 'Debug' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await pressedAtOnce(['ArrowDown', 'Escape'])
  await expect(actions).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Restart' })).toBeFocused()
})
