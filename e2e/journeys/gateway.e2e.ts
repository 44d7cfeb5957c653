/** The gateway in front of an existing server: a second Flightdeck, which speaks Drone's API. */
import { join } from 'node:path'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { admin } from '../support/server.ts'

test.setTimeout(90_000)
// These tests start their own gateways.
test.use({ through: false })

const endless = pipeline({ count: ['i=0; while true; do i=$((i+1)); echo "count $i"; sleep 0.2; done'] })

test('through the gateway a person signs in, watches and cancels a build, and the page survives a server restart', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', endless)
  const server = await start({ repos })
  const gateway = await start({ data: join(folder, 'gateway'), server: server.origin })
  await signIn(page, gateway.origin)
  await activate(page, gateway.origin, rocket.slug)
  await page.goto(`${gateway.origin}/${rocket.slug}`)
  await startBuild(page)
  await page.goto(`${gateway.origin}/${rocket.slug}/1/1/2`)
  await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })

  // A failure behind the gateway is shown here and can be retried.
  await server.stop()
  const answer = await page.request.get(`${gateway.origin}/api/user`)
  expect([answer.status(), await answer.json()]).toEqual([
    502,
    { message: `The Drone server ${server.origin} refused the connection` },
  ])
  await start({ repos, port: Number(new URL(server.origin).port), later: true })
  await expectStatus(page.locator('main'), 'error')

  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Restart', exact: true }).click()
  // The page follows the running step, which can already be the second one.
  await expect(page).toHaveURL(new RegExp(`/${rocket.slug}/2/1/[12]$`))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectStatus(page.locator('main'), 'killed')
})

test('a token signs in if the server’s own sign-in redirects elsewhere, and signing out removes it @system', async ({
  page,
  folder,
  start,
}) => {
  const server = await start()
  const gateway = await start({ data: join(folder, 'gateway'), server: server.origin })
  await page.request.post(`${server.origin}/login`, { form: { username: admin.login, password: admin.password } })
  const answer = await page.request.post(`${server.origin}/api/user/token`)
  const { token } = (await answer.json()) as { token: string }
  await page.context().clearCookies()

  await page.goto(`${gateway.origin}/login/token`)
  await expect(page.getByLabel('Token')).toBeFocused()
  await page.getByLabel('Token').fill('mistyped')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The server does not accept this token')
  await page.goto(`${gateway.origin}/login/token`)
  await page.getByLabel('Token').fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const stored = JSON.stringify(await page.context().storageState())
  expect(stored).not.toContain(token)

  await page.goto(`${gateway.origin}/logout`)
  await page.goto(`${gateway.origin}/`)
  await expect(page).toHaveURL(/\/welcome$/)
})
