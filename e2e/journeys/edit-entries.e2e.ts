/** Secrets and cron jobs are edited in place. */
import { join } from 'node:path'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { toastShows } from '../support/toasts.ts'

test.setTimeout(90_000)

test('a secret and a cron job are edited in place, and a job is run manually @system', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)

  await page.goto(`${server.origin}/${slug}/settings/secrets`)
  await page.getByLabel('Name').fill('token')
  await page.getByLabel('Value').fill('one')
  await page.getByRole('button', { name: 'Add secret' }).click()
  const secret = page.getByRole('listitem').filter({ hasText: 'token' })
  await expect(secret).toContainText('Changed just now by ada')

  await page.getByRole('button', { name: 'Edit secret token' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit secret token' })
  await expect(dialog.getByLabel('New value')).toBeFocused()
  await page.keyboard.type('two')
  await dialog.getByRole('switch', { name: 'Allow pull requests' }).check()
  await dialog.getByRole('button', { name: 'Save secret' }).click()
  await toastShows(page, 'Changes have been saved')
  await expect(secret).toContainText('pull requests')

  await page.goto(`${server.origin}/${slug}/settings/cron`)
  await page.getByLabel('Name').fill('nightly')
  await page.getByLabel('Branch').fill('main')
  await page.getByLabel('Schedule').selectOption('Custom expression…')
  await page.getByLabel('Expression').fill('0 30 4 * * 1-5')
  await expect(page.getByText('From Monday to Friday at 04:30')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Next runs' }).getByRole('row')).toHaveCount(6)
  await page.getByRole('button', { name: 'Add cron job' }).click()
  const job = page.getByRole('listitem').filter({ hasText: 'nightly' })
  await expect(job).toContainText('From Monday to Friday at 04:30')

  await page.getByRole('button', { name: 'Edit cron job nightly' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit cron job nightly' })
  await edit.getByLabel('Expression').fill('0 0 5 * * *')
  await edit.getByRole('button', { name: 'Save cron job' }).click()
  await expect(job).toContainText('Every day at 05:00')

  await page.getByRole('switch', { name: 'Enabled: nightly' }).click()
  await expect(job).toContainText('Disabled')
  await page.getByRole('button', { name: 'Run cron job nightly now' }).click()
  await toastShows(page, /^Build #\d+ has started$/)
  await expect(job.getByRole('link', { name: /Last run: #\d+/ })).toBeVisible()
})
