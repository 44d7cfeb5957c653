/** What changed since the last successful run of a failed step. */
import type { Page } from '@playwright/test'
import type { Build, StepChanges } from '@flightdeck/api'
import type { Host } from '../support/host.ts'
import {
  box,
  data,
  latch,
  expect,
  fail,
  fitsWidth,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds'
const row = (page: Page) => page.getByRole('region', { name: 'What changed', exact: true })
const opener = (page: Page) => row(page).getByRole('button', { name: 'What changed' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'What changed since test last passed' })
const openWhy = (page: Page) =>
  page.getByRole('region', { name: 'What failed' }).getByRole('heading').getByRole('button').click()
const part = (page: Page, name: string) => panel(page).getByRole('region', { name, exact: true })
const sha = (digit: string) => digit.repeat(40)

const stageOf = (status: 'success' | 'failure', seconds: number, machine: string) =>
  data.stage({
    status,
    machine,
    steps: [
      data.step({ name: 'clone' }),
      data.step({
        number: 2,
        name: 'test',
        status,
        exit_code: 1,
        started: data.now - 100,
        stopped: data.now - 100 + seconds,
      }),
    ],
  })
const failedBuild = (): Build =>
  data.detail({ status: 'failure', params: { LEVEL: '3' }, stages: [stageOf('failure', 40, 'two')] })
const successfulBuild = (over: Partial<Build> = {}): Build =>
  data.detail({
    id: 40,
    number: 40,
    status: 'success',
    after: sha('a'),
    params: { LEVEL: '2', '<i>': 'x' },
    stages: [stageOf('success', 12, 'one')],
    ...over,
  })
const changes: StepChanges = {
  since: { build: 40, stage: 1, step: 2, ref: 'refs/heads/main', commit: sha('a') },
  commits: [
    { sha: sha('c'), title: 'Merge side', author: 'Ada', time: data.now - 600, merge: true, files: [], total: 0 },
    {
      sha: sha('b'),
      title: 'Expect <b>four</b>',
      author: 'Ben',
      time: data.now - 900,
      files: ['src/a.ts', 'src/b c.ts', 'd', 'e', 'f', 'g', 'h'],
      total: 12,
    },
  ],
  file: { path: '.drone.yml', same: false, line: 7 },
}

const serveChanges = (host: Host, { own = true, told = ok(changes) } = {}) => {
  withBuild(host, failedBuild())
  host.on(`GET ${base}/42/logs/1/2`, ok(data.lines(3)))
  if (own) signedInAs(host, ours)
  host.on(`GET ${base}/42/changes/1/2`, told).on(`GET ${base}/40`, ok(successfulBuild()))
}

test('a link to the changes shows them on a phone as well @system', async ({ page, host, go }) => {
  serveChanges(host)
  await page.setViewportSize({ width: 390, height: 800 })
  await go('/octocat/hello/42/1/2?changed')
  await expect(part(page, 'Parameters')).toContainText('LEVEL: 2 → 3')
  await fitsWidth(page)
})

test('a failed step shows what changed since the last successful run, in a line and in a panel', async ({
  page,
  host,
  go,
}) => {
  serveChanges(host)
  await go('/octocat/hello/42/1/2')
  await expect(row(page)).toContainText(
    'since #40: 2 commits by Ada and Ben · pipeline file · 2 parameters · different runner · +28s',
  )
  await expect(row(page).getByRole('link', { name: '#40' })).toHaveAttribute('href', '/octocat/hello/40/1/2')
  await opener(page).click()
  await expect(page).toHaveURL(/\/42\/1\/2\?changed$/)
  const commits = part(page, 'Commits')
  await expect(commits.getByRole('link', { name: /Expect <b>four<\/b>/ })).toHaveAttribute(
    'href',
    `/octocat/hello/commits/${sha('b')}`,
  )
  await expect(commits.getByRole('link', { name: 'src/b c.ts' })).toHaveAttribute(
    'href',
    `/octocat/hello/commits/${sha('b')}#src/b%20c.ts`,
  )
  await expect(commits.getByRole('link', { name: '+6 more' })).toBeVisible()
  await expect(commits).toContainText('Merge commit')
  await expect(part(page, 'Parameters')).toContainText('LEVEL: 2 → 3')
  await expect(part(page, 'Parameters')).toContainText('<i>: x → none')
  await expect(part(page, 'Runner')).toContainText(/one.* → two/)
  await expect(part(page, 'Duration')).toContainText('12s in #40 → 40s in #42 (+28s)')
  await part(page, 'Pipeline file').getByRole('link', { name: '.drone.yml, line 7' }).click()
  await expect(page).toHaveURL(/\/42\/1\/2\?details=7$/)
  await expect(page.getByRole('dialog', { name: 'Build #42 details' })).toBeVisible()
})

test('c opens it, Escape returns the focus, and the list of shortcuts has it @system', async ({ page, host, go }) => {
  serveChanges(host)
  await go('/octocat/hello/42/1/2')
  await opener(page).focus()
  await page.keyboard.press('c')
  await expect(part(page, 'Commits')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(opener(page)).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('what changed since the step last passed')
})

test('the page says which changes are unknown @system', async ({ page, host, go }) => {
  serveChanges(host, { told: fail(404, 'This step has not passed before') })
  await go('/octocat/hello/42/1/2?changed')
  await expect(row(page)).toContainText('This step has never passed.')
  await expect(panel(page)).toContainText('Never passed before')
  host.on(`GET ${base}/42/changes/1/2`, ok({ since: { ...changes.since, ref: 'refs/heads/trunk' } }))
  await page.reload()
  await expect(part(page, 'Commits')).toContainText('Unknown: git no longer has both commits')
  await expect(part(page, 'Pipeline file')).toContainText('Unknown: the file was not stored')
  await expect(panel(page)).toContainText('It last passed in #40, on trunk.')
  host.on(`GET ${base}/42/changes/1/2`, ok({ since: changes.since, commits: [], without: 3 }))
  await page.reload()
  await expect(part(page, 'Commits')).toContainText('3 commits in #40 are not in this build')
  host.on(`GET ${base}/42/changes/1/2`, ok({ since: changes.since, commits: [] }))
  await page.reload()
  await expect(part(page, 'Commits')).toHaveText('CommitsNone (same commit).')
  host.on(`GET ${base}/42/changes/1/2`, fail(503, 'The server is busy'))
  await page.reload()
  await expect(panel(page).getByRole('alert')).toContainText('The server is busy')
})

test('nothing moves when the changes arrive, and a successful step has none @system', async ({ page, host, go }) => {
  serveChanges(host)
  const later = latch()
  await page.route('**/changes/**', async (route) => {
    await later.opened
    await route.continue()
  })
  await go('/octocat/hello/42/1/2')
  const line = page.getByRole('log').getByText('line 3')
  await expect(opener(page)).toBeVisible()
  await expect(line).toBeVisible()
  const before = await line.boundingBox()
  later.open()
  await expect(row(page)).toContainText('since #40')
  expect(await line.boundingBox()).toEqual(before)
  await page.keyboard.press('[')
  await expect(page).toHaveURL(/\/42\/1\/1/)
  await expect(row(page)).toHaveCount(0)
})

test('with a Drone server the changes come from its builds, and only on request @system', async ({
  page,
  host,
  go,
}) => {
  serveChanges(host, { own: false })
  withRepo(host, { link: 'https://github.com/octocat/hello' })
  const builds = [
    data.build({ number: 43, status: 'success' }),
    data.build({ status: 'failure' }),
    data.build({ number: 41, status: 'failure', after: sha('b'), message: 'Before that', author_name: 'Ben' }),
    successfulBuild(),
  ]
  host.on(`GET ${base}`, ok(builds))
  await go('/octocat/hello/42/1/2')
  await expect(opener(page)).toBeVisible()
  const branchRequests = () => host.calls.filter(({ query }) => query.includes('branch=main')).length
  expect(branchRequests()).toBe(0)
  await opener(page).click()
  const commits = part(page, 'Commits')
  await expect(commits.getByRole('link', { name: /Before that/ })).toHaveAttribute('href', '/octocat/hello/41')
  await expect(commits).toContainText('Only commits that were built are listed, without their files.')
  await expect(commits.getByRole('link', { name: 'Compare on your Git host' })).toHaveAttribute(
    'href',
    `https://github.com/octocat/hello/compare/${sha('a')}...${data.build().after}`,
  )
  await expect(part(page, 'Pipeline file')).toContainText('This server can’t say whether it changed.')
  await expect(part(page, 'Parameters')).toContainText('LEVEL: 2 → 3')
  await expect(part(page, 'Duration')).toContainText('(+28s)')
  expect(branchRequests()).toBe(1)
  expect(host.calls.filter(({ path }) => path.includes('/changes/'))).toEqual([])
})

for (const width of [390, 768])
  test(`at ${width} pixels the changes fit @system`, async ({ page, host, go }) => {
    serveChanges(host)
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42/1/2')
    await opener(page).click()
    await expect(part(page, 'Commits')).toBeVisible()
    await fitsWidth(page)
  })

test('a step that passed on the same commit says so before it says what changed @system', async ({
  page,
  host,
  go,
}) => {
  const words = row(page).getByText(/^Passed on the same commit in/)
  const { opened, open } = latch()
  serveChanges(host)
  host.on(`GET ${base}/42/history`, async () => {
    await opened
    return ok({ steps: [{ stage: 1, step: 2, passed: { build: 6, stage: 1, step: 3 } }] })
  })
  await go('/octocat/hello/42/1/2')
  await expect(row(page)).toBeVisible()
  // No placeholder is shown that would have to move.
  await expect(opener(page)).toHaveCount(0)
  open()
  await expect(words).toHaveText('Passed on the same commit in #6')
  await expect(words.getByRole('link', { name: '#6' })).toHaveAttribute('href', '/octocat/hello/6/1/3')
  const [evidence, blame] = [await box(words), await box(opener(page))]
  expect(evidence.x + evidence.width).toBeLessThanOrEqual(blame.x)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.reload()
  await openWhy(page)
  await expect(words).toBeInViewport()
  await fitsWidth(page)
})

test('with another server the list of builds shows whether the commit passed @system', async ({ page, host, go }) => {
  serveChanges(host, { own: false })
  const again = data.build({ id: 43, number: 43, status: 'success', params: { LEVEL: '3' } })
  host.on(`GET ${base}`, ok([again, data.build({ status: 'failure' })]))
  await go('/octocat/hello')
  await page.getByRole('region', { name: 'Executions' }).getByRole('link', { name: /#42/ }).click()
  await openWhy(page)
  await page.getByRole('link', { name: /^test/ }).first().click()
  await expect(row(page).getByText(/^Passed on the same commit in/)).toHaveText('Passed on the same commit in #43')
})
