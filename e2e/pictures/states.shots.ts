/**
 * Takes a picture of each screen in the states that the running product is seldom in – empty, failing, loading, waiting for
 * somebody – in light and dark, at 1440, 768 and 390 px, into docs/pictures/states (the phone in dark and the desk in light are kept).
 */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import type { Line, Stage, Status, Step } from '@flightdeck/api'
import { createFingerprint } from '@flightdeck/cause'
import { Host } from '../support/host.ts'
import { data, expect, fail, ok, signedInAs, signedOut, test, withBuild, withRepo } from '../support/screens.ts'

const kept = fileURLToPath(new URL('../../docs/pictures/states', import.meta.url))
const all = fileURLToPath(new URL('../test-results/states', import.meta.url))

const never = () => new Promise<never>(() => {})
const repo = '/api/repos/octocat/hello'
const build = `${repo}/builds/42`
const running = { started: data.now - 60, stopped: 0 }
const waiting = { started: 0, stopped: 0 }

interface State {
  name: string
  path: string
  play: (host: Host) => unknown
  act?: (page: Page, host: Host) => Promise<void>
}

const secretForm = async (page: Page) => {
  await page.getByLabel('Name').fill('password')
  await page.getByLabel('Value').or(page.getByLabel('Data')).first().fill('s3cret')
  await page.getByRole('button', { name: /add/i }).click()
}

/** What npm really leaves of a test that failed: its reason far up, and pages about itself. */
const ofNpm = (): Line[] =>
  readFileSync(new URL('../../cause/corpus/npm-verbose-tail.log', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, pos) => ({ pos, out: `${line}\n`, time: Math.floor(pos / 20) }))

const brokenTest = (host: Host) => {
  const steps = [data.step({ name: 'clone' }), data.step({ number: 2, name: 'test', status: 'failure', exit_code: 1 })]
  withBuild(host, data.detail({ status: 'failure', stages: [data.stage({ status: 'failure', steps })] }))
  host.on(`GET ${build}/logs/1/2`, ok(ofNpm()))
}

const seenBefore = (host: Host) => {
  brokenTest(host)
  signedInAs(host, { has_password: true })
  const ago = (days: number) => data.now - days * 86_400
  const seen = {
    times: 14,
    repos: 3,
    since: ago(20),
    places: [
      { slug: 'octocat/other', number: 7, stage: 1, step: 2, created: ago(1) },
      { slug: 'octocat/hello', number: 40, stage: 1, step: 2, created: ago(2) },
      { slug: 'octocat/hello', number: 31, stage: 1, step: 2, created: ago(12) },
    ],
    ended: { slug: 'octocat/hello', number: 33, commit: '7c1f0ae2'.repeat(5) },
  }
  const mixed = [41, 36, 30].map((failed) => ({ commit: `${failed}b2ce7a`.repeat(5), failed, passed: failed + 1 }))
  const steps = [{ stage: 1, step: 2, seen, runs: { count: 20, failed: 4, mixed } }]
  host.on(`GET ${build}/history`, ok({ steps }))
}

const slower = (host: Host) => {
  withRepo(host)
  signedInAs(host, { has_password: true })
  const builds = Array.from({ length: 90 }, (_, i) => ({
    number: i + 80,
    commit: `${i + 80}fe`.padEnd(40, '0a'),
    created: data.now - (90 - i) * 20_000,
  }))
  const runs = (seconds: (i: number) => number, fails: (i: number) => boolean = () => false) =>
    builds.map(({ number }, i) => ({ build: number, seconds: seconds(i), passed: !fails(i) }))
  const steps = [
    { stage: 'unit', step: 'install', runs: runs((i) => 38 + ((i * 7) % 9)) },
    {
      stage: 'unit',
      step: 'test',
      runs: runs(
        (i) => (i < 40 ? 12 : 31) + ((i * 5) % 4),
        (i) => i % 17 === 3,
      ),
    },
    { stage: 'unit', step: 'lint', runs: runs((i) => (i < 60 ? 9 : 4) + ((i * 3) % 2)) },
    { stage: 'ship', step: 'publish', runs: runs((i) => 5 + ((i * 11) % 3)).slice(60) },
  ]
  host.on(`GET ${repo}/times`, ok({ branch: 'main', builds, steps }))
  for (const number of [119, 120])
    host.on(
      `GET ${repo}/builds/${number}/details`,
      ok({ file: { path: '.drone.yml', commit: 'c', text: String(number) }, attempts: [] }),
    )
}

