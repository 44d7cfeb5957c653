/** A team's first day with a real Gogs. Runs if FLIGHTDECK_GOGS is the path of a Gogs 0.13. */
import type { Page } from '@playwright/test'
import { firstDay, pushPipeline, setUpTeam, takePicture, type Team } from '../support/first-day.ts'
import { expect, test } from '../support/product.ts'
import { gogsFork, gogsProgram, startGogs } from '../../server/src/testing/gogs.ts'
import { forgePassword, type RealForge } from '../../server/src/testing/real-forge.ts'

test.setTimeout(120_000)
test.skip(!gogsProgram, 'FLIGHTDECK_GOGS is not set')

let gogs: RealForge
test.beforeAll(async () => {
  gogs = await startGogs(gogsProgram ?? '')
  await setUpTeam(gogs)
})
test.afterAll(async () => {
  await gogs.close()
})

async function signIn(page: Page, origin: string, login: string, password = forgePassword(login)): Promise<void> {
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in with your Gogs account' })).toBeVisible()
  await page.getByLabel('Username').fill(login)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the first day of a team with Gogs', async ({ page, browser, folder, start }) => {
  const team: Team = {
    title: 'Gogs',
    forge: gogs,
    branch: 'master',
    signIn: (of, origin, login) => signIn(of, origin, login),
    fork: () => gogsFork(gogs, 'bob', 'ann/app'),
    async openPull(title) {
      await gogs.form('bob', '/ann/app/compare/master...bob:fix', { title, content: 'Please' })
    },
    async mergePull() {
      await gogs.form('ann', '/ann/app/pulls/1/merge', { merge_style: 'create_merge_commit', commit_description: '' })
    },
    // Gogs has no commit statuses.
    expectPassed: async () => {},
  }
  const { app, sha: first } = await pushPipeline(team, folder)
  const { origin } = await start({ gogs: gogs.url })
  await test.step('a wrong password is refused with a message', async () => {
    await signIn(page, origin, 'ann', 'another word')
    await expect(page.getByText('Wrong Gogs username or password.')).toBeVisible()
    await takePicture(page, '1-refused')
  })
  await firstDay(team, { page, browser, folder, origin, first, app })
})
