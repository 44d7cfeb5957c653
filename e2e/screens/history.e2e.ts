/** Earlier occurrences of a failure, and whether a failed step is flaky. */
import type { Page } from '@playwright/test'
import type { Build, BuildHistory, StepHistory } from '@flightdeck/api'
import { axeFindings } from '../support/axe.ts'
import { data, expect, fitsWidth, ok, ours, rest, signedInAs, test, withBuild, withRepo } from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello/builds/42'
const why = (page: Page) => page.getByRole('region', { name: 'What failed' })
/** Opens the panel with all steps. */
const openWhy = (page: Page) => why(page).getByRole('heading').getByRole('button').click()
const sha = (index: number): string => `${index}`.padStart(8, 'abcdef00').padEnd(40, '0')

const broken: Build = data.detail({
  status: 'failure',
  stages: [
    data.stage({
      status: 'failure',
      steps: [
        data.step({ number: 1, name: 'test', status: 'failure', exit_code: 1, stopped: data.now - 90 }),
        data.step({ number: 2, name: 'lint', status: 'failure', exit_code: 1, stopped: data.now - 80 }),
      ],
    }),
  ],
})
const seen: StepHistory['seen'] = {
  times: 14,
  repos: 3,
  since: Date.UTC(2025, 10, 2, 12) / 1000,
  places: [
    { slug: 'octocat/sub/other', number: 7, stage: 1, step: 2, created: data.now - 86_400 },
    { slug: 'octocat/hello', number: 40, stage: 1, step: 1, created: data.now - 2 * 86_400 },
  ],
  ended: { slug: 'octocat/hello', number: 41, commit: sha(1) },
}
const mixed = [1, 2, 3].map((index) => ({ commit: sha(index), failed: 30 + index, passed: 35 + index }))

const serveHistory = (host: Host, ...steps: StepHistory[]): void => {
  withBuild(host, broken)
  signedInAs(host, ours)
  host.on(`GET ${base}/history`, ok({ steps } satisfies BuildHistory))
}

test('a failed step that was seen before says how often, where and since when, with a link to each @system', async ({
  page,
  host,
  go,
}) => {
  serveHistory(host, { stage: 1, step: 1, seen })
  await go('/octocat/hello/42')
  const words = why(page).getByRole('button', { name: 'Seen 14 times in 3 repositories since Nov 2, 2025' })
  await words.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'test: failure history' })
  // The count includes this build, the list does not.
  await expect(dialog).toContainText(
    'Seen 14 times in 3 repositories since Nov 2, 2025, including this build, last fixed by',
  )
  await expect(dialog).toContainText('Before this build:')
  await expect(dialog.getByRole('link', { name: sha(1).slice(0, 8) })).toHaveAttribute(
    'href',
    `/octocat/hello/commits/${sha(1)}`,
  )
  await expect(dialog.getByRole('listitem').getByRole('link')).toHaveText(['octocat/sub/other #7', 'octocat/hello #40'])
  await expect(dialog.getByRole('link', { name: 'octocat/sub/other #7' })).toHaveAttribute(
    'href',
    '/octocat%2Fsub/other/7/1/2',
  )
  expect(await axeFindings(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect(words).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('link', { name: 'octocat/hello #40' }).click()
  await expect(page).toHaveURL(/\/octocat\/hello\/40\/1\/1$/)
  await expect(dialog).toHaveCount(0)
})

test('a step with three or more commits that both failed and passed is called flaky, with numbers @system', async ({
  page,
  host,
  go,
}) => {
  serveHistory(
    host,
    { stage: 1, step: 1, runs: { count: 20, failed: 4, mixed } },
    { stage: 1, step: 2, runs: { count: 20, failed: 4, mixed: mixed.slice(0, 2) } },
  )
  await go('/octocat/hello/42')
  await openWhy(page)
  await expect(why(page).getByRole('button', { name: 'Failed in 4 of the last 20 runs' })).toBeVisible()
  await why(page).getByRole('button', { name: 'Flaky: failed in 4 of 20 runs, 3 commits also passed' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    'Failed in 4 of the last 20 runs, including this one; 3 of these commits also passed when re-run unchanged: flaky.',
  )
  await expect(dialog.getByRole('link', { name: '#31' })).toHaveAttribute('href', '/octocat/hello/31')
  await expect(dialog.getByRole('link', { name: '#36' })).toHaveAttribute('href', '/octocat/hello/36')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('no history is shown for new failures or unknown ones @system', async ({ page, host, go }) => {
  serveHistory(host)
  await go('/octocat/hello/42')
  await openWhy(page)
  await expect(why(page).getByRole('link', { name: 'lint' })).toBeVisible()
  await rest(page)
  await expect(why(page).getByRole('button')).toHaveText([/^test failed/, 'What changed'])
})

for (const width of [1440, 768, 390])
  test(`nothing moves when the history arrives, at ${width} @system`, async ({ page, host, go }) => {
    serveHistory(host)
    let answer = (): void => {}
    const wait = new Promise<void>((resolve) => {
      answer = resolve
    })
    host.on(`GET ${base}/history`, async () => {
      await wait
      return ok({ steps: [{ stage: 1, step: 1, seen, runs: { count: 20, failed: 4, mixed } }] })
    })
    await page.setViewportSize({ width, height: 800 })
    // On a phone the log of a failed build opens immediately as well.
    await go('/octocat/hello')
    await page.getByRole('region', { name: 'Executions' }).getByRole('link').first().click()
    await openWhy(page)
    await expect(why(page).getByRole('link', { name: 'lint' })).toBeVisible()
    await rest(page)
    const panel = await why(page).boundingBox()
    answer()
    await expect(why(page).getByRole('button', { name: /^Flaky/ })).toBeVisible()
    expect(await why(page).boundingBox()).toEqual(panel)
    await fitsWidth(page)
  })

test('with another server the list of builds shows which commits failed and passed, without other requests @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, broken)
  const failedBuilds = [39, 37, 35].map((number) => data.build({ number, status: 'failure', after: sha(number) }))
  const successfulBuilds = [38, 36, 34].map((number) =>
    data.build({ number, status: 'success', after: sha(number + 1) }),
  )
  withRepo(host, {}, [data.build({ number: 42, status: 'failure' }), ...failedBuilds, ...successfulBuilds])
  await go('/octocat/hello')
  await page.getByRole('region', { name: 'Executions' }).getByRole('link').first().click()
  const words = why(page).getByRole('button', { name: 'Flaky: failed in 4 of 7 runs, 3 commits also passed' })
  await words.first().click()
  await expect(page.getByRole('dialog')).toContainText(
    'The whole build: Failed in 4 of the last 7 runs, including this one; 3 of',
  )
  expect(host.made(`GET ${base}/history`)).toEqual([])
})