const stage = (number: number, name: string, from: number, to: number, more: Partial<Stage> = {}) =>
  data.stage({ number, name, created: 0, started: data.now + from, stopped: to === 0 ? 0 : data.now + to, ...more })
const ran = (number: number, name: string, from: number, to: number, more: Partial<Step> = {}) =>
  data.step({ number, name, started: data.now + from, stopped: to === 0 ? 0 : data.now + to, ...more })

/** In the middle of its second half: one step took longer than ever, one stage waited for a runner. */
const inFlight = (host: Host) => {
  const steps = [ran(1, 'clone', -360, -357), ran(2, 'install', -357, -315), ran(3, 'compile', -315, -212)]
  const tests = [
    ran(1, 'clone', -206, -203),
    ran(2, 'unit', -203, 0, { status: 'running' }),
    ran(3, 'cover', 0, 0, { ...waiting, status: 'pending' }),
  ]
  const checks = [ran(1, 'clone', -150, -147), ran(2, 'types', -147, -96), ran(3, 'style', -96, -71)]
  const stages = [
    stage(1, 'build', -360, -212, { steps }),
    stage(2, 'test', -206, 0, { depends_on: ['build'], status: 'running', steps: tests }),
    stage(3, 'lint', -150, -71, { depends_on: ['build'], steps: checks }),
    stage(4, 'ship', 0, 0, { ...waiting, depends_on: ['test', 'lint'], status: 'waiting_on_dependencies', steps: [] }),
  ]
  const times = { created: data.now - 372, started: data.now - 360, finished: 0 }
  withBuild(host, data.detail({ status: 'running', ...times, stages }))
  signedInAs(host, { has_password: true })
  const usual = (at: string, step: string, median: number) => ({
    stage: at,
    step,
    count: 20,
    median,
    low: Math.round(median * 0.9),
    high: Math.round(median * 1.2),
  })
  host.on(
    `GET ${build}/usual`,
    ok({
      build: { count: 20, median: 520, low: 480, high: 570 },
      steps: [
        usual('build', 'clone', 3),
        usual('build', 'install', 40),
        usual('build', 'compile', 61),
        usual('test', 'clone', 3),
        usual('test', 'unit', 210),
        usual('test', 'cover', 12),
        usual('lint', 'clone', 3),
        usual('lint', 'types', 48),
        usual('lint', 'style', 24),
      ],
    }),
  )
}

/** What failed ran again, and is green: the others are from the builds before. */
const attempted = (host: Host) => {
  const over = { taken_over: 40 }
  const names = ['build', 'lint']
  const stages = [stage(1, 'build', -900, -780, over), stage(2, 'lint', -780, -730, over), stage(3, 'test', -60, -12)]
  const again = { only: 'failed' } as const
  withBuild(host, data.detail({ parent: 41, again, stages, started: data.now - 60, finished: data.now - 12 }))
  signedInAs(host, { has_password: true })
  const attempt = (number: number, status: Status, from: number, seconds: number, more: object = {}) => ({
    ...data.build({ number, status, created: data.now - from, started: data.now - from }),
    finished: data.now - from + seconds,
    ...more,
  })
  const attempts = [
    attempt(42, 'success', 60, 48, { actor: 'octocat', parent: 41, again, taken_over: names }),
    attempt(41, 'failure', 300, 51, { actor: 'mona', parent: 40, again, taken_over: names }),
    attempt(40, 'failure', 900, 221),
  ]
  const file = { path: '.drone.yml', commit: 'c', text: 'kind: pipeline\ntype: exec\nname: build\n' }
  host.on(`GET ${build}/details`, ok({ file, attempts }))
}

