/** Local repositories: a commit starts a build, and open pages show it. */
import { join } from 'node:path'
import { activate, buildLink, expectStatus, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

const twoSteps = pipeline({ greet: ['echo hello from the build'], wait: ['sleep 3', 'echo done waiting'] })

test('a commit starts a build, and a second browser sees it appear and finish without a reload @system', async ({
  browser,
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', twoSteps)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)

  const second = await browser.newPage()
  await signIn(second, server.origin)
  await second.goto(`${server.origin}/${rocket.slug}`)
  await expect(second.getByRole('button', { name: 'New Build' })).toBeVisible()
  // Not `framenavigated`, which is also emitted when the idle page replaces its history entry.
  const documents: string[] = []
  second.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })

  await rocket.commit('Light the engines', { 'engine.txt': 'on' })

  const row = second.locator('main').getByRole('link').filter({ hasText: 'Light the engines' }).last()
  await expect(row).toBeVisible({ timeout: 15_000 })
  await expectStatus(row, 'running')
  await expectStatus(row, 'success')
  expect(documents).toEqual([])

  await row.click()
  await second.getByRole('link', { name: /greet/ }).click()
  await expect(second.getByText('hello from the build', { exact: true })).toBeVisible()
  await second.close()
})

test('a commit with [ci skip] starts no build, the next one does @system', async ({ page, folder, start }) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await page.goto(`${server.origin}/${rocket.slug}`)

  await rocket.commit('Fix a typo [ci skip]', { a: '1' })
  await rocket.commit('Tell the truth', { a: '2' })
  await expect(page.getByText('Tell the truth').last()).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Fix a typo')).toHaveCount(0)
})

test('an invalid pipeline file creates an error build that shows the reason @system', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await rocket.commit('Break the pipeline', { '.drone.yml': 'kind: pipeline\nsteps: [ {\n' })
  await page.goto(`${server.origin}/${rocket.slug}`)
  const row = page.locator('main').getByRole('link').filter({ hasText: 'Break the pipeline' }).last()
  await expect(row).toBeVisible({ timeout: 15_000 })
  await expectStatus(row, 'error')
  await row.click()
  await expect(page.getByText(/line \d+/).first()).toBeVisible()
})

test('the builds of a repository can be opened from its list @system', async ({ page, folder, start }) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await page.goto(`${server.origin}/${rocket.slug}`)
  await rocket.commit('One', { a: '1' })
  await expectStatus(buildLink(page, rocket.slug, 1), 'success')
  await buildLink(page, rocket.slug, 1).click()
  await expect(page).toHaveURL(new RegExp(`/${rocket.slug}/1(/|$)`))
  await expect(page.getByText('1 stage', { exact: true })).toBeVisible()
})
