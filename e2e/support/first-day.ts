/**
 * A team's first day with a real forge, from the first push to a disabled repository. Each stage
 * saves a screenshot in the results.
 */
import type { Browser, Page } from '@playwright/test'
import { forgeClone, type ForgeClone } from '../../server/src/testing/forge-clone.ts'
import type { RealForge } from '../../server/src/testing/real-forge.ts'
import { activate, expectStatus } from './person.ts'
import { expect, test } from './product.ts'

const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - echo "$DRONE_BUILD_EVENT of $DRONE_COMMIT_REF"
  - test ! -e broken
`

/** What differs between forges. The repository is `ann/app`, and `bob` has read access. */
export interface Team {
  /** The forge's name, as the page shows it. */
  title: string
  forge: RealForge
  /** The default branch. */
  branch: string
  /** Signs in from our page until the dashboard. */
  signIn(page: Page, origin: string, login: string): Promise<void>
  /** Forks the repository for `bob`. */
  fork(): Promise<void>
  /** Opens a pull request of `bob` from the branch `fix` of the fork. */
  openPull(title: string): Promise<void>
  mergePull(): Promise<void>
  /** Checks what the forge shows for a successful build of the commit. */
  expectPassed(sha: string): Promise<void>
}

/** Creates the accounts and the repository. */
export async function setUpTeam(forge: RealForge, facts: { default_branch?: string } = {}): Promise<void> {
  await forge.addUser('root', true)
  await forge.addUser('ann')
  await forge.addUser('bob')
  await forge.api('ann', 'POST', '/user/repos', { name: 'app', private: true, ...facts })
  await forge.api('ann', 'PUT', '/repos/ann/app/collaborators/bob', { permission: 'read' })
}

/** Pushes a pipeline to the empty repository. */
export async function pushPipeline({ forge, branch }: Team, folder: string): Promise<{ app: ForgeClone; sha: string }> {
  const app = await forgeClone(forge, folder, 'ann', 'ann/app')
  await app.git('checkout', '-q', '-B', branch)
  const sha = await app.commit('.drone.yml', pipeline, 'Add a pipeline')
  await app.git('push', '-q', 'origin', branch)
  return { app, sha }
}

export const takePicture = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: test.info().outputPath(`${name}.png`) })

interface FirstDayOptions {
  page: Page
  browser: Browser
  folder: string
  /** The origin of our server. */
  origin: string
  /** The commit that `pushPipeline` returned. */
  first: string
  app: ForgeClone
}

export async function firstDay(
  team: Team,
  { page, browser, folder, origin, first, app }: FirstDayOptions,
): Promise<void> {
  const { title, forge, branch } = team
  const main = page.getByRole('main')
  const status = page.getByRole('status', { name: 'Build status' })
  const hooks = () => forge.api('ann', 'GET', '/repos/ann/app/hooks')

  await test.step('sign-in brings the repositories', async () => {
    await team.signIn(page, origin, 'ann')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(main.getByRole('link', { name: /ann\/app/ })).toBeVisible()
    await takePicture(page, '2-dashboard')
    await forge.api('ann', 'POST', '/user/repos', { name: 'later' })
    await page.getByRole('button', { name: 'Sync' }).click()
    await expect(main.getByRole('link', { name: /ann\/later/ })).toBeVisible()
  })
  await test.step('activating installs the webhook', async () => {
    await activate(page, origin, 'ann/app')
    await takePicture(page, '3-activated')
    expect(await hooks()).toMatchObject([{ config: { url: `${origin}/hook` }, active: true }])
  })
  await test.step('a push appears on the open page and is built', async () => {
    await page.goto(`${origin}/ann/app`)
    const sha = await app.commit('a', '1', 'Build this')
    await app.git('push', '-q', 'origin', branch)
    const row = main.getByRole('listitem').filter({ hasText: 'Build this' })
    await expectStatus(row, 'success')
    await takePicture(page, '4-push')
    await row.getByRole('link', { name: /Build this/ }).click()
    await expectStatus(status, 'success')
    await page.getByRole('link', { name: /look/ }).first().click()
    await expect(page.getByText(`push of refs/heads/${branch}`)).toBeVisible()
    await takePicture(page, '5-build')
    await team.expectPassed(sha)
  })
  await test.step('a pull request from a fork waits for approval, then is built', async () => {
    await page.goto(`${origin}/ann/app/pulls`)
    await team.fork()
    const fork = await forgeClone(forge, folder, 'bob', 'bob/app')
    await expect.poll(() => fork.git('ls-remote', 'origin', `refs/heads/${branch}`)).not.toBe('')
    await fork.git('fetch', '-q', 'origin')
    await fork.git('checkout', '-q', '-B', 'fix', `origin/${branch}`)
    const sha = await fork.commit('c', '1', 'Fix it')
    await fork.git('push', '-q', 'origin', 'fix')
    await team.openPull('A fix of Bob')
    const row = main.getByRole('listitem').filter({ hasText: 'A fix of Bob' })
    await expect(row).toBeVisible()
    await takePicture(page, '6-pull-request')
    await row.getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'Waiting for approval' })).toContainText('A fix of Bob')
    await takePicture(page, '7-approval')
    await page.getByRole('button', { name: 'Approve Build' }).click()
    await expectStatus(status, 'success')
    await expect(main.getByRole('link', { name: /bob/ }).first()).toBeVisible()
    await takePicture(page, '8-approved')
    await team.expectPassed(sha)
  })
  await test.step('its author can read the build, and cannot change anything', async () => {
    const bob = await browser.newPage()
    await team.signIn(bob, origin, 'bob')
    await expect(bob.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await bob.goto(`${origin}/ann/app/2`)
    await expectStatus(bob.getByRole('status', { name: 'Build status' }), 'success')
    await expect(bob.getByRole('button', { name: 'Restart' })).toHaveCount(0)
    await takePicture(bob, '9-bob')
    await bob.close()
  })
  await test.step('merged and tagged', async () => {
    await team.mergePull()
    await page.goto(`${origin}/ann/app`)
    const merged = main.getByRole('listitem').filter({ hasText: /Merge branch|Merge pull/ })
    await expectStatus(merged.first(), 'success')
    await app.git('tag', '-a', '-m', 'First release', 'v1.0.0', first)
    await app.git('push', '-q', 'origin', 'v1.0.0')
    await expectStatus(main.getByRole('listitem').filter({ hasText: 'v1.0.0' }), 'success')
    await takePicture(page, '10-tagged')
  })
  await test.step('the settings show the connection; disabling removes the webhook', async () => {
    await page.goto(`${origin}/ann/app/settings`)
    const connection = page.getByRole('region', { name: new RegExp(title) })
    await expect(connection).toContainText('ann')
    await connection.scrollIntoViewIfNeeded()
    await takePicture(page, '11-settings')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await expect.poll(hooks).toEqual([])
    await takePicture(page, '12-disabled')
  })
}
