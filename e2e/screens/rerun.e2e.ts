/** Which reruns are offered, and to whom. */
import { data, expect, fail, fitsWidth, ok, ours, signedInAs, test, withBuild, toastShows } from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const failedBuild = data.detail({
  status: 'failure',
  stages: [
    data.stage({ number: 1, name: 'lint', taken_over: 40 }),
    data.stage({ number: 2, name: 'test', status: 'failure', steps: [data.step({ status: 'failure', exit_code: 1 })] }),
  ],
})

test('with another server there is a restart with changes, and no partial rerun @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, failedBuild)
  await go('/octocat/hello/42/2/1')
  await page.getByRole('button', { name: 'Restart actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Restart', 'Promote', 'Debug', 'With changes…', 'Rollback'])
})

test('readers have no reruns @system', async ({ page, host, go }) => {
  withBuild(host, failedBuild, { permissions: { read: true, write: false, admin: false } })
  signedInAs(host, ours)
  await go('/octocat/hello/42/2/1')
  await expect(page.getByRole('button', { name: 'Details' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restart actions' })).toHaveCount(0)
})

test('by keyboard: the selected stage is rerun; a refusal is shown without navigating', async ({ page, host, go }) => {
  withBuild(host, failedBuild)
  signedInAs(host, ours)
  host.on(`POST ${base}/42/again`, (call) =>
    call.query.includes('stage')
      ? ok(data.build({ number: 43 }))
      : fail(400, 'build #42 must finish before part of it can be re-run'),
  )
  host.on(`GET ${base}/43`, ok(data.detail({ number: 43, id: 8 })))
  await go('/octocat/hello/42/2/1')
  await page.getByRole('button', { name: 'Restart actions' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem')).toHaveText([
    'Restart',
    'Promote',
    'Debug',
    'Failed stages only',
    'test only',
    'With changes…',
    'Rollback',
  ])
  for (let row = 0; row < 3; row += 1) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Failed stages only' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Unable to restart build: build #42 must finish before part of it can be re-run'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/42\/2\/1$/)
  await page.getByRole('button', { name: 'Restart actions' }).click()
  await page.getByRole('menuitem', { name: 'test only' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/43(\/|$)/)
  expect(host.made(`POST ${base}/42/again`).map((call) => call.query)).toEqual(['?only=failed', '?stage=test'])
})

test('a rerun of one stage lists what runs with it; stages that would be skipped are not offered @system', async ({
  page,
  host,
  go,
}) => {
  const [lint = data.stage(), broken = data.stage()] = failedBuild.stages ?? []
  const others = [
    data.stage({ number: 3, name: 'docs', depends_on: ['lint'] }),
    data.stage({ number: 4, name: 'ship', status: 'skipped', depends_on: ['lint', 'test'], steps: [] }),
    data.stage({ number: 5, name: 'tell', status: 'skipped', depends_on: ['ship'], steps: [] }),
  ]
  withBuild(host, { ...failedBuild, stages: [lint, broken, ...others] })
  signedInAs(host, ours)
  const offered = async (stage: number, only: string | string[]) => {
    await go(`/octocat/hello/42/${stage}/1`)
    await page.getByRole('button', { name: 'Restart actions' }).click()
    await expect(page.getByRole('menuitem').filter({ hasText: /only|With changes/ })).toHaveText(
      ['Failed stages only', only, 'With changes…'].flat(),
    )
  }
  await offered(3, 'docs only')
  await offered(4, 'ship onlyruns test first (it didn’t pass), then tell')
  await offered(5, 'tell onlyruns test and ship first (they didn’t pass)')
  await offered(2, 'test onlythen ship and tell')
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await fitsWidth(page)
    await expect(page.getByRole('menuitem', { name: 'test only' })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1440, height: 800 })
  const alarm = { name: 'alarm', on_success: false, on_failure: true, status: 'skipped' as const, steps: [] }
  const stages = [lint, data.stage({ number: 2, depends_on: ['lint'], ...alarm })]
  withBuild(host, { ...failedBuild, status: 'killed', stages })
  await offered(2, [])
})

test('a successful build has no failed stages to rerun, and reused stages link to the build that ran them, at every width @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, { ...failedBuild, status: 'success' })
  signedInAs(host, ours)
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42/2/1')
    const link = page.getByRole('region', { name: 'Reused' }).getByRole('link', { name: '#40' })
    await expect(link).toHaveAttribute('href', '/octocat/hello/40')
    // In a sentence, color alone does not identify a link.
    await expect(link).toHaveCSS('text-decoration-line', 'underline')
    await fitsWidth(page)
  }
  // On a phone a link to a step opens its log first.
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Restart actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Failed stages only' })).toHaveCount(0)
})

