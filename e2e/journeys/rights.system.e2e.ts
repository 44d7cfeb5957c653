/** The actors of builds, and changes that revoke access. */
import { join } from 'node:path'
import { activate, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { admin } from '../support/server.ts'
import { toastShows } from '../support/toasts.ts'

test.setTimeout(90_000)

test('a build names the people who restarted and canceled it', async ({ page, folder, start }) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', pipeline({ wait: ['sleep 1000'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)
  await page.goto(`${server.origin}/${slug}`)
  await startBuild(page)
  await page.goto(`${server.origin}/${slug}/1`)
  const deeds = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const status = page.getByRole('status', { name: 'Build status' })
  await expect(status).toContainText('Canceled by ada just now')
  // The page shows it once.
  await expect(deeds).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Restart', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/${slug}/2/1/[12]$`))
  const header = page.getByRole('main').locator('header').first()
  await expect(header).toContainText('ada restarted #1 · started a custom build of ')
  await expect(header.getByRole('link', { name: '#1', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(status).toContainText('Canceled by ada just now')
  await page.goto(`${server.origin}/${slug}`)
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '#2 Begin' })).toContainText(
    'ada restarted #1',
  )
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '#2 Begin' })).toContainText(
    'Canceled by ada just now',
  )
})

test('a new password replaces the token unless the box is cleared; one administrator must remain', async ({
  page,
  browser,
  start,
}) => {
  const server = await start()
  await signIn(page, server.origin)
  const works = async (token: string) =>
    (await fetch(`${server.origin}/api/user`, { headers: { Authorization: `Bearer ${token}` } })).ok

  await test.step('the own password', async () => {
    await page.goto(`${server.origin}/account`)
    const shown = page.getByRole('region', { name: 'Your personal token:' }).locator('pre')
    await expect(shown).toHaveText(/^\w{32}$/)
    const box = page.getByLabel('Also replace my token')
    const change = async (old: string, password: string) => {
      await page.getByLabel('Current password').fill(old)
      await page.getByLabel('New password', { exact: true }).fill(password)
      await page.getByLabel('Confirm new password').fill(password)
      const answered = page.waitForResponse('**/api/user/password')
      await page.getByRole('button', { name: 'Change password' }).click()
      expect((await answered).status()).toBe(204)
    }
    const first = await shown.innerText()
    await expect(box).toBeChecked()
    await box.uncheck()
    await change(admin.password, 'the second password')
    expect(await works(first)).toBe(true)
    await box.check()
    await change('the second password', 'the third password')
    await expect(shown).not.toHaveText(first)
    expect([await works(first), await works(await shown.innerText())]).toEqual([false, true])
  })

  await test.step('a reset', async () => {
    const made = await page.request.post(`${server.origin}/api/users`, {
      headers: { Origin: server.origin },
      data: { login: 'yan' },
    })
    const { invitation } = (await made.json()) as { invitation: { url: string } }
    const yan = await (await browser.newContext()).newPage()
    await yan.goto(invitation.url)
    await yan.getByLabel('New password', { exact: true }).fill('the first password')
    await yan.getByLabel('Confirm new password').fill('the first password')
    await yan.getByRole('button', { name: 'Set password and sign in' }).click()
    await expect(yan.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    const { token } = (await (
      await yan.request.post(`${server.origin}/api/user/token`, { headers: { Origin: server.origin } })
    ).json()) as { token: string }
    await page.goto(`${server.origin}/settings/users`)
    const reset = async (keep: boolean) => {
      await page.getByRole('button', { name: 'Reset password of yan' }).click()
      const question = page.getByRole('dialog')
      const box = question.getByLabel('Also replace the token')
      await expect(box).toBeChecked()
      if (keep) await box.uncheck()
      await question.getByRole('button', { name: 'Reset password', exact: true }).click()
      await page.getByRole('dialog', { name: 'Invitation for yan' }).getByRole('button', { name: 'Done' }).click()
    }
    await reset(true)
    expect(await works(token)).toBe(true)
    await reset(false)
    expect(await works(token)).toBe(false)
  })

  await test.step('the last administrator', async () => {
    const remove = page.getByRole('button', { name: 'Delete user ada' })
    await expect(remove).toBeDisabled()
    await expect(remove).toHaveAccessibleDescription('The last administrator cannot be deleted')
    await expect(page.getByRole('button', { name: 'Delete user yan' })).toBeEnabled()
  })
})

test('the badge of a private repository is made public in its settings', async ({ page, start }) => {
  const server = await start()
  await signIn(page, server.origin)
  const [repo] = (await (await page.request.get(`${server.origin}/api/user/repos`)).json()) as { slug: string }[]
  const settings = `${server.origin}/${repo?.slug}/settings/badges`
  const open = page.getByRole('switch', { name: 'Make the badge public' })
  await page.goto(settings)
  await expect(open).not.toBeChecked()
  await open.click()
  await toastShows(page, 'Changes have been saved')
  await page.reload()
  await expect(open).toBeChecked()
  // Other servers have no such key, and their badges are always public.
  await page.route(`**/api/repos/${repo?.slug}`, async (route) => {
    const { public_badge: _, ...other } = (await (await route.fetch()).json()) as Record<string, unknown>
    await route.fulfill({ json: other })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Badges' })).toBeVisible()
  await expect(open).toHaveCount(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
