import type { Build, Stage, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { axisOf, barsOf, placeOn, ticksOf } from './bars.ts'

const stage = (number: number, name: string, started: number, stopped: number, more: Partial<Stage> = {}): Stage =>
  ({ number, name, status: stopped ? 'success' : 'running', started, stopped, ...more }) as Stage
const step = (number: number, started: number, stopped: number, more: Partial<Step> = {}): Step =>
  ({ number, name: `s${number}`, status: stopped ? 'success' : 'running', started, stopped, ...more }) as Step
const build = (stages: Stage[], more: Partial<Build> = {}): Build =>
  ({ created: 100, finished: 0, status: 'running', stages, ...more }) as Build
const critical = (of: Build) =>
  barsOf(of)
    .filter((bar) => bar.critical)
    .map((bar) => bar.key)

test('the critical path is marked: its stages, and the steps that delayed them', () => {
  const steps = [step(1, 110, 120), step(2, 110, 130), step(3, 130, 140, { depends_on: ['s1', 's2'] })]
  const stages = [
    stage(1, 'lint', 110, 120, { steps: [step(1, 110, 112), step(2, 110, 120)] }),
    stage(2, 'test', 110, 140, { steps }),
    stage(3, 'docs', 110, 300),
    stage(4, 'ship', 185, 400, { depends_on: ['lint', 'test'] }),
  ]
  expect(critical(build(stages))).toEqual(['2', '2/2', '2/3', '4'])
})

test('steps that are all on the path have no label', () => {
  const line = [step(1, 110, 120), step(2, 120, 140)]
  expect(critical(build([stage(1, 'a', 110, 140, { steps: line })]))).toEqual([])
  const left = [...line, step(3, 140, 140, { status: 'skipped' })]
  expect(critical(build([stage(1, 'a', 110, 140, { steps: left })]))).toEqual(['1/1', '1/2'])
})

test('waiting starts when nothing else is missing: not while it needs dependencies or an approval', () => {
  const stages = [
    stage(1, 'a', 110, 150),
    stage(2, 'b', 170, 200, { depends_on: ['a'] }),
    stage(3, 'c', 190, 200, { approved: 185 }),
    stage(4, 'd', 0, 0, { status: 'waiting_on_dependencies', depends_on: ['a'] }),
    stage(5, 'e', 0, 0, { status: 'pending' }),
  ]
  expect(barsOf(build(stages)).map((bar) => bar.ready)).toEqual([100, 150, 185, 0, 100])
})

test('reused stages have no part in the time of this build', () => {
  const stages = [
    stage(1, 'a', 10, 50, { taken_over: 7, steps: [step(1, 10, 50)] }),
    stage(2, 'b', 110, 130, { depends_on: ['a'] }),
  ]
  const bars = barsOf(build(stages, { status: 'success', finished: 130 }))
  expect(bars.map(({ key, ready, critical: isCritical, reusedFrom }) => [key, ready, isCritical, reusedFrom])).toEqual([
    ['1', 0, false, 7],
    ['1/1', 0, false, 7],
    ['2', 100, true, undefined],
  ])
  expect(axisOf(build(stages, { status: 'success', finished: 130 }), bars, 1_000)).toEqual({ begin: 100, length: 30 })
})

test('the axis of a running build changes rarely, and contains running bars', () => {
  const running = build([stage(1, 'a', 110, 0)])
  const at = (now: number) => axisOf(running, barsOf(running), now).length
  expect([at(105), at(109), at(110), at(159), at(160), at(5_000), at(200_000)]).toEqual([
    10, 10, 20, 60, 120, 7_200, 345_600,
  ])
  expect(placeOn({ begin: 100, length: 50 }, 110, 120)).toEqual({ left: 20, width: 20 })
  expect(placeOn({ begin: 100, length: 50 }, 90, 500)).toEqual({ left: 0, width: 100 })
})

test('a hundred thousand steps have an axis', () => {
  const steps = Array.from({ length: 200_000 }, (_, index) => step(index + 1, 110 + index, 111 + index))
  const long = build([stage(1, 'a', 110, 200_110, { steps })], { status: 'success', finished: 130 })
  const bars = barsOf(long)
  expect(bars).toHaveLength(200_001)
  expect(axisOf(long, bars, 0)).toEqual({ begin: 100, length: 200_010 })
})

test('waiting for approval is separate from waiting for a runner', () => {
  const stages = [
    stage(1, 'a', 110, 150),
    stage(2, 'b', 190, 200, { depends_on: ['a'], approved: 180 }),
    stage(3, 'c', 0, 0, { status: 'blocked', depends_on: ['a'] }),
    stage(4, 'd', 160, 170, { approved: 90 }),
  ]
  const of = (name: string) => {
    const bar = barsOf(build(stages)).find((candidate) => candidate.name === name)
    return [bar?.asked, bar?.approved, bar?.ready]
  }
  expect(of('a')).toEqual([0, 0, 100])
  expect(of('b')).toEqual([150, 180, 180])
  expect(of('c')).toEqual([150, 0, 0])
  // Approved before it could start: the approval cost no time.
  expect(of('d')).toEqual([0, 0, 100])
})

test('the axis has at most six marks at readable times', () => {
  const of = (length: number) => ticksOf({ begin: 0, length })
  expect(of(1)).toEqual([0, 1])
  expect(of(42)).toEqual([0, 10, 20, 30, 40])
  expect(of(600)).toEqual([0, 120, 240, 360, 480, 600])
  for (const length of [3, 59, 61, 3600, 5000, 90_000, 2_000_000]) expect(of(length).length).toBeLessThanOrEqual(7)
})