/** A warning that began some builds ago. */
const warned = (host: Host) => {
  withBuild(host)
  const numbers = [42, 41, 40, 39, 38, 37]
  const built = (number: number) =>
    data.detail({
      number,
      target: number === 40 ? 'next' : 'main',
      author_login: number === 39 ? 'mona' : 'octocat',
      created: data.now - (43 - number) * 40_000,
    })
  const said = (number: number) => [
    'npm ci',
    'added 214 packages in 6s',
    number > 38 ? 'warning: the old style of imports is going away' : 'no warnings',
    'done',
  ]
  host.on(`GET ${repo}/builds`, ok(numbers.map(built)))
  for (const number of numbers) {
    const lines = said(number).map((line, pos) => ({ pos, out: `${line}\n`, time: 6 * pos, tenth: (3 * pos) % 10 }))
    host.on(`GET ${repo}/builds/${number}`, ok(built(number)))
    host.on(`GET ${repo}/builds/${number}/logs/1/1`, ok(lines))
  }
}

/** The same, and what changed since it was green. */
const changedTest = (host: Host) => {
  brokenTest(host)
  const sha = (digit: string) => digit.repeat(40)
  const files = (...names: string[]) => ({ files: names, total: names.length })
  const [who, at] = [{ author: 'Ada Lovelace' }, data.now]
  signedInAs(host, { has_password: true })
  host.on(
    `GET ${build}/changes/1/2`,
    ok({
      since: { build: 40, stage: 1, step: 2, ref: 'refs/heads/main', commit: sha('a') },
      commits: [
        {
          sha: sha('c'),
          title: 'Add before multiplying',
          ...who,
          time: at - 900,
          ...files('src/sum.js', 'src/sum.test.js'),
        },
        {
          sha: sha('b'),
          title: 'Use the new runner',
          author: 'Grace Hopper',
          time: at - 9_000,
          ...files('.drone.yml'),
        },
      ],
      file: { path: '.drone.yml', same: false, line: 7 },
    }),
  )
  const steps = [
    data.step({ name: 'clone' }),
    data.step({ number: 2, name: 'test', started: at - 200, stopped: at - 190 }),
  ]
  const green = data.detail({ number: 40, after: sha('a'), params: { LEVEL: '2' }, stages: [data.stage({ steps })] })
  host.on('GET /api/repos/octocat/hello/builds/40', ok(green))
}

