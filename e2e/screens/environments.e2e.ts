/** Environments on the Deployments tab: promoting in place, and their protection. */
import type { Build, Environment, EnvironmentRule } from '@flightdeck/api'
import { data, expect, fail, ok, ours, signedInAs, test, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello'
const deployed = data.build({ id: 4, number: 4, event: 'promote', deploy_to: 'staging', status: 'success' })
const rule: EnvironmentRule = { name: 'staging', who: 'administrators', approval: false }

const withStaging = (host: Host, builds: Build[], over: Partial<Environment> = {}): void => {
  signedInAs(host, { admin: true, ...ours })
  withRepo(host, {}, builds)
  host
    .on(`GET ${base}/builds/deployments`, ok([deployed]))
    .on(`GET ${base}/environments`, ok(over.rule ? [over.rule] : []))
    .on(
      `GET ${base}/environments/staging`,
      ok({ name: 'staging', current: deployed, items: [deployed], may_deploy: true, ...over }),
    )
}

test('a build that succeeds while the promote dialog is open does not become the selected one @system', async ({
  page,
  host,
  go,
}) => {
  withStaging(host, [data.running({ id: 8, number: 8 }), data.build({ id: 7, number: 7, status: 'success' }), deployed])
  host.on(`POST ${base}/builds/7/promote`, ok(data.build({ id: 9, number: 9 })))
  await go('/octocat/hello/deployments?environment=staging')
  await page.getByRole('button', { name: 'Promote here' }).click()
  const build = page.getByRole('dialog').getByLabel('Build')
  await expect(build).toHaveValue('7')
  const ended: Build = { ...data.running({ id: 8, number: 8 }), status: 'success', finished: data.now, version: 9 }
  await host.push('/api/stream', { ...data.repo(), version: 9, build: ended })
  await expect(build.getByRole('option', { name: /^#8 / })).toBeAttached()
  await expect(build).toHaveValue('7')
})

test('the promote dialog says that the builds could not be loaded, or that none has finished @system', async ({
  page,
  host,
  go,
}) => {
  withStaging(host, [data.running({ id: 8, number: 8 })])
  await go('/octocat/hello/deployments?environment=staging')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Promote here' }).click()
  await expect(dialog).toContainText('No finished builds to promote.')
  host.on(`GET ${base}/builds`, fail(500, 'disk full'))
  await go('/octocat/hello/deployments?environment=staging')
  await page.getByRole('button', { name: 'Promote here' }).click()
  await expect(dialog).toContainText('The builds could not be loaded: disk full')
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeVisible()
})

test('protection is removed, unless the server refuses @system', async ({ page, host, go }) => {
  withStaging(host, [deployed], { rule })
  // The repository is not visible any more, so nothing was removed.
  host.on(`DELETE ${base}/environments/staging`, fail(404, 'Not Found'))
  await go('/octocat/hello/deployments?environment=staging')
  await page.getByRole('button', { name: 'Edit protection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Anyone with write permission').check()
  await dialog.getByRole('button', { name: 'Remove protection' }).click()
  await expect(dialog).toContainText('Not Found')
  withStaging(host, [deployed])
  host.on(`DELETE ${base}/environments/staging`, { status: 204 })
  await dialog.getByRole('button', { name: 'Remove protection' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Protect', exact: true })).toBeVisible()
})

test('a failed comparison is requested again, a loaded one is not @system', async ({ page, host, go }) => {
  withStaging(host, [deployed])
  const prod = data.build({
    id: 5,
    number: 5,
    event: 'promote',
    deploy_to: 'prod',
    status: 'failure',
    after: 'b'.repeat(40),
  })
  const test = data.build({
    id: 6,
    number: 6,
    event: 'promote',
    deploy_to: 'test',
    status: 'success',
    after: 'c'.repeat(40),
  })
  host
    .on(`GET ${base}/builds/deployments`, ok([deployed, prod, test]))
    .on(`GET ${base}/compare`, fail(500, 'git failed'))
  await go('/octocat/hello/deployments?environment=staging')
  const environment = page.getByRole('region', { name: 'Environment staging' })
  await expect(environment).toContainText('The comparison could not be loaded: git failed')
  const choice = environment.getByLabel('Compare staging with')
  await expect(choice.getByRole('option')).toHaveText(['prod #5 (failure)', 'test #6 (success)'])
  host.on(`GET ${base}/compare`, ok({ from: deployed.after, to: prod.after, commits: [] }))
  await choice.selectOption('test #6 (success)')
  await expect(environment).toContainText('No differences: both have the same commits.')
  await choice.selectOption('prod #5 (failure)')
  await expect(environment).toContainText('No differences: both have the same commits.')
  const compareRequests = host.made(`GET ${base}/compare`).length
  await choice.selectOption('test #6 (success)')
  await expect(environment).toContainText('No differences: both have the same commits.')
  expect(host.made(`GET ${base}/compare`)).toHaveLength(compareRequests)
})

test('an unknown environment in the URL says so and links back to all', async ({ page, host, go }) => {
  withStaging(host, [deployed], { rule })
  await go('/octocat/hello/deployments?environment=canary')
  const main = page.getByRole('main')
  await expect(main.getByText('Nothing has been deployed to canary.')).toBeVisible()
  await expect(main.getByRole('region', { name: 'Protected environments' })).toContainText('staging')
  await main.getByRole('link', { name: 'Show all environments' }).click()
  await expect(page).toHaveURL(/\/deployments$/)
  await expect(main.getByText('Nothing has been deployed to canary.')).toHaveCount(0)
})

test('a failure to load the rules is shown and can be retried @system', async ({ page, host, go }) => {
  withStaging(host, [deployed], { rule })
  host.on(`GET ${base}/environments`, fail(500, 'disk full'))
  await go('/octocat/hello/deployments')
  const rules = page.getByRole('region', { name: 'Protected environments' })
  await expect(rules).toContainText('The protected environments could not be loaded: disk full')
  host.on(`GET ${base}/environments`, ok([rule]))
  await rules.getByRole('button', { name: 'Retry' }).click()
  await expect(rules).toContainText('Only repository administrators can deploy.')
})
