/** One token for everyone: a read-only wall. */
import { expect, standToken, test } from '../support/drone.ts'

test.setTimeout(90_000)

/** Screens on which a writer, an administrator or an account's owner has actions. */
const screens: [path: string, shows: string][] = [
  ['/', 'a long build'],
  ['/account', 'Everyone who opens this address reads as boss.'],
  ['/acme/web', 'a long build'],
  ['/acme/web/branches', 'master'],
  ['/acme/web/deployments', 'production'],
  ['/acme/web/settings', 'You can’t change these settings'],
  ['/acme/spare', 'Please contact the repository administrator'],
  ['/acme/web/2/1/2', 'Exit Code 3'],
  ['/acme/web/35/1/2', 'sleep 60'],
  ['/acme/gated/1', 'Build is blocked, please, contact repo admin in order to proceed'],
  ['/settings/users', 'We are sorry'],
]
const changes =
  /^(Sync|Syncing|Logout|New Build|Actions|Cancel|Restart|Approve|Decline|Activate|Save|Delete|Promote|Copy token|Add|Retry)/

test('a wall shows everything, and offers no action that the server would refuse', async ({ page, inFront }) => {
  const { drone, origin } = await inFront({ serverToken: standToken })
  for (const [path, shows] of screens) {
    await test.step(path, async () => {
      await page.goto(origin + path)
      await expect(page.getByRole('main')).toContainText(shows)
      await expect(page.getByRole('main').getByRole('button', { name: changes })).toHaveCount(0)
      await expect(page.getByRole('main').getByRole('link', { name: changes })).toHaveCount(0)
    })
  }
  expect(drone.requests.filter((question) => !question.startsWith('GET '))).toEqual([])
  // A change is shown and adds no button.
  await page.goto(`${origin}/acme/web/35/1/2`)
  drone.cancel()
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('killed')
  await expect(page.getByRole('button', { name: changes })).toHaveCount(0)
})
