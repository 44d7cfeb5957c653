/** From a failed build in a list to the error line. */
import type { Page } from '@playwright/test'
import type { Build, Step } from '@flightdeck/api'
import { createFingerprint } from '@flightdeck/cause'
import {
  advanceClockUntil,
  box,
  data,
  latch,
  expect,
  ok,
  ours,
  rest,
  signedInAs,
  test,
  withBuild,
} from '../support/screens.ts'
import type { Host } from '../support/host.ts'

const base = '/api/repos/octocat/hello/builds/42'
const console = (page: Page) => page.getByRole('region', { name: 'Console' })
const log = (page: Page) => page.getByRole('log')
const why = (page: Page) => page.getByRole('region', { name: 'What failed' })
/** The row of the failed steps, which opens the panel below it. */
const whyLine = (page: Page) => why(page).getByRole('heading').getByRole('button')
/** The highlighted error lines. */
const causeRows = (page: Page) => log(page).locator('[data-telling]')
const jump = (page: Page) => console(page).getByRole('button', { name: 'Go to the cause' })
const next = (page: Page) => console(page).getByRole('button', { name: 'Next cause' })

/** npm output: the failed test is far up, followed by forty lines about npm. */
const head = ['+ npm test', '> hello@1.0.0 test', '> node --test', '✖ adds two numbers (1.2ms)']
const tail = Array.from({ length: 40 }, (_, i) => `npm verbose ${i} lifecycle test`)
const mostly = (wrong: Record<number, string>, count = 442) =>
  data.lines(
    count,
    (i) => wrong[i + 1] ?? head[i] ?? (i >= count - 40 ? (tail[i - count + 40] ?? '') : `ok ${i} - works`),
  )
const one = mostly({ 5: '  AssertionError [ERR_ASSERTION]: 3 !== 4' })
const three = mostly({
  5: '  AssertionError [ERR_ASSERTION]: 3 !== 4',
  200: '  AssertionError [ERR_ASSERTION]: 5 !== 6',
  300: '  AssertionError [ERR_ASSERTION]: 7 !== 8',
})

const failed = (number: number, name: string, more = {}) =>
  data.step({ number, name, status: 'failure', exit_code: 1, stopped: data.now - 100 + number, ...more })
const buildOf = (...steps: Step[]): Build =>
  data.detail({
    status: 'failure',
    stages: [data.stage({ status: 'failure', steps: [data.step({ number: 1, name: 'clone' }), ...steps] })],
  })
const broken = (): Build => buildOf(failed(2, 'test'))
const serveBuild = (host: Host, build: Build, logs: Record<string, unknown>) => {
  withBuild(host, build)
  for (const [place, lines] of Object.entries(logs)) host.on(`GET ${base}/logs/${place}`, ok(lines))
}
/** Clicks the failed build in the list. */
const openRow = async (page: Page, go: (path: string) => Promise<void>) => {
  await go('/octocat/hello')
  await page.getByRole('region', { name: 'Executions' }).getByRole('link').first().click()
}

test('a click on a failed build opens the log at its highlighted error line, with all lines shown', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, broken(), { '1/2': one })
  await openRow(page, go)
  await expect(causeRows(page).filter({ hasText: 'AssertionError' })).toBeInViewport()
  await expect(log(page).locator('[data-line]')).toHaveCount(442)
  await expect(
    causeRows(page)
      .first()
      .getByRole('link', { name: /^5, error line/ }),
  ).toBeVisible()
})

test('a typed URL keeps the last 250 lines and offers the error line by a button and by a key @system', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, broken(), { '1/2': three })
  await go('/octocat/hello/42/1/2')
  await expect(log(page).locator('[data-line]')).toHaveCount(250)
  await jump(page).click()
  await expect(causeRows(page).filter({ hasText: '3 !== 4' })).toBeInViewport()
  await expect(console(page).getByText(/^Cause 1 of 3/)).toBeVisible()
  await page.reload()
  await expect(jump(page)).toBeVisible()
  await page.keyboard.press('e')
  await expect(causeRows(page).filter({ hasText: '3 !== 4' })).toBeInViewport()
})

