/**
 * From an empty folder to a disabled repository, with a real Gogs: what a team does on its first day. Runs where FLIGHTDECK_GOGS names the
 * program of a Gogs 0.13. Each stage leaves a picture among the results.
 */
import type { Page } from '@playwright/test'
import { activate, expectStatus } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { forgeClone } from '../../server/src/testing/forge-clone.ts'
import { gogsFork, gogsProgram, startGogs } from '../../server/src/testing/gogs.ts'
import { forgePassword, type RealForge } from '../../server/src/testing/real-forge.ts'

test.setTimeout(120_000)
test.skip(!gogsProgram, 'FLIGHTDECK_GOGS is not set')

const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - echo "$DRONE_BUILD_EVENT of $DRONE_COMMIT_REF"
  - test ! -e broken
`

let gogs: RealForge
test.beforeAll(async () => {
  gogs = await startGogs(gogsProgram ?? '')
  await gogs.addUser('root', true)
  await gogs.addUser('ann')
  await gogs.addUser('bob')
  await gogs.api('ann', 'POST', '/user/repos', { name: 'app', private: true })
  await gogs.api('ann', 'PUT', '/repos/ann/app/collaborators/bob', { permission: 'read' })
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

const hooks = () => gogs.api('ann', 'GET', '/repos/ann/app/hooks')

test('the first day of a team with Gogs', async ({ page, browser, folder, start }) => {
  const picture = (name: string, of: Page = page) => of.screenshot({ path: test.info().outputPath(`${name}.png`) })
  const app = await forgeClone(gogs, folder, 'ann', 'ann/app')
  const first = await app.commit('.drone.yml', pipeline, 'Add a pipeline')
  await app.git('push', '-q', 'origin', 'master')
  const { origin } = await start({ gogs: gogs.url })
  const main = page.getByRole('main')
  const status = page.getByRole('status', { name: 'Build status' })

  await test.step('a wrong password is refused in words', async () => {
    await signIn(page, origin, 'ann', 'another word')
    await expect(page.getByText('Gogs does not know this user name and password.')).toBeVisible()
    await picture('1-refused')
  })
  await test.step('sign-in brings the repositories', async () => {
    await signIn(page, origin, 'ann')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(main.getByRole('link', { name: /ann\/app/ })).toBeVisible()
    await picture('2-dashboard')
    await gogs.api('ann', 'POST', '/user/repos', { name: 'later' })
    await page.getByRole('button', { name: 'Sync' }).click()
    await expect(main.getByRole('link', { name: /ann\/later/ })).toBeVisible()
  })
  await test.step('activating installs the webhook', async () => {
    await activate(page, origin, 'ann/app')
    await picture('3-activated')
    expect(await hooks()).toMatchObject([{ config: { url: `${origin}/hook` }, active: true }])
  })
  await test.step('a push appears on the open page and is built', async () => {
    await page.goto(`${origin}/ann/app`)
    await app.commit('a', '1', 'Build this')
    await app.git('push', '-q', 'origin', 'master')
    const row = main.getByRole('listitem').filter({ hasText: 'Build this' })
    await expectStatus(row, 'success')
    await picture('4-push')
    await row.getByRole('link', { name: /Build this/ }).click()
    await expectStatus(status, 'success')
    await page.getByRole('link', { name: /look/ }).first().click()
    await expect(page.getByText('push of refs/heads/master')).toBeVisible()
    await picture('5-build')
  })
  await test.step('a pull request from a fork waits for approval, then is built', async () => {
    await page.goto(`${origin}/ann/app/pulls`)
    await gogsFork(gogs, 'bob', 'ann/app')
    const fork = await forgeClone(gogs, folder, 'bob', 'bob/app')
    await fork.git('fetch', '-q', 'origin')
    await fork.git('checkout', '-q', '-B', 'fix', 'origin/master')
    await fork.commit('c', '1', 'Fix it')
    await fork.git('push', '-q', 'origin', 'fix')
    await gogs.form('bob', '/ann/app/compare/master...bob:fix', { title: 'A fix of Bob', content: 'Please' })
    const row = main.getByRole('listitem').filter({ hasText: 'A fix of Bob' })
    await expect(row).toBeVisible()
    await picture('6-pull-request')
    await row.getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'Waiting for approval' })).toContainText('A fix of Bob')
    await picture('7-approval')
    await page.getByRole('button', { name: 'Approve Build' }).click()
    await expectStatus(status, 'success')
    await expect(main.getByRole('link', { name: /bob/ }).first()).toBeVisible()
    await picture('8-approved')
  })
  await test.step('its author reads the build, and may not change anything', async () => {
    const bob = await browser.newPage()
    await signIn(bob, origin, 'bob')
    await expect(bob.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await bob.goto(`${origin}/ann/app/2`)
    await expectStatus(bob.getByRole('status', { name: 'Build status' }), 'success')
    await expect(bob.getByRole('button', { name: 'Restart' })).toHaveCount(0)
    await picture('9-bob', bob)
    await bob.close()
  })
  await test.step('merged and tagged', async () => {
    await gogs.form('ann', '/ann/app/pulls/1/merge', { merge_style: 'create_merge_commit', commit_description: '' })
    await page.goto(`${origin}/ann/app`)
    const merged = main.getByRole('listitem').filter({ hasText: /Merge branch|Merge pull/ })
    await expectStatus(merged.first(), 'success')
    await app.git('tag', '-a', '-m', 'First release', 'v1.0.0', first)
    await app.git('push', '-q', 'origin', 'v1.0.0')
    await expectStatus(main.getByRole('listitem').filter({ hasText: 'v1.0.0' }), 'success')
    await picture('10-tagged')
  })
  await test.step('the settings show the connection; disabling removes the webhook', async () => {
    await page.goto(`${origin}/ann/app/settings`)
    const connection = page.getByRole('region', { name: /Gogs/ })
    await expect(connection).toContainText('ann')
    await connection.scrollIntoViewIfNeeded()
    await picture('11-settings')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await expect.poll(hooks).toEqual([])
    await picture('12-disabled')
  })
})
