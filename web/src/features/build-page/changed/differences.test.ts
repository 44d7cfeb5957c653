import { expect, test } from 'vitest'

import { differences, type Run } from './differences.ts'

const run = (over: Partial<Run> = {}): Run => ({
  build: { number: 1, params: { A: '1', B: '2' } },
  stage: { machine: 'one', os: 'linux', arch: 'amd64' },
  step: { started: 100, stopped: 112 },
  ...over,
})

test('equal runs have no differences', () => {
  expect(differences(run(), run())).toEqual({
    params: [],
    runner: { before: 'one, linux/amd64', after: 'one, linux/amd64', same: true },
    duration: { before: 12, after: 12 },
  })
})

test('added, removed and changed parameters, a different runner and duration', () => {
  const failed = run({
    build: { number: 2, params: { B: '3', C: '' } },
    stage: { machine: 'two', os: 'linux', arch: 'arm64', variant: 'v8' },
    step: { started: 100, stopped: 140 },
  })
  expect(differences(run(), failed)).toEqual({
    params: [
      { name: 'A', before: '1', after: undefined },
      { name: 'B', before: '2', after: '3' },
      { name: 'C', before: undefined, after: '' },
    ],
    runner: { before: 'one, linux/amd64', after: 'two, linux/arm64/v8', same: false },
    duration: { before: 12, after: 40 },
  })
})

test('fields that one of the two lacks are not compared', () => {
  const unknown: Run = { build: { number: 1 }, stage: undefined, step: { started: 100 } }
  expect(differences(unknown, run({ build: { number: 2 } }))).toEqual({ params: [] })
})
