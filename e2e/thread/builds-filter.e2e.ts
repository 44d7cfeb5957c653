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
})
