/**
 * Network faults between the gateway and the server: the page reports them and recovers without a
 * reload.
 */
import { join } from 'node:path'
import { DroneStand, standToken } from '../../server/src/testing/drone-stand.ts'
import { Faults } from '../support/faults.ts'
import { test as base, expect } from '../support/product.ts'

const test = base.extend<{ world: { drone: DroneStand; faults: Faults; origin: string } }>({
  world: async ({ folder, start, page }, use) => {
    const drone = await new DroneStand().listen()
    const faults = new Faults(drone.origin)
    const server = await faults.listen()
    const { origin } = await start({ data: join(folder, 'gateway'), server })
    await page.request.post(`${origin}/login/token`, { form: { token: standToken }, headers: { Origin: origin } })
    await use({ drone, faults, origin })
    faults.close()
    drone.close()
  },
})
test.setTimeout(120_000)
test.use({ through: false })

test('a truncated response is an error with Retry, which works once the server is back', async ({ page, world }) => {
  const { faults, origin } = world
  faults.start('half', /\/acme\/web\/builds/)
  await page.goto(`${origin}/acme/web`)
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible()
  faults.end()
  await retry.click()
  await expect(page.getByRole('main')).toContainText('a long build')
})

test('a late response is shown when it arrives', async ({ page, world }) => {
  const { faults, origin } = world
  faults.start('late', /\/acme\/web\/builds/)
  await page.goto(`${origin}/acme/web`)
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
  await expect(page.getByRole('main').getByText('a long build')).toHaveCount(0)
  faults.end()
  await expect(page.getByRole('main')).toContainText('a long build')
})

test('a missing response is reported, and navigation still works', async ({ page, world }) => {
  const { faults, origin } = world
  faults.start('late', /\/acme\/web\/builds/)
  await page.goto(`${origin}/acme/web`)
  const late = page.getByRole('status').getByText('This is taking longer than usual…')
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
  await expect(late).toHaveCount(0)
  await expect(late.first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByRole('main')).toContainText('acme/web')
  await expect(late).toHaveCount(0)
})

test('a truncated log is an error with Retry, not a log', async ({ page, world }) => {
  const { drone, faults, origin } = world
  drone.cancel()
  faults.start('half', /\/logs\/1\/2/)
  await page.goto(`${origin}/acme/web/35/1/2`)
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible()
  const rows = page.getByRole('log').locator('[data-line]')
  await expect(rows).toHaveCount(0)
  faults.end()
  await retry.click()
  await expect(rows).toHaveCount(3)
})

test('an older response that arrives after a newer one changes no screen', async ({ page, world }) => {
  const { drone, faults, origin } = world
  faults.start('mixed', /\/api\/stream$/)
  await page.goto(`${origin}/acme/web`)
  const build = (number: number) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `#${number}` })
  await expect(build(35)).toContainText('running')
  await expect.poll(() => drone.readers).toBe(1)
  drone.advance()
  drone.finish()
  // Sent after both: when this build is visible, both have been handled.
  drone.tell(drone.create())
  drone.tell(drone.create())
  await expect(build(36)).toBeVisible()
  await expect(build(37)).toBeVisible()
  await expect(build(35)).toContainText('success')
})

test('reordered lines are sorted, and a broken stream is reopened', async ({ page, world }) => {
  const { drone, faults, origin } = world
  faults.start('mixed', /\/api\/stream\/acme/)
  await page.goto(`${origin}/acme/web/35/1/2`)
  const rows = page.getByRole('log').locator('[data-line]')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('echo started')
  await expect(rows.nth(1)).toContainText('started')
  await expect(rows.nth(2)).toContainText('sleep 60')
  // All streams are cut while somebody cancels the build.
  faults.end()
  faults.cut()
  drone.cancel()
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('killed')
  await expect(page.getByText('Step is killed (canceled)')).toBeVisible()
  await expect(rows).toHaveCount(3)
})

test('while the server is down, the page says so and sign-in shows the reason', async ({ page, world }) => {
  const { faults, origin } = world
  faults.close()
  await page.goto(`${origin}/acme/web`)
  await expect(page.getByRole('alert')).toContainText('refused the connection')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await page.goto(`${origin}/login`)
  await expect(page.getByRole('heading')).toContainText('refused the connection')
  await expect(page.getByRole('link', { name: 'Retry' })).toBeVisible()
})
