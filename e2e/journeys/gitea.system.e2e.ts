/**
 * From an empty folder to a disabled repository, with a real Gitea: what a team does on its first day. Runs where FLIGHTDECK_GITEA names
 * the program. Each stage leaves a picture among the results.
 */
import type { Page } from '@playwright/test'
import { activate, expectStatus } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { forgeClone } from '../../server/src/testing/forge-clone.ts'
import { giteaPrograms, startGitea, type Gitea } from '../../server/src/testing/gitea.ts'
import { forgePassword, freePort } from '../../server/src/testing/real-forge.ts'

test.setTimeout(120_000)
const found = giteaPrograms.find(({ kind }) => kind === 'gitea')
test.skip(!found, 'FLIGHTDECK_GITEA is not set')

const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - echo "$DRONE_BUILD_EVENT of $DRONE_COMMIT_REF"
  - test ! -e broken
`

let gitea: Gitea
test.beforeAll(async () => {
  gitea = await startGitea({ kind: 'gitea', program: found?.program ?? '', path: '/git' })
  await gitea.addUser('root', true)
  await gitea.addUser('ann')
  await gitea.addUser('bob')
  await gitea.api('ann', 'POST', '/user/repos', { name: 'app', private: true, default_branch: 'main' })
  await gitea.api('ann', 'PUT', '/repos/ann/app/collaborators/bob', { permission: 'read' })
})
test.afterAll(async () => {
  await gitea.close()
})

/** From our page to Gitea's own sign-in and its question, and back. */
async function signIn(page: Page, origin: string, login: string, ask: (page: Page) => Promise<unknown>): Promise<void> {
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.locator('#user_name').fill(login)
  await page.locator('#password').fill(forgePassword(login))
  await page
    .locator('form')
    .filter({ has: page.locator('#password') })
    .getByRole('button')
    .first()
    .click()
  await ask(page)
  await page.locator('#authorize-app').click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

const hooks = () => gitea.api('ann', 'GET', '/repos/ann/app/hooks')
const statusOf = async (sha: string) =>
  ((await gitea.api('ann', 'GET', `/repos/ann/app/commits/${sha}/status`)) as { state: string }).state

test('the first day of a team with Gitea', async ({ page, browser, folder, start }) => {
  const picture = (name: string, of: Page = page) => of.screenshot({ path: test.info().outputPath(`${name}.png`) })
  const app = await forgeClone(gitea, folder, 'ann', 'ann/app')
  await app.git('checkout', '-q', '-b', 'main')
  const first = await app.commit('.drone.yml', pipeline, 'Add a pipeline')
  await app.git('push', '-q', 'origin', 'main')
  const port = await freePort()
  const asked = { name: 'Flightdeck', redirect_uris: [`http://127.0.0.1:${port}/login`], confidential_client: true }
  const made = await gitea.api('root', 'POST', '/user/applications/oauth2', asked)
  const { client_id: clientId, client_secret: clientSecret } = made as { client_id: string; client_secret: string }
  const { origin } = await start({ port, gitea: { url: gitea.url, clientId, clientSecret } })
  const main = page.getByRole('main')
  const status = page.getByRole('status', { name: 'Build status' })

  await test.step('sign-in asks at Gitea, and brings the repositories', async () => {
    await signIn(page, origin, 'ann', () => picture('1-consent'))
    await expect(main.getByRole('link', { name: /ann\/app/ })).toBeVisible()
    await picture('2-dashboard')
    await gitea.api('ann', 'POST', '/user/repos', { name: 'later' })
    await page.getByRole('button', { name: 'Sync' }).click()
    await expect(main.getByRole('link', { name: /ann\/later/ })).toBeVisible()
  })
  await test.step('activating installs the webhook', async () => {
    await activate(page, origin, 'ann/app')
    await picture('3-activated')
    expect(await hooks()).toMatchObject([{ config: { url: `${origin}/hook` }, active: true }])
  })
  await test.step('a push appears on the open page and is built, with its status at Gitea', async () => {
    await page.goto(`${origin}/ann/app`)
    const sha = await app.commit('a', '1', 'Build this')
    await app.git('push', '-q', 'origin', 'main')
    const row = main.getByRole('listitem').filter({ hasText: 'Build this' })
    await expectStatus(row, 'success')
    await picture('4-push')
    await row.getByRole('link', { name: /Build this/ }).click()
    await expectStatus(status, 'success')
    await page.getByRole('link', { name: /look/ }).first().click()
    await expect(page.getByText('push of refs/heads/main')).toBeVisible()
    await picture('5-build')
    await expect.poll(() => statusOf(sha)).toBe('success')
    const forge = await page.context().newPage()
    await forge.goto(`${gitea.url}/ann/app/commit/${sha}`)
    await picture('6-status-at-gitea', forge)
    await forge.close()
  })
  await test.step('a pull request from a fork waits for approval, then is built', async () => {
    await page.goto(`${origin}/ann/app/pulls`)
    await gitea.api('bob', 'POST', '/repos/ann/app/forks', {})
    const fork = await forgeClone(gitea, folder, 'bob', 'bob/app')
    await expect.poll(() => fork.git('ls-remote', 'origin', 'refs/heads/main')).not.toBe('')
    await fork.git('fetch', '-q', 'origin')
    await fork.git('checkout', '-q', '-B', 'fix', 'origin/main')
    const sha = await fork.commit('c', '1', 'Fix it')
    await fork.git('push', '-q', 'origin', 'fix')
    const pull = { base: 'main', head: 'bob:fix', title: 'A fix of Bob', body: 'Please' }
    await gitea.api('bob', 'POST', '/repos/ann/app/pulls', pull)
    const row = main.getByRole('listitem').filter({ hasText: 'A fix of Bob' })
    await expect(row).toBeVisible()
    await picture('7-pull-request')
    await row.getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'Waiting for approval' })).toContainText('A fix of Bob')
    await picture('8-approval')
    await page.getByRole('button', { name: 'Approve Build' }).click()
    await expectStatus(status, 'success')
    await expect(main.getByRole('link', { name: /bob/ }).first()).toBeVisible()
    await picture('9-approved')
    await expect.poll(() => statusOf(sha)).toBe('success')
  })
  await test.step('its author reads the build, and may not change anything', async () => {
    const bob = await browser.newPage()
    await signIn(bob, origin, 'bob', async () => undefined)
    await bob.goto(`${origin}/ann/app/2`)
    await expectStatus(bob.getByRole('status', { name: 'Build status' }), 'success')
    await expect(bob.getByRole('button', { name: 'Restart' })).toHaveCount(0)
    await bob.close()
  })
  await test.step('merged and tagged', async () => {
    await gitea.api('ann', 'POST', '/repos/ann/app/pulls/1/merge', { Do: 'merge' })
    await page.goto(`${origin}/ann/app`)
    await expectStatus(
      main
        .getByRole('listitem')
        .filter({ hasText: /Merge pull/ })
        .first(),
      'success',
    )
    await app.git('tag', '-a', '-m', 'First release', 'v1.0.0', first)
    await app.git('push', '-q', 'origin', 'v1.0.0')
    await expectStatus(main.getByRole('listitem').filter({ hasText: 'v1.0.0' }), 'success')
    await picture('10-tagged')
  })
  await test.step('the settings show the connection; disabling removes the webhook', async () => {
    await page.goto(`${origin}/ann/app/settings`)
    const connection = page.getByRole('region', { name: /Gitea/ })
    await expect(connection).toContainText('ann')
    await connection.scrollIntoViewIfNeeded()
    await picture('11-settings')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await expect.poll(hooks).toEqual([])
  })
})
