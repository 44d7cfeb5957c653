/** Access settings (Flightdeck only). */
import { expect, ok, ours, signedInAs, test, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello'

const withAccess = (host: Host): void => {
  signedInAs(host, { admin: true, ...ours })
  withRepo(host)
  host.on(`GET ${base}/collaborators`, ok([])).on(`GET ${base}/people`, ok([{ login: 'zoe', avatar: '' }]))
}

test('people are searched once typing pauses, not at each letter @system', async ({ page, host, go }) => {
  await page.clock.install()
  withAccess(host)
  await go('/octocat/hello/settings/access')
  const login = page.getByLabel('Login')
  await expect(login).toBeVisible()
  // On a slow machine, three letters take longer than the debounce interval.
  await page.clock.pauseAt(Date.now() + 60_000)
  await login.pressSequentially('zoe')
  await expect(login).toHaveValue('zoe')
  await page.clock.runFor(1_000)
  await expect.poll(() => host.made(`GET ${base}/people`).map(({ query }) => query)).toEqual(['?text=', '?text=zoe'])
})

test('an empty login is refused at its field, which gets the focus', async ({ page, host, go }) => {
  withAccess(host)
  await go('/octocat/hello/settings/access')
  await page.getByRole('button', { name: 'Grant access' }).click()
  await expect(page.getByText('Login is required')).toBeVisible()
  await expect(page.getByLabel('Login')).toBeFocused()
})
