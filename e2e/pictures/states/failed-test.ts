import type { Line } from '@flightdeck/api'
import { createFingerprint } from '@flightdeck/cause'
import { readLog } from '../../../tools/lib/corpus.mjs'
import type { Host } from '../../support/host.ts'
import { data, ok, ours, signedInAs, withBuild } from '../../support/screens.ts'
import { build, type State } from './state.ts'

/**
 * The recorded npm output of a failed test: the reason is far up, followed by npm's own messages.
 */
const ofNpm = (): Line[] =>
  readLog('npm-verbose-tail')
    .trimEnd()
    .split('\n')
    .map((line, pos) => ({ pos, out: `${line}\n`, time: Math.floor(pos / 20) }))

export const failedTest = (host: Host) => {
  const steps = [data.step({ name: 'clone' }), data.step({ number: 2, name: 'test', status: 'failure', exit_code: 1 })]
  withBuild(host, data.detail({ status: 'failure', stages: [data.stage({ status: 'failure', steps })] }))
  host.on(`GET ${build}/logs/1/2`, ok(ofNpm()))
}

const seenBefore = (host: Host) => {
  failedTest(host)
  signedInAs(host, ours)
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

/** The failed test, and what changed since its last successful run. */
const changedTest = (host: Host) => {
  failedTest(host)
  const sha = (digit: string) => digit.repeat(40)
  const files = (...names: string[]) => ({ files: names, total: names.length })
  const [who, at] = [{ author: 'Ada Lovelace' }, data.now]
  signedInAs(host, ours)
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
  const successful = data.detail({
    number: 40,
    after: sha('a'),
    params: { LEVEL: '2' },
    stages: [data.stage({ steps })],
  })
  host.on('GET /api/repos/octocat/hello/builds/40', ok(successful))
}

/** The file that the failed test names, with the last author of each line. */
const sourceOfTest = (host: Host) => {
  changedTest(host)
  const path = 'src/sum.test.js'
  const lines = [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { sum } from './sum.js'",
    '',
    "test('adds the discount', () => {",
    '  assert.equal(sum([1, 2]), 4)',
    '})',
    '',
    "test('of nothing it is zero', () => {",
    '  assert.equal(sum([]), 0)',
    '})',
  ]
  host.on(
    `GET ${build}/source`,
    ok({ kind: 'text', path, commit: data.build().after, from: 1, total: lines.length, lines }),
  )
  const [time, since] = [data.now, { build: 40, commit: 'a'.repeat(40) }]
  const commits = [
    { sha: 'b'.repeat(40), title: 'Begin', author: 'Grace Hopper', time: time - 90_000, after: false },
    { sha: 'c'.repeat(40), title: 'Add before multiplying', author: 'Ada Lovelace', time: time - 900, after: true },
  ]
  const authors = { path, since, from: 1, lines: lines.map((_, n) => (n === 5 ? 1 : 0)), commits }
  host.on(`GET ${build}/authors/1/2`, ok(authors))
}

/** Failed builds whose rows show the failed step and its error line. */
const redRows = (host: Host) => {
  failedTest(host)
  signedInAs(host, ours)
  const because = (stage: string, step: string, line: number, text: string) => ({
    status: 'failure' as const,
    cause: { stage: 1, step: 2, stage_name: stage, step_name: step, line, text },
  })
  const more: Record<number, object> = {
    42: because('unit', 'test', 856, 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 4'),
    40: because(
      'unit',
      'types',
      31,
      "src/sum.ts(12,3): error TS2322: Type 'string' is not assignable to type 'number'.",
    ),
    39: because('build', 'compile', 7, 'ld: symbol(s) not found for architecture arm64'),
  }
  const listed = [42, 41, 40, 39, 38].map((number) =>
    data.build({ id: number, number, created: data.now - (43 - number) * 4_000, ...more[number] }),
  )
  host.on('GET /api/repos/octocat/hello/builds', ok(listed))
}

/** A failed step, and what helps to find the reason. */
export const brokenStates: State[] = [
  {
    name: 'cause',
    path: '/octocat/hello/42',
    play: failedTest,
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
  {
    name: 'new-lines',
    path: '/octocat/hello/42',
    play: (host) => {
      failedTest(host)
      // The previous run had all lines except the failed test and npm's closing messages.
      const known = createFingerprint()
      for (const { out, pos } of ofNpm())
        if ((pos < 855 || pos > 872) && !/^npm error|^# fail 1/.test(out)) known.add(out)
      const lines = Buffer.from(known.bytes(10_000)).toString('base64')
      signedInAs(host, ours).on(`GET ${build}/logs/1/2/known`, ok({ build: 41, stage: 1, step: 2, lines }))
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'test failed in unit' }).click()
      await page.getByRole('button', { name: 'Only new lines' }).click()
    },
  },
  {
    name: 'source',
    path: '/octocat/hello/42/1/2?source=src%2Fsum.test.js%3A6',
    play: sourceOfTest,
    act: async (page) => {
      await page.getByRole('region', { name: 'Last change to this line' }).getByRole('link').first().waitFor()
    },
  },
  { name: 'failure-reasons', path: '/octocat/hello', play: redRows },
  { name: 'changed', path: '/octocat/hello/42/1/2?changed', play: changedTest },
]
