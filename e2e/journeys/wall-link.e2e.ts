/** A screen without an account, opened by a link that is then revoked. */
import { join } from 'node:path'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { toastShows } from '../support/toasts.ts'

test.setTimeout(90_000)

test('a link shows the wall on a screen without an account until it is revoked', async ({
  page,
  browser,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug, commit } = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)
  await commit('Add an engine', { engine: 'on' })
  await page.goto(`${server.origin}/wall?repos=${slug}`)
  await expect(page.getByRole('listitem')).toContainText('Add an engine')
  await page.getByRole('button', { name: 'Create link' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('A name is required')).toBeVisible()
  await dialog.getByLabel('Link name').fill('Kitchen')
  await dialog.getByLabel('Link name').press('Enter')
  const link = (await dialog.getByText(/\/wall#fdw_/).textContent()) ?? ''
  await dialog.getByRole('link', { name: 'account' }).click()

  const screen = await (await browser.newContext()).newPage()
  await screen.goto(link)
  await expect(screen).toHaveURL(/\/wall\?link$/)
  await expect(screen.getByRole('heading', { name: 'Kitchen' })).toBeVisible()
  await expect(screen.getByRole('listitem')).toContainText('space/rocket')
  await commit('Ignite', { engine: 'ignited' })
  await expect(screen.getByRole('listitem')).toContainText('#2')
  await screen.reload()
  await expect(screen.getByRole('listitem')).toContainText('#2')

  await page.getByRole('button', { name: 'Revoke Kitchen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
  await toastShows(page, 'Kitchen has been revoked')
  await expect(screen.getByText('This link no longer works')).toBeVisible()
  await expect(screen.getByText('space/rocket')).toHaveCount(0)
  await screen.goto(link)
  await expect(screen.getByText('This link no longer works')).toBeVisible()
  await screen.goto(`${server.origin}/wall`)
  await expect(screen).toHaveURL(/\/welcome$/)
  await screen.context().close()
})
