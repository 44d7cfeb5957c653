/**
 * Each waiting reason for a queue state; checks that the queue holds exactly the stages that have
 * one.
 */
import type { Stage } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import type { LiveStage } from '../../store/queue.ts'
import { buildReasons, queueReasons, type QueueState, type RunnerGroup } from './scheduler-reasons.ts'

const live = (id: number, more: Partial<LiveStage> = {}): LiveStage => ({
  id,
  build_id: id,
  repo_id: 1,
  name: 'a',
  status: 'pending',
  machine: '',
  kind: 'pipeline',
  type: 'exec',
  os: 'linux',
  arch: 'amd64',
  variant: '',
  kernel: '',
  labels: {},
  limit: 0,
  throttle: 0,
  ...more,
})
const running = { status: 'running', machine: 'm' } as const
const exec = (busy = 2, slots = 2, filter = {}): RunnerGroup => ({
  filter: { kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64', ...filter },
  busy,
  slots,
})
const docker: RunnerGroup = { filter: { type: 'docker', os: 'linux', arch: 'amd64' }, busy: 1, slots: 1 }

const reasonsOf = (state: Partial<QueueState>): Record<number, string> =>
  Object.fromEntries(
    [...queueReasons({ paused: false, runners: [exec()], stages: [], ...state })]
      .filter((found) => found !== null)
      .map(([id, { text }]) => [id, text]),
  )
const nobody = '; none is connected'
const full = (position: string, line = '2 of 2') => `Queued: ${position} (${line} runner slots busy)`

describe.each<[string, Partial<QueueState>, Record<number, string>]>([
  ['nothing waits', { stages: [live(1, running)] }, {}],
  [
    'a line, oldest first',
    { stages: [live(1, running), live(2, running), live(3), live(4, { repo_id: 2 }), live(5)] },
    { 3: full('1st of 3'), 4: full('2nd of 3'), 5: full('3rd of 3') },
  ],
  [
    'as many as there are free slots are next',
    { runners: [exec(1, 2)], stages: [live(1, running), live(2), live(3)] },
    { 2: 'Waiting for a runner to pick it up', 3: full('2nd of 2', '1 of 2') },
  ],
  [
    'another type',
    { stages: [live(1, { type: 'docker' }), live(2, { type: '' })] },
    {
      1: `Waiting for a runner of type docker for linux/amd64${nobody}`,
      2: `Waiting for a runner of type docker for linux/amd64${nobody}`,
    },
  ],
  [
    'another platform',
    {
      stages: [
        live(1, { os: 'darwin', arch: 'arm64' }),
        live(2, { arch: 'arm', variant: 'v7' }),
        live(3, { os: 'windows', kernel: '1809' }),
        live(4, { variant: 'v8' }),
      ],
    },
    {
      1: `Waiting for a runner of type exec for darwin/arm64${nobody}`,
      2: `Waiting for a runner of type exec for linux/arm/v7${nobody}`,
      3: `Waiting for a runner of type exec for windows/amd64 with the kernel 1809${nobody}`,
      4: `Waiting for a runner of type exec for linux/amd64/v8${nobody}`,
    },
  ],
  [
    'other labels, on either side',
    { stages: [live(1, { labels: { zone: 'a' } }), live(2, { labels: { zone: 'a', gpu: 'yes' } })] },
    {
      1: `Waiting for a runner of type exec for linux/amd64 with the label zone=a${nobody}`,
      2: `Waiting for a runner of type exec for linux/amd64 with the labels zone=a and gpu=yes${nobody}`,
    },
  ],
  [
    'a runner with labels takes nothing without',
    { runners: [exec(0, 1, { labels: { zone: 'a' } })], stages: [live(1)] },
    { 1: `Waiting for a runner of type exec for linux/amd64${nobody}` },
  ],
  [
    'each kind of runner has a line of its own',
    { runners: [exec(), docker], stages: [live(1), live(2, { type: 'docker' }), live(3), live(4, { type: 'docker' })] },
    {
      1: full('1st of 2'),
      2: full('1st of 2', '1 of 1'),
      3: full('2nd of 2'),
      4: full('2nd of 2', '1 of 1'),
    },
  ],
  [
    'a runner of any platform shortens the line',
    { runners: [exec(2, 2), exec(1, 1, { os: '', arch: '' })], stages: [live(1), live(2, { arch: 'arm64' }), live(3)] },
    { 1: full('1st of 2', '3 of 3'), 2: full('2nd of 3', '1 of 1'), 3: full('2nd of 2', '3 of 3') },
  ],
  [
    'the limit of a pipeline, by name and repository',
    {
      stages: [
        live(1, running),
        live(2, { limit: 1 }),
        live(3, { limit: 1, name: 'b' }),
        live(4, { limit: 1, repo_id: 2 }),
      ],
    },
    { 2: 'Waiting: this pipeline is limited to 1 at a time', 3: full('1st of 2'), 4: full('2nd of 2') },
  ],
  [
    'the limit of a pipeline counts what waits longer, and what was taken',
    { stages: [live(1, { machine: 'm' }), live(2, { limit: 2 }), live(3, { limit: 2 })] },
    {
      1: 'Picked up by m, not started yet',
      2: full('1st of 1'),
      3: 'Waiting: this pipeline is limited to 2 at a time',
    },
  ],
  [
    'the limit of a repository, whatever the name',
    {
      stages: [
        live(1, { throttle: 2 }),
        live(2, { ...running, name: 'b' }),
        live(3, { throttle: 2 }),
        live(4, { repo_id: 2 }),
      ],
    },
    { 1: full('1st of 2'), 3: 'Waiting: this repository is limited to 2 at a time', 4: full('2nd of 2') },
  ],
  [
    'a pause, whatever else',
    { paused: true, stages: [live(1), live(2, { type: 'docker' }), live(3, { machine: 'm' })] },
    { 1: 'The queue is paused', 2: 'The queue is paused', 3: 'Picked up by m, not started yet' },
  ],
  [
    'a full disk, also while the queue is paused',
    { paused: true, isDiskFull: true, stages: [live(1), live(2, { machine: 'm' })] },
    { 1: 'Waiting for space: the disk of the server is nearly full', 2: 'Picked up by m, not started yet' },
  ],
  [
    'no runner, before any limit: nobody would take it anyway',
    { runners: [], stages: [live(1), live(2, { limit: 1 })] },
    {
      1: `Waiting for a runner of type exec for linux/amd64${nobody}`,
      2: `Waiting for a runner of type exec for linux/amd64${nobody}`,
    },
  ],
])('%s', (_name, state, expected) => {
  it('has a reason', () => expect(reasonsOf(state)).toEqual(expected))
})

it('carries what pages need', () => {
  const state = { paused: false, runners: [exec()], stages: [live(1), live(2, { type: 'docker', labels: { a: 'b' } })] }
  expect(new Map([...queueReasons(state)].filter((found) => found !== null))).toEqual(
    new Map<number, unknown>([
      [1, expect.objectContaining({ reason: 'place', position: 1, of: 1, busy: 2, places: 2 })],
      [
        2,
        expect.objectContaining({
          reason: 'runner',
          needs: { type: 'docker', os: 'linux', arch: 'amd64', labels: { a: 'b' } },
        }),
      ],
    ]),
  )
})

describe('what a build alone contains', () => {
  const stage = (id: number, name: string, status: Stage['status'], needs: string[] = []) =>
    ({ id, name, status, depends_on: needs }) as unknown as Stage
  const waiting = 'waiting_on_dependencies'
  it.each<[string, Stage[], Record<number, string>]>([
    ['approval', [stage(1, 'a', 'blocked')], { 1: 'Waiting for approval (needs write access)' }],
    ['one dependency', [stage(1, 'a', 'running'), stage(2, 'b', waiting, ['a'])], { 2: 'Waiting for a' }],
    [
      'only what is not over',
      [
        stage(1, 'a', 'success'),
        stage(2, 'b', 'pending'),
        stage(3, 'c', 'running'),
        stage(4, 'd', waiting, ['a', 'b', 'c']),
      ],
      { 4: 'Waiting for b and c' },
    ],
    ['what is skipped waits for nothing', [stage(1, 'a', 'skipped'), stage(2, 'b', 'killed')], {}],
    [
      'many dependencies, some by name',
      [...'abcdefg'].map((name, index) => stage(index, name, 'running')).concat(stage(9, 'z', waiting, [...'abcdefg'])),
      { 9: 'Waiting for a, b, c, d, e and 2 more' },
    ],
  ])('%s', (_name, stages, expected) => {
    expect(Object.fromEntries([...buildReasons(stages)].map(([id, { text }]) => [id, text]))).toEqual(expected)
  })
})
