/** The details of a build, and the errors of its pipeline file. */
import type { BuildDetails } from '@flightdeck/api'
import {
  data,
  expect,
  fail,
  fitsWidth,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  withRepo,
  toastShows,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds/42'
const text = [
  'kind: pipeline',
  'type: exec',
  'name: unit',
  'steps:',
  '- name: test',
  '  environment: {TOKEN: {from_secret: npm_token}}',
  '  commands: [make <b>all</b>]',
].join('\n')
const details: BuildDetails = {
  file: { path: '.drone.yml', commit: data.build().after, text: `${text}\n` },
  left_out: [{ name: 'ship', text: 'branch is not release' }],
  attempts: [
    data.build({ id: 8, number: 43, parent: 42, actor: 'wes', event: 'promote', deploy_to: 'production' }),
    data.build(),
  ],
}
const broken = data.detail({
  status: 'error',
  error: 'yaml: unmarshal errors:\n  line 4: cannot unmarshal !!int `7` into []*yaml.Container',
  stages: undefined,
  excerpts: [
    {
      line: 4,
      lines: ['type: exec', 'name: unit', 'steps: 7', '# <img src=x onerror=alert(1)>'].map((line, at) => ({
        number: at + 2,
        text: line,
      })),
    },
  ],
})

test('the details of a build open by button, key and URL, and return the focus', async ({ page, host, go }) => {
  withBuild(host, data.detail({ params: { LEVEL: '3', EMPTY: '' } }))
  signedInAs(host, ours).on(`GET ${base}/details`, ok(details))
  await go('/octocat/hello/42/1/1')
  const button = page.getByRole('button', { name: 'Details' })
  const drawer = page.getByRole('dialog', { name: 'Build #42 details' })
  await button.focus()
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/1\/1\?details$/)
  await expect(drawer.getByRole('region', { name: 'Parameters' })).toContainText('LEVEL')
  await expect(drawer.getByRole('region', { name: 'Table of attempts' }).getByRole('row')).toHaveText([
    'BuildDurationStarted byStages runCreated',
    /#43.*wes promoted #42 to production.*All/,
    /#42.*octocat pushed.*All/,
  ])
  await expect(drawer.getByRole('region', { name: 'Pipelines that did not match' })).toContainText(
    'ship – branch is not release',
  )
  await expect(drawer.getByRole('region', { name: 'Contents of .drone.yml' })).toContainText('make <b>all</b>')
  await expect(drawer.getByRole('region', { name: 'Secrets used' }).getByRole('listitem')).toHaveText('npm_token')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(/\/octocat\/hello\/42\/1\/1$/)
  await expect(button).toBeFocused()

  await go('/octocat/hello/42?details=6')
  const marked = drawer.locator('[aria-current=location]')
  await expect(marked).toContainText('from_secret: npm_token')
  await expect(marked).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 800 })
  await fitsWidth(page)
  const table = drawer.getByRole('region', { name: 'Table of attempts' })
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expect(table.getByRole('row')).toHaveCount(3)
})

test('behind a gateway the page shows the details that the upstream server has @system', async ({ page, host, go }) => {
  withBuild(host, data.detail({ params: { LEVEL: '3' } }))
  await go('/octocat/hello/42?details')
  const drawer = page.getByRole('dialog', { name: 'Build #42 details' })
  await expect(drawer.getByRole('region', { name: 'Parameters' })).toContainText('LEVEL')
  await expect(drawer.getByRole('link', { name: 'Pipeline file at 7fd1a60b' })).toHaveAttribute(
    'href',
    /\/link\/octocat\/hello\/src\/\.drone\.yml\?sha=7fd1a60b/,
  )
  expect(host.made(`GET ${base}/details`)).toEqual([])
})

test('an invalid pipeline file shows its highlighted line once, with what to do and a link to it @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, broken)
  signedInAs(host, ours).on(`GET ${base}/details`, ok(details))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42')
    const error = page.getByRole('region', { name: 'Pipeline file error' })
    await expect(error).toContainText('cannot unmarshal')
    await expect(page.getByText(/cannot unmarshal/)).toHaveCount(1)
    await expect(error.locator('[aria-current=location]')).toHaveText('4steps: 7')
    await expect(error).toContainText('# <img src=x onerror=alert(1)>')
    await expect(error).toContainText('Fix the file and push')
    await fitsWidth(page)
  }
  await page.getByRole('link', { name: '.drone.yml at 7fd1a60b' }).click()
  await expect(page).toHaveURL(/\?details=4$/)
  await expect(page.getByRole('dialog', { name: 'Build #42 details' }).locator('[aria-current=location]')).toHaveText(
    /^4steps:/,
  )
})

test('a missing branch is reported at its field, with what to do @system', async ({ page, host, go }) => {
  withRepo(host)
  host.on('POST /api/repos/octocat/hello/builds', fail(404, 'Not Found'))
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await page.getByLabel('Branch').fill('mian')
  await page.getByRole('button', { name: 'Create' }).click()
  await toastShows(page, 'Unable to start a new build: Not Found')
  await expect(page.getByText('Branch mian does not exist. Check the spelling, or push it first.')).toBeVisible()
  await page.getByLabel('Branch').fill('')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('The default branch has no commits yet.')).toBeVisible()
})

test('the row of a cron job that could not start a build shows the time and the reason @system', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  signedInAs(host, ours)
  const failed = { failed: data.now - 60, error: 'Branch gone does not exist' }
  host.on('GET /api/repos/octocat/hello/cron', ok([data.cron({ branch: 'gone', ...failed })]))
  await go('/octocat/hello/settings/cron')
  const row = page.getByRole('listitem').filter({ hasText: 'nightly' })
  await expect(row).toContainText(/Could not start a build, \w{3} \d+, .*: Branch gone does not exist/)
  await expect(page.getByText('or to main if there is no master')).toBeVisible()
})