test('a failed step is copied as a script by its button, or the reason is shown @system', async ({
  page,
  context,
  host,
  go,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  withBuild(host, failedBuild)
  signedInAs(host, ours)
  host.on(`GET ${base}/42/script/2/1`, ok({ text: '#!/bin/sh\nexit 1\n' }))
  const button = page.getByRole('button', { name: 'Reproduce locally' })
  await go('/octocat/hello/42/2/1')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Script copied. Run it in a clone of the repository.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('#!/bin/sh\nexit 1\n')
  // A successful step has no script button.
  await page.getByRole('button', { name: 'lint' }).click()
  await page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link', { name: 'test' }).first().click()
  await expect(page).toHaveURL(/\/42\/1\/1$/)
  await expect(button).toHaveCount(0)
  host.on(`GET ${base}/42/script/2/1`, fail(400, 'test has no commands'))
  await page.reload()
  await go('/octocat/hello/42/2/1')
  await button.click()
  await toastShows(page, 'Unable to create a script for this step: test has no commands')
})

test('a link opens the dialog of an action, filled in, and starts nothing @system', async ({ page, host, go }) => {
  withBuild(host, { ...failedBuild, params: { LEVEL: 'low', KEPT: 'yes' } })
  host
    .on(`POST ${base}/42`, ok(data.build({ number: 43 })))
    .on(`GET ${base}/43`, ok(data.detail({ number: 43, id: 8 })))
  const dialog = page.getByRole('dialog')
  const parameters = encodeURIComponent(JSON.stringify([{ key: 'LEVEL', value: 'high' }]))
  await go(`/octocat/hello/42?action=restart&target=dev&parameters=${parameters}`)
  await expect(dialog.getByRole('heading').first()).toHaveText('Restart #42 with changes')
  await expect(dialog.getByLabel('Branch')).toHaveValue('dev')
  await expect(dialog.getByLabel('Commit')).toHaveValue('')
  await expect(dialog.getByRole('region', { name: 'Changes from #42' })).toContainText(/LEVEL\s*low → high/)
  await expect(dialog.getByRole('region', { name: 'Changes from #42' })).not.toContainText('KEPT')
  await go('/octocat/hello/42?action=promote&target=production')
  await expect(dialog.getByLabel('Target')).toHaveValue('production')
  await page.keyboard.press('Escape')
  // The link's deployment parameters do not apply to a restart.
  await page.getByRole('button', { name: 'Restart actions' }).click()
  await page.getByRole('menuitem', { name: 'With changes…' }).click()
  await expect(dialog.getByLabel('Branch')).not.toHaveValue('production')
  await go('/octocat/hello/42?action=rollback')
  await expect(dialog.getByLabel('Type')).toHaveValue('rollback')
  await go('/octocat/hello?action=build')
  await expect(dialog.getByRole('heading').first()).toHaveText('Create a New Build')
  await go('/octocat/hello/42?action=debug')
  await expect(dialog.getByRole('heading').first()).toHaveText('Restart #42 in debug mode?')
  expect(host.made(`POST ${base}/42`)).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Debug' }).press('Enter')
  await expect(page).toHaveURL(/\/43(\/|$)/)
  expect(host.made(`POST ${base}/42`).map(({ query }) => query)).toEqual(['?debug=true'])
})