test('e moves to the next error line, Shift+e to the previous one, with wrap-around @system', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, broken(), { '1/2': three })
  await openRow(page, go)
  const inSight = (text: string) => expect(causeRows(page).filter({ hasText: text })).toBeInViewport()
  await inSight('3 !== 4')
  await page.keyboard.press('e')
  await inSight('5 !== 6')
  await page.keyboard.press('e')
  await inSight('7 !== 8')
  await page.keyboard.press('e')
  await inSight('3 !== 4')
  await page.keyboard.press('Shift+e')
  await inSight('7 !== 8')
  await next(page).click()
  await inSight('3 !== 4')
})

test('e works in the console dialog of a narrow window, but not below another dialog @system', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  serveBuild(host, broken(), { '1/2': three })
  await go('/octocat/hello/42/1/2#L442')
  await expect(jump(page)).toBeVisible()
  await page.keyboard.press('e')
  await expect(causeRows(page).filter({ hasText: '3 !== 4' })).toBeInViewport()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('e')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await expect(console(page)).toContainText('Cause 1 of 3')
  // Escape closes the topmost dialog only.
  await page.keyboard.press('c')
  const changed = page.getByRole('dialog', { name: 'What changed since test last passed' })
  await expect(changed).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(changed).toHaveCount(0)
  await expect(console(page)).toContainText('Cause 1 of 3')
})

test('error lines are marks at the scroll bar, at their position in the log @system', async ({ page, host, go }) => {
  serveBuild(host, broken(), { '1/2': three })
  await openRow(page, go)
  const marks = log(page).locator('[data-cause]')
  await expect(marks).toHaveCount(3)
  const tops = await marks.evaluateAll((all) => all.map((mark) => mark.style.top))
  expect(tops).toEqual(['0%', '45%', '67%'])
})

test('a link to a line stays at its line @system', async ({ page, host, go }) => {
  serveBuild(host, broken(), { '1/2': one })
  await go('/octocat/hello/42/1/2#L220')
  await expect(jump(page)).toBeVisible()
  await expect(log(page).locator('[data-marked]')).toBeInViewport()
  await expect(causeRows(page).filter({ hasText: 'AssertionError' })).not.toBeInViewport()
})

test('a successful step has no marks, whatever it prints @system', async ({ page, host, go }) => {
  serveBuild(host, data.oneStage({ status: 'success' }, {}, 'success'), {
    '1/1': data.lines(3, () => 'error: it did not work'),
  })
  await go('/octocat/hello/42')
  await expect(page.getByText('Exit Code 0')).toBeVisible()
  await expect(log(page).locator('[data-line]')).toHaveCount(3)
  await expect(causeRows(page)).toHaveCount(0)
  await expect(jump(page)).toHaveCount(0)
  await expect(why(page)).toHaveCount(0)
})

test('above the console each failed step has its status and its error line with context', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, buildOf(failed(2, 'test'), failed(3, 'lint', { exit_code: 2 })), {
    '1/2': one,
    '1/3': data.lines(3, (i) => ['+ tsc', "src/a.ts(3,5): error TS2322: Type 'x'", ''][i] ?? ''),
  })
  await go('/octocat/hello/42/1/2')
  await whyLine(page).click()
  await expect(why(page)).toContainText('testexit 1')
  const nearbyLine = why(page).getByRole('link', { name: /^[3-7]/ })
  await expect(nearbyLine).toHaveCount(5)
  await expect(nearbyLine.nth(2)).toContainText('AssertionError')
  await expect(why(page).getByRole('listitem')).toHaveText([/lintexit 2src\/a\.ts\(3,5\): error TS2322/])
  // Logs of successful steps are not read.
  expect(
    host.calls.filter(({ path }) => path.includes('/logs/')).map(({ path }) => path.split('/').slice(-2).join('/')),
  ).toEqual(expect.not.arrayContaining(['1/1']))

  await why(page)
    .getByRole('link', { name: /TS2322/ })
    .click()
  await expect(page).toHaveURL(/\/42\/1\/3#L2$/)
  await expect(log(page).locator('[data-marked]')).toContainText('TS2322')
  await whyLine(page).click()
  await expect(why(page).getByRole('listitem')).toHaveCount(0)
  await page.reload()
  await expect(why(page)).toContainText('3 !== 4')
  await expect(why(page).getByRole('listitem')).toHaveCount(0)
})