const states: State[] = [
  {
    name: 'log-search',
    path: '/octocat/hello/42/1/1',
    play: warned,
    act: async (page) => {
      const find = page.getByRole('button', { name: 'Find in log' })
      // On a phone the console opens when its step is pressed.
      const steps = page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link')
      await find.or(steps.first()).first().waitFor()
      if (!(await find.isVisible())) await steps.first().click()
      await find.click()
      await page.getByRole('searchbox', { name: 'Find in log' }).fill('old style')
      await page.getByRole('combobox', { name: 'Find in' }).selectOption('Last 50 builds')
      await page.getByText(/^Since #39/).waitFor()
    },
  },
  {
    name: 'cause',
    path: '/octocat/hello/42',
    play: brokenTest,
    act: (page) => page.getByRole('button', { name: 'test failed in unit' }).click(),
  },
  {
    name: 'history',
    path: '/octocat/hello/42',
    play: seenBefore,
    act: async (page) => {
      await page.getByRole('button', { name: 'test failed in unit' }).click()
      await page.getByRole('button', { name: /^Flaky/ }).click()
    },
  },
  { name: 'timeline', path: '/octocat/hello/42?view=timeline', play: inFlight },
  { name: 'attempts', path: '/octocat/hello/42?details', play: attempted },
  {
    name: 'again',
    path: '/octocat/hello/42',
    play: (host) => {
      brokenTest(host)
      signedInAs(host, { has_password: true })
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Run again' }).click()
      await page.getByRole('menuitem', { name: 'With changes' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Branch').fill('next')
      await dialog.getByLabel('Key').fill('LEVEL')
      await dialog.getByLabel('Value').fill('high')
    },
  },
  {
    name: 'reproduce',
    path: '/octocat/hello/42/1/2?view=log',
    play: (host) => {
      brokenTest(host)
      signedInAs(host, { has_password: true })
    },
    act: (page) => page.getByRole('button', { name: 'Reproduce here' }).hover(),
  },
  { name: 'times-slower', path: '/octocat/hello/times', play: slower },
  {
    name: 'new-lines',
    path: '/octocat/hello/42',
    play: (host) => {
      brokenTest(host)
      // The run before said all but the test that failed, and what npm says of its end.
      const known = createFingerprint()
      for (const { out, pos } of ofNpm())
        if ((pos < 855 || pos > 872) && !/^npm error|^# fail 1/.test(out)) known.add(out)
      const lines = Buffer.from(known.bytes(10_000)).toString('base64')
      signedInAs(host, { has_password: true }).on(
        `GET ${build}/logs/1/2/known`,
        ok({ build: 41, stage: 1, step: 2, lines }),
      )
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'test failed in unit' }).click()
      await page.getByRole('button', { name: 'Only new lines' }).click()
    },
  },
  { name: 'changed', path: '/octocat/hello/42/1/2?changed', play: changedTest },
  { name: 'dashboard-empty', path: '/', play: () => undefined },
  { name: 'dashboard-loading', path: '/', play: (host) => host.on('GET /api/user/repos', never) },
  {
    name: 'dashboard-failing',
    path: '/',
    play: (host) => host.on('GET /api/user/repos', fail(500, 'database is locked')),
  },
  {
    name: 'dashboard-unfiltered-none',
    path: '/',
    play: (host) => withRepo(host),
    act: (page) => page.getByPlaceholder('Filter').fill('nothing like it'),
  },
  {
    name: 'dashboard-stream-lost',
    path: '/',
    play: (host) => withRepo(host),
    act: async (_, host) => {
      await host.reader('/api/stream')
      host.cutStreams(503)
    },
  },
  {
    name: 'search-none',
    path: '/',
    play: (host) => withRepo(host),
    act: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByPlaceholder('Search repositories, branches and builds').fill('nothing like it')
    },
  },
  { name: 'builds-empty', path: '/octocat/hello', play: (host) => withRepo(host, {}, []) },
  {
    name: 'builds-loading',
    path: '/octocat/hello',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds`, never)),
  },
  {
    name: 'builds-failing',
    path: '/octocat/hello',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds`, fail(500, 'database is locked'))),
  },
  {
    name: 'repository-failing',
    path: '/octocat/hello',
    play: (host) => host.on(`GET ${repo}`, fail(502, 'Bad Gateway')),
  },
  { name: 'branches-empty', path: '/octocat/hello/branches', play: (host) => withRepo(host) },
  {
    name: 'branches-loading',
    path: '/octocat/hello/branches',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds/branches`, never)),
  },
  {
    name: 'deployments-failing',
    path: '/octocat/hello/deployments',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds/deployments`, fail(500, 'database is locked'))),
  },
  {
    name: 'build-loading',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`GET ${build}`, never)),
  },
  {
    name: 'build-failing',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`GET ${build}`, fail(500, 'database is locked'))),
  },
  {
    name: 'build-error',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({ status: 'error', error: 'yaml: line 7: mapping values are not allowed here', stages: [] }),
      ),
  },
  {
    name: 'build-blocked',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'pending',
          started: 0,
          finished: 0,
          stages: [
            data.stage({ status: 'blocked', ...waiting, steps: [] }),
            data.stage({ number: 2, name: 'deploy', status: 'blocked', ...waiting, steps: [] }),
          ],
        }),
      ),
  },
  {
    name: 'build-declined',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({ status: 'declined', stages: [data.stage({ status: 'declined', ...waiting, steps: [] })] }),
      ),
  },
  {
    name: 'build-pending',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'pending',
          started: 0,
          finished: 0,
          stages: [data.stage({ status: 'pending', ...waiting, steps: [] })],
        }),
      ),
  },
  {
    name: 'build-skipped',
    path: '/octocat/hello/42/1/2',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'failure',
          stages: [
            data.stage({
              status: 'failure',
              steps: [
                data.step({ status: 'failure', exit_code: 1 }),
                data.step({ number: 2, name: 'deploy', status: 'skipped', ...waiting }),
              ],
            }),
          ],
        }),
      ),
  },
  {
    name: 'log-loading',
    path: '/octocat/hello/42/1/1',
    play: (host) => (withBuild(host), host.on(`GET ${build}/logs/1/1`, never)),
    act: (page) => page.getByText('Log View').first().click(),
  },
  {
    name: 'log-failing',
    path: '/octocat/hello/42/1/1',
    play: (host) => (withBuild(host), host.on(`GET ${build}/logs/1/1`, fail(500, 'disk is full'))),
    act: (page) => page.getByText('Log View').first().click(),
  },
  {
    name: 'log-streaming',
    path: '/octocat/hello/42/1/1',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'running',
          finished: 0,
          stages: [
            data.stage({ status: 'running', ...running, steps: [data.step({ status: 'running', ...running })] }),
          ],
        }),
      ),
    act: async (page, host) => {
      await page.getByText('Log View').first().click()
      await host.push('/api/stream/octocat/hello/42/1/1', { pos: 0, out: '+ npm test\n', time: 0 })
    },
  },
  {
    name: 'actions',
    path: '/octocat/hello/42',
    play: (host) => withBuild(host),
    act: (page) => page.getByRole('button', { name: 'Actions' }).click(),
  },
  {
    name: 'promote',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`POST ${build}/promote`, fail(500, 'the runner is away'))),
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Promote' }).click()
      await page.getByRole('dialog').getByRole('textbox').first().fill('production')
    },
  },
  { name: 'secrets-empty', path: '/octocat/hello/settings/secrets', play: (host) => withRepo(host) },
  {
    name: 'secrets-refused',
    path: '/octocat/hello/settings/secrets',
    play: (host) => (withRepo(host), host.on(`POST ${repo}/secrets`, fail(500, 'UNIQUE constraint failed'))),
    act: secretForm,
  },
  {
    name: 'secrets-loading',
    path: '/octocat/hello/settings/secrets',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/secrets`, never)),
  },
  {
    name: 'cron-failing',
    path: '/octocat/hello/settings/cron',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/cron`, fail(500, 'database is locked'))),
  },
  { name: 'cron-empty', path: '/octocat/hello/settings/cron', play: (host) => withRepo(host) },
  {
    name: 'users-loading',
    path: '/settings/users',
    play: (host) => host.on('GET /api/user', ok(data.user({ admin: true }))).on('GET /api/users', never),
  },
  {
    name: 'users-failing',
    path: '/settings/users',
    play: (host) =>
      host.on('GET /api/user', ok(data.user({ admin: true }))).on('GET /api/users', fail(500, 'database is locked')),
  },
  {
    name: 'account-failing',
    path: '/account',
    play: (host) => host.on('POST /api/user/token', fail(500, 'database is locked')),
  },
  { name: 'server-away', path: '/', play: (host) => host.on('GET /api/user', fail(502, 'Bad Gateway')) },
  { name: 'signed-out', path: '/octocat/hello', play: (host) => signedOut(host) },
]

