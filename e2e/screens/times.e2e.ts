/** The durations of a repository's steps, and which became slower. */
import type { Build, RepoTimes, StepRun } from '@flightdeck/api'
import { data, expect, fitsWidth, ok, ours, rest, signedInAs, test, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello'
const { now } = data
const count = 60
const slower = 41

const runs = (seconds: (build: number) => number, failed: readonly number[] = []): StepRun[] =>
  Array.from({ length: count }, (_, index) => ({
    build: index + 1,
    seconds: seconds(index + 1),
    passed: !failed.includes(index + 1),
  }))
const times: RepoTimes = {
  branch: 'main',
  builds: Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    commit: `${index + 1}`.padStart(4, '0').repeat(10),
    created: Date.UTC(2026, 9, 1, 12) / 1000 + index * 3_600,
  })),
  steps: [
    { stage: 'test', step: 'unit', runs: runs((build) => (build < slower ? 12 : 31), [3, 7]) },
    { stage: 'test', step: 'install', runs: runs((build) => 40 + (build % 3)) },
    { stage: 'ship', step: 'never', runs: [{ build: 60, seconds: 5, passed: false }] },
  ],
}
const file = (text: string) => ok({ file: { path: '.drone.yml', commit: 'c', text }, attempts: [] })

function serveTimes(host: Host): void {
  withRepo(host)
  signedInAs(host, ours)
  host
    .on(`GET ${base}/times`, ok(times))
    .on(`GET ${base}/builds/branches`, ok([data.build({ target: 'main' }), data.build({ number: 9, target: 'side' })]))
    .on(`GET ${base}/builds/${slower - 1}/details`, file('steps: [unit]'))
    .on(`GET ${base}/builds/${slower}/details`, file('steps: [unit, more]'))
}

test('the builds page links to the durations of steps, by mouse and by keyboard @system', async ({
  page,
  host,
  go,
}) => {
  serveTimes(host)
  await go('/octocat/hello')
  await page.getByRole('link', { name: 'Step durations' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/times$/)
  await expect(page).toHaveTitle(/^Step durations – octocat\/hello/)
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Executions' })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Durations', exact: true })).toBeVisible()
})

test('the page shows which step became slower, since which build, by how much, and that the pipeline file changed', async ({
  page,
  host,
  go,
}) => {
  serveTimes(host)
  await go('/octocat/hello/times')
  const changes = page.getByRole('region', { name: 'Changes in step duration' })
  await expect(changes.getByRole('listitem')).toHaveText([
    'test › unit slower since #41, Oct 3, 2026: 12s → 31s, with 00410041. .drone.yml changed',
  ])
  await expect(changes.getByRole('link', { name: '#41' })).toHaveAttribute('href', '/octocat/hello/41')
  const commit = `/octocat/hello/commits/${'0041'.repeat(10)}`
  await expect(changes.getByRole('link', { name: '.drone.yml changed' })).toHaveAttribute('href', commit)
  // The same file on both sides is not a change.
  host.on(`GET ${base}/builds/${slower}/details`, file('steps: [unit]'))
  const answered = [slower - 1, slower].map((build) => page.waitForResponse(`**/builds/${build}/details`))
  await page.reload()
  for (const answer of await Promise.all(answered)) await answer.finished()
  await rest(page)
  await expect(changes.getByRole('listitem')).toHaveText(/with 00410041$/)
})

test('the page shows the numbers of each step, slowest first, and fits on every screen @system', async ({
  page,
  host,
  go,
}) => {
  serveTimes(host)
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/times')
    const table = page.getByRole('region', { name: 'Durations of all steps' })
    await expect(table.getByRole('row')).toHaveText([
      /^Step(Runs)?Median90% withinFailed$/,
      'installtest41s42s0 of 60',
      'unittest12s31s2 of 60',
      'nevership––1 of 1',
    ])
    await expect(table.locator('svg').first()).toBeVisible({ visible: width >= 768 })
    await fitsWidth(page)
  }
})

test('the durations are those of the selected branch, which is in the URL @system', async ({ page, host, go }) => {
  serveTimes(host)
  await go('/octocat/hello/times')
  await page.getByRole('combobox', { name: 'Branch' }).selectOption('side')
  await expect(page).toHaveURL(/\/times\?branch=side$/)
  await expect.poll(() => host.made(`GET ${base}/times`).at(-1)?.query).toMatch(/branch=side$/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Branch' })).toHaveValue('side')
})

test('a new repository says that there are no durations yet @system', async ({ page, host, go }) => {
  serveTimes(host)
  host.on(`GET ${base}/times`, ok({ branch: 'main', builds: [], steps: [] }))
  await go('/octocat/hello/times')
  await expect(page.getByText('No durations yet')).toBeVisible()
})

test('with another server the durations come from its builds, on request @system', async ({ page, host, go }) => {
  const builds = [3, 2, 1].map((number): Build =>
    data.detail({
      number,
      ref: 'refs/heads/main',
      target: 'main',
      stages: [
        data.stage({
          name: 'test',
          steps: [data.step({ name: 'unit', started: now - 90, stopped: now - 90 + number * 10 })],
        }),
      ],
    }),
  )
  const listed = builds.map(({ number, ref, target }) => data.build({ number, ref, target }))
  withRepo(host, {}, listed)
  for (const build of builds) host.on(`GET ${base}/builds/${build.number}`, ok(build))
  await go('/octocat/hello/times')
  await expect(page.getByText(/the last 50 builds of main are loaded one by one/)).toBeVisible()
  expect(host.made(`GET ${base}/builds/3`)).toEqual([])
  await page.getByRole('button', { name: 'Load durations' }).click()
  await expect(page.getByRole('region', { name: 'Durations of all steps' }).getByRole('row').nth(1)).toHaveText(
    'unittest20s30s0 of 3',
  )
  expect(host.made(`GET ${base}/times`)).toEqual([])
})
