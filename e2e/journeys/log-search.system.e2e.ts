/**
 * Finds the build in which a text first occurred, in the logs of the last builds on the real
 * server.
 */
import { join } from 'node:path'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

const config = pipeline({
  compile: ['echo quiet', 'echo "level $((DRONE_BUILD_NUMBER * 100))"'],
  pack: ['echo all done'],
})

test('a search in the last builds names the first build with the text, and links to its line', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', config)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  const banner = page.getByRole('status', { name: 'Build status' })
  await startBuild(page)
  await expectStatus(banner, 'success')
  for (const number of [2, 3]) {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Restart', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/rocket/${number}(/|$)`))
    await expectStatus(banner, 'success')
  }

  const find = page.getByRole('searchbox', { name: 'Find in log' })
  const where = page.getByRole('combobox', { name: 'Find in' })
  const status = page.getByRole('region', { name: 'Search results' }).getByRole('status')
  await page.getByRole('button', { name: 'Find in log' }).click()
  await find.fill('^level [23]00$')
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await where.selectOption('Last 50 builds')
  await expect(status).toContainText(/^First seen in #2 .*; found in 2 builds2 results in 2 steps$/)
  await page.getByRole('link', { name: /level 200/ }).click()
  await expect(page).toHaveURL(/\/rocket\/2\/\d\/\d#L\d+$/)
  await expect(page.getByRole('log').locator('[data-marked]')).toContainText('level 200')

  // The search text is kept for all steps of this build.
  await where.selectOption('This build')
  await find.fill('all done|level')
  await expect(page.getByRole('link', { name: /all done/ })).toHaveCount(2)
  await expect(status).toContainText(/ results in 2 steps$/)

  // A regular expression that takes too long is stopped with a message, and the next search works.
  await find.fill('(.+)+;')
  await where.selectOption('Last 50 builds')
  await expect(status).toContainText(/0 results in 0 steps/)

  // Flightdeck sends tenths of seconds and the step's start.
  const time = page.getByRole('log').locator('.log-time').first()
  await expect(time).toHaveText(/^\d+\.\ds$/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await expect(time).toHaveText(/^\+\d+\.\ds$/)
  await page.keyboard.press('t')
  await expect(time).toHaveText(/^\d\d:\d\d:\d\d\.\d$/)
})
