/** The audit log, on the real server. */
import { readFile } from 'node:fs/promises'
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'

test('an administrator finds the author of a token, and exports the filtered list @system', async ({ page, start }) => {
  const { origin } = await start({})
  await signIn(page, origin)
  await page.goto(`${origin}/account`)
  const tokens = page.getByRole('region', { name: 'Named tokens' })
  for (const name of ['nightly report', '=deploy']) {
    await tokens.getByLabel('Token name').fill(name)
    await tokens.getByRole('button', { name: 'Create token' }).click()
    await expect(tokens.getByRole('region', { name: `Token ${name}` })).toBeVisible()
  }
  const value = await tokens.locator('pre').last().innerText()
  await page.goto(`${origin}/settings/audit`)
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(changes.filter({ hasText: '=deploy' })).toContainText('127.0.0.1')
  await page.getByRole('searchbox', { name: 'Repository, name or action' }).fill('nightly')
  await expect(changes).toHaveCount(1)
  await expect(changes).toContainText('nightly report')
  await expect(page).toHaveURL(/nightly/)
  await page.reload()
  await expect(changes).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Repository, name or action' }).fill('deploy')
  await expect(changes).toHaveText([/=deploy/])
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain('deploy')
  expect(csv).not.toMatch(/(^|,|")=deploy/m)
  expect(csv).not.toContain('nightly')
  expect(csv).not.toContain(value)
})
