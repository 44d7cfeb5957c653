/** The list of builds, filtered over the whole history. */
import { join } from 'node:path'
import { activate, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(90_000)

test('builds are filtered by chips that are in the address, and mine in one click', async ({ page, folder, start }) => {
  const repos = join(folder, 'repos')
  const { slug, commit } = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)
  await commit('Add an engine', { engine: 'on' })
  const rows = page.getByRole('region', { name: 'Executions' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await startBuild(page)
  await page.goto(`${server.origin}/${slug}`)
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL(/\?author=ada$/)
  await expect(rows).toHaveCount(1)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove filter Author: ada' }).press('Enter')
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await page.getByLabel('Event').selectOption('push')
  await page.getByLabel('Filter builds').fill('ENGINE')
  await expect(page).toHaveURL(/event=push&text=ENGINE$/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Add an engine')
  await page.getByLabel('Status').selectOption('declined')
  await expect(page.getByText('No builds match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(rows).toHaveCount(2)

  await page.getByLabel('Date', { exact: true }).selectOption('Last 7 days')
  await expect(page).toHaveURL(/since=7d$/)
  await expect(rows).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Shorter than' }).fill('a while')
  const fault = page.getByRole('alert')
  await expect(fault).toContainText('“a while” is not a duration. Use a duration such as 90s, 10m or 1h30m.')
  await expect(rows).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Shorter than' }).fill('1s')
  await page.getByRole('textbox', { name: 'Longer than' }).fill('1h')
  await expect(fault).toContainText('No build takes longer than 1h and less than 1s.')
  await page.getByRole('button', { name: 'Remove filter Shorter than: 1s' }).press('Enter')
  await expect(page.getByText('No builds match these filters')).toBeVisible()

  await page.goto(`${server.origin}/${slug}/branches?status=green&text=mai`)
  await expect(fault).toContainText('There is no status “green”. This filter is not applied.')
  const branch = page.getByRole('link', { name: /Add an engine/ })
  await expect(branch).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter branches' }).fill('zzz')
  await expect(page.getByText('No branches match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).press('Enter')
  await expect(branch).toBeVisible()
})