async function play(browser: Browser, state: State, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const host = await new Host().listen()
  host
    .on('GET /api/user', ok(data.user()))
    .on('GET /api/user/repos', ok([]))
    .on('GET /api/user/builds/recent', ok([]))
    .on('POST /api/user/token', ok({ ...data.user(), token: 'gAmnoF3bVcFkgRBKKbwmMaHrAeaPvhMS' }))
  state.play(host)
  const viewport = { width, height: width === 390 ? 844 : 900 }
  const page = await browser.newPage({ colorScheme, viewport, reducedMotion: 'reduce' })
  try {
    await page.goto(host.origin + state.path)
    await expect(page.locator('main')).toBeVisible()
    await page.waitForTimeout(500)
    // A control that this width does not have is no reason to go without the rest.
    await state
      .act?.(page, host)
      .catch((error: unknown) => console.log(`${state.name} at ${width}: ${String(error).split('\n')[0]}`))
    await page.waitForTimeout(500)
    const folder = (width === 1440 && colorScheme === 'light') || (width === 390 && colorScheme === 'dark') ? kept : all
    await page.screenshot({ path: join(folder, `${state.name}-${colorScheme}-${width}.png`), animations: 'disabled' })
  } finally {
    await page.close()
    await host.close()
  }
}

/** `ONLY=cause node tools/screenshots.mjs`: a single state. */
const only = process.env['ONLY']

const chosen = states.filter(({ name }) => !only || name === only)

test('states', async ({ browser }) => {
  test.skip(chosen.length === 0, 'a screen is asked for')
  await mkdir(kept, { recursive: true })
  await mkdir(all, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 768, 390])
      for (const state of chosen)
        await test.step(`${state.name} ${colorScheme} ${width}`, () => play(browser, state, colorScheme, width))
})