test('an error line next to the first one is listed once @system', async ({ page, host, go }) => {
  const close = mostly({
    5: '  AssertionError [ERR_ASSERTION]: 3 !== 4',
    6: '  AssertionError [ERR_ASSERTION]: 5 !== 6',
    200: '  AssertionError [ERR_ASSERTION]: 7 !== 8',
  })
  serveBuild(host, broken(), { '1/2': close })
  await go('/octocat/hello/42/1/2')
  await whyLine(page).click()
  await why(page).getByRole('button', { name: '+1 more' }).click()
  await expect(why(page).getByRole('link', { name: '7 !== 8' })).toHaveCount(1)
  await expect(why(page).getByRole('link', { name: '5 !== 6' })).toHaveCount(1)
})

test('nothing moves when the error lines arrive @system', async ({ page, host, go }) => {
  serveBuild(host, broken(), {})
  const gate = latch()
  host.on(`GET ${base}/logs/1/2`, async () => {
    await gate.opened
    return ok(one)
  })
  await go('/octocat/hello/42/1/2')
  await expect(console(page).getByText('Exit Code 1')).toBeVisible()
  // The lines of the log can move while it is read in chunks; everything around them must not.
  const places = async () => {
    await rest(page)
    const around = [
      why(page),
      console(page),
      log(page),
      page.getByText('Exit Code 1'),
      page.getByText('Pipeline stages'),
    ]
    return Promise.all(around.map((place) => box(place)))
  }
  const before = await places()
  gate.open()
  await expect(why(page)).toContainText('3 !== 4')
  await expect(jump(page)).toBeVisible()
  expect(await places()).toEqual(before)
})

test('a line of the last successful run is not reported as the cause @system', async ({ page, host, go }) => {
  const noise = "AssertionError: expected 'a' to be 'b' (a test of our test helper)"
  const lines = ['+ npm test', noise, 'all of part one', 'Error: no connection to database', 'npm ERR! Test failed.']
  serveBuild(host, broken(), { '1/2': data.lines(lines.length, (i) => lines[i] ?? '') })
  const before = createFingerprint()
  for (const line of ['+ npm test', noise, 'all of part one', 'done']) before.add(line)
  const known = { build: 41, stage: 1, step: 2, lines: Buffer.from(before.bytes(1000)).toString('base64') }
  host.on(`GET ${base}/logs/1/2/known`, ok(known))
  signedInAs(host, ours)
  await page.clock.install()
  await go('/octocat/hello')
  const built = page.getByRole('region', { name: 'Executions' }).getByRole('link').first()
  await expect(built).toBeVisible()
  // The page waits 400 ms for these lines: on a busy machine, their response can take longer.
  await page.clock.pauseAt(Date.now() + 60_000)
  await built.click()
  await advanceClockUntil(page, () => causeRows(page).first().isVisible(), 1)
  await page.clock.resume()
  await expect(causeRows(page).filter({ hasText: 'no connection to database' })).toBeInViewport()
  await expect(causeRows(page).filter({ hasText: 'test helper' })).toHaveCount(0)
  await expect(why(page)).toContainText('Error: no connection to database')
})

