import { describe, expect, test } from 'vitest'

import type { LineView } from '../engine/view.ts'
import { lineTimes, timesOfHits } from './line-times.ts'

const view = (over: Partial<LineView>): LineView => ({ index: 1, number: 2, time: 0, parts: [], cut: 0, ...over })
const coarse = { lastTime: 125, tenths: false, began: undefined }
/** 10:20:30.4 in the local time zone. */
const startedAt = new Date(2023, 10, 14, 10, 20, 30, 400).getTime()
const fine = { lastTime: 125, tenths: true, began: startedAt }
const started = new Date(2023, 10, 14, 10, 20, 30).getTime() / 1000

describe('with a server that sends whole seconds nothing finer is shown', () => {
  test.each([
    ['step', { time: 125, before: { time: 120 } }, '125s'],
    ['gap', { time: 125, before: { time: 120 } }, '+5s'],
    ['gap', { time: 7 }, '+7s'],
    ['gap', { time: 7, before: { time: 9 } }, '+0s'],
    ['day', { time: 95 }, '10:22:05'],
  ] as const)('%s of %j is %s', (clock, line, text) => {
    const times = lineTimes(clock, coarse, started)
    expect(times.textOf(view(line))).toBe(text)
    expect(text.length).toBeLessThanOrEqual(times.width)
  })

  test('no time of day without a known start of the step', () => {
    expect(lineTimes('day', coarse, 0).textOf(view({ time: 5 }))).toBe('5s')
  })
})

describe('tenths are shown if the server sends them', () => {
  test.each([
    ['step', { time: 125, tenth: 3 }, '125.3s'],
    ['gap', { time: 125, tenth: 1, before: { time: 123, tenth: 9 } }, '+1.2s'],
    ['gap', { time: 0, tenth: 4 }, '+0.4s'],
    ['gap', { time: 5, tenth: 1, before: { time: 5, tenth: 4 } }, '+0.0s'],
    ['day', { time: 29, tenth: 7 }, '10:21:00.1'],
    // A line that was inserted by another program.
    ['step', { time: 12 }, '12s'],
    ['gap', { time: 12, before: { time: 11, tenth: 9 } }, '+1s'],
    ['day', { time: 30 }, '10:21:00'],
  ] as const)('%s of %j is %s', (clock, line, text) => {
    const times = lineTimes(clock, fine, started)
    expect(times.textOf(view(line))).toBe(text)
    expect(text.length).toBeLessThanOrEqual(times.width)
  })
})

test('search results have the same time, and none if times are hidden', () => {
  const hit = {
    number: 1,
    column: 0,
    before: '',
    text: '',
    after: '',
    time: 29,
    tenth: 7,
    previous: { time: 28, tenth: 9 },
  }
  const of = (times: boolean, clock: 'step' | 'gap' | 'day') =>
    timesOfHits({ times, clock }).textOf({ began: startedAt, started }, hit)
  expect([of(true, 'step'), of(true, 'gap'), of(true, 'day'), of(false, 'day')]).toEqual([
    '29.7s',
    '+0.8s',
    '10:21:00.1',
    '',
  ])
})
