import type { Step } from '@flightdeck/api'
import type { Host } from '../../support/host.ts'
import { data, ok, ours, signedInAs, withBuild, withRepo } from '../../support/screens.ts'
import { build, repo, stage, waiting, type State } from './state.ts'

const slower = (host: Host) => {
  withRepo(host)
  signedInAs(host, ours)
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

const ran = (number: number, name: string, from: number, to: number, more: Partial<Step> = {}) =>
  data.step({ number, name, started: data.now + from, stopped: to === 0 ? 0 : data.now + to, ...more })

/** A build past its half: one step took longer than ever, one stage waited for a runner. */
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
  signedInAs(host, ours)
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

/** The durations of builds. */
export const timesStates: State[] = [
  { name: 'timeline', path: '/octocat/hello/42?view=timeline', play: inFlight },
  { name: 'times-slower', path: '/octocat/hello/times', play: slower },
]
