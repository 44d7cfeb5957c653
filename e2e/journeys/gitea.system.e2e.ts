/** A team's first day with a real Gitea. Runs if FLIGHTDECK_GITEA is the program's path. */
import { firstDay, pushPipeline, setUpTeam, takePicture, type Team } from '../support/first-day.ts'
import { expect, test } from '../support/product.ts'
import { giteaPrograms, startGitea, type Gitea } from '../../server/src/testing/gitea.ts'
import { forgePassword, freePort } from '../../server/src/testing/real-forge.ts'

test.setTimeout(120_000)
const found = giteaPrograms.find(({ kind }) => kind === 'gitea')
test.skip(!found, 'FLIGHTDECK_GITEA is not set')

let gitea: Gitea
test.beforeAll(async () => {
  gitea = await startGitea({ kind: 'gitea', program: found?.program ?? '', path: '/git' })
  await setUpTeam(gitea, { default_branch: 'main' })
})
test.afterAll(async () => {
  await gitea.close()
})

const statusOf = async (sha: string) =>
  ((await gitea.api('ann', 'GET', `/repos/ann/app/commits/${sha}/status`)) as { state: string }).state

test('the first day of a team with Gitea', async ({ page, browser, folder, start }) => {
  const team: Team = {
    title: 'Gitea',
    forge: gitea,
    branch: 'main',
    async signIn(of, origin, login) {
      await of.goto(`${origin}/`)
      await of.getByRole('link', { name: 'Continue' }).click()
      // Gitea's own pages: its sign-in, then the question whether to share the account.
      await of.locator('#user_name').fill(login)
      await of.locator('#password').fill(forgePassword(login))
      const form = of.locator('form').filter({ has: of.locator('#password') })
      await form.getByRole('button').first().click()
      await expect(of.locator('#authorize-app')).toBeVisible()
      await takePicture(of, `1-consent-${login}`)
      await of.locator('#authorize-app').click()
    },
    async fork() {
      await gitea.api('bob', 'POST', '/repos/ann/app/forks', {})
    },
    async openPull(title) {
      await gitea.openPull('bob', 'ann/app', 'bob:fix', { title, body: 'Please' })
    },
    async mergePull() {
      await gitea.api('ann', 'POST', '/repos/ann/app/pulls/1/merge', { Do: 'merge' })
    },
    expectPassed: (sha) => expect.poll(() => statusOf(sha)).toBe('success'),
  }
  const { app, sha: first } = await pushPipeline(team, folder)
  const port = await freePort()
  const asked = { name: 'Flightdeck', redirect_uris: [`http://127.0.0.1:${port}/login`], confidential_client: true }
  const made = await gitea.api('root', 'POST', '/user/applications/oauth2', asked)
  const { client_id: clientId, client_secret: clientSecret } = made as { client_id: string; client_secret: string }
  const { origin } = await start({ port, gitea: { url: gitea.url, clientId, clientSecret } })
  await firstDay(team, { page, browser, folder, origin, first, app })
})
