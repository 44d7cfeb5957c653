/**
 * A whole task without a mouse: sign in, open a repository, New Build, watch the log, cancel,
 * restart.
 */
import { join } from 'node:path'
import { press } from '../support/keys.ts'
import { activate, expectStatus, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { admin } from '../support/server.ts'

test.setTimeout(120_000)

const endless = pipeline({ count: ['i=0; while true; do i=$((i+1)); echo "count $i"; sleep 0.2; done'] })

test('a whole task without a mouse', async ({ page, folder, start, browser }) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', endless)
  const server = await start({ repos })
  const helper = await browser.newPage()
  await signIn(helper, server.origin)
  await activate(helper, server.origin, rocket.slug)
  await helper.close()
  const enter = () => page.keyboard.press('Enter')

  await test.step('sign in', async () => {
    await page.goto(`${server.origin}/`)
    await press(page, 'Tab', page.getByRole('link', { name: 'Continue' }))
    await enter()
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.keyboard.type(admin.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(admin.password)
    await enter()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  })

  await test.step('open the repository and start a build', async () => {
    await press(page, 'Tab', page.locator('main a[href="/space/rocket"]').last())
    await enter()
    await press(page, 'Tab', page.getByRole('button', { name: 'New Build' }))
    await enter()
    const dialog = page.getByRole('dialog', { name: 'Create a New Build' })
    await press(page, 'Tab', dialog.getByRole('button', { name: 'Create' }))
    await enter()
    await expect(page).toHaveURL(/\/space\/rocket\/1(\/|$)/)
  })

  await test.step('watch the log', async () => {
    await press(
      page,
      'Tab',
      page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link', { name: /\bcount\b/ }),
    )
    await enter()
    await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })
  })

  await test.step('cancel and restart', async () => {
    await press(page, 'Shift+Tab', page.getByRole('button', { name: 'Cancel' }))
    await enter()
    await expectStatus(page.locator('main'), 'killed')
    const actions = page.getByRole('button', { name: 'Actions' })
    // The event can arrive before the response to Cancel; until then the button is busy.
    await expect(actions).toBeEnabled()
    await press(page, 'Tab', actions)
    await enter()
    await expect(page.getByRole('menuitem', { name: 'Restart' })).toBeFocused()
    await enter()
    await expect(page).toHaveURL(/\/space\/rocket\/2\/1\/\d$/)
    await press(page, 'Shift+Tab', page.getByRole('button', { name: 'Cancel' }))
    await enter()
    await expectStatus(page.locator('main'), 'killed')
  })
})