test('a step that ended because the server restarted has no error line @system', async ({ page, host, go }) => {
  const ended = { reason: 'restarted' as const, text: 'Interrupted: the server was restarted' }
  const step = data.step({ number: 2, name: 'test', status: 'error', exit_code: 255, ended })
  const stage = data.stage({ status: 'error', ended, steps: [data.step({ number: 1, name: 'clone' }), step] })
  serveBuild(host, data.detail({ status: 'error', ended, stages: [stage] }), {
    '1/2': data.lines(5, (i) => `slow ${i}`),
  })
  await go('/octocat/hello/42/1/2')
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('the server was restarted')
  await expect(page.getByRole('status', { name: 'Build status' })).not.toContainText('failed in')
  await expect(why(page)).toHaveCount(0)
  await expect(causeRows(page)).toHaveCount(0)
})

test('without an error line, the error of the step or stage is shown @system', async ({ page, host, go }) => {
  const pull = 'Error response from daemon: manifest for node:99 not found'
  const text = why(page).getByText(pull, { exact: true }).first()
  const silent = why(page).getByText('No error line was found.')
  const step = failed(2, 'test', { status: 'error', exit_code: 255, error: pull })
  serveBuild(host, buildOf(step), { '1/2': [] })
  await go('/octocat/hello/42/1/2')
  await expect(text).toBeVisible()
  await expect(silent).toHaveCount(0)
  await whyLine(page).click()
  await expect(text).toBeVisible()
  await whyLine(page).click()
  // Only the stage has the error.
  const stage = data.stage({ status: 'error', error: pull, steps: [{ ...step, error: '' }] })
  serveBuild(host, data.detail({ status: 'error', stages: [stage] }), { '1/2': [] })
  await go('/octocat/hello/42/1/2')
  await expect(text).toBeVisible()
  await expect(silent).toHaveCount(0)
  // None of its steps failed, and a different stage is shown.
  const other = { ...stage, number: 2, name: 'deploy', steps: [data.step({ status: 'skipped' })] }
  serveBuild(host, data.detail({ status: 'error', stages: [data.stage(), other] }), {})
  await go('/octocat/hello/42/1/1')
  await whyLine(page).click()
  await expect(why(page).getByRole('link', { name: 'deploy', exact: true })).toHaveAttribute(
    'href',
    '/octocat/hello/42/2/1',
  )
  await expect(text).toBeVisible()
})

const tap = [
  '+ node --test',
  'not ok 312 - applies a discount',
  '  ---',
  '  error: |-',
  '    Expected values to be strictly equal:',
  '',
  '    220 !== 180',
  '',
  '# tests 312',
  '# fail 1',
]

test('one line under the header names the test, and opens the failed steps and the changes @system', async ({
  page,
  host,
  go,
}) => {
  serveBuild(host, broken(), { '1/2': data.lines(tap.length, (i) => tap[i] ?? '') })
  await go('/octocat/hello/42/1/2')
  await expect(whyLine(page)).toHaveText('1 of 312 tests failed: applies a discount – 220 !== 180')
  expect((await box(why(page))).height).toBeLessThan(48)
  await expect(why(page).getByRole('button', { name: 'What changed' })).toBeVisible()
  await expect(why(page).getByRole('link')).toHaveCount(0)
  await whyLine(page).focus()
  await page.keyboard.press('Enter')
  await expect(why(page).getByRole('link', { name: /220 !== 180/ })).toBeVisible()
})

for (const [width, height] of [
  [390, 844],
  [375, 667],
] as const)
  test(`on a phone of ${width} × ${height} the log of a failed build takes two thirds of the screen @system`, async ({
    page,
    host,
    go,
  }) => {
    await page.setViewportSize({ width, height })
    serveBuild(host, broken(), { '1/2': data.lines(300, (i) => tap[i] ?? `line ${i}`) })
    await openRow(page, go)
    await expect(whyLine(page)).toContainText('applies a discount')
    expect((await box(log(page))).height).toBeGreaterThan((height * 2) / 3)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('navigation', { name: 'Pipeline stages' })).toBeVisible()
  })
