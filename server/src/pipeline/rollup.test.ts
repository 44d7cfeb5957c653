import type { Stage, Status } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import { buildResult, releaseDownstream, stageResult } from './rollup.ts'

const step = (number: number, status: Status, more: { errignore?: boolean; error?: string } = {}) => ({
  number,
  status,
  exit_code: status === 'failure' ? 3 : 0,
  ...more,
})
const stages = (...list: Status[]) => list.map((status, index) => ({ id: index + 1, status }))

describe('stageResult', () => {
  it('is a success of successes, skipped and ignored steps', () => {
    expect(stageResult([step(1, 'success'), step(2, 'skipped'), step(3, 'failure', { errignore: true })])).toEqual({
      status: 'success',
      exit_code: 0,
    })
    expect(stageResult([])).toEqual({ status: 'success', exit_code: 0 })
  })
  it('is decided by the first in number order, and never has the exit code of the step', () => {
    expect(stageResult([step(2, 'killed'), step(1, 'failure')])).toEqual({ status: 'failure', exit_code: 0 })
    expect(stageResult([step(1, 'success'), step(2, 'killed'), step(3, 'error')])).toEqual({
      status: 'killed',
      exit_code: 137,
    })
  })
  it('copies the error of a step, even of an ignored one', () => {
    expect(stageResult([step(1, 'error', { error: 'no shell', errignore: true })])).toEqual({
      status: 'error',
      exit_code: 255,
      error: 'no shell',
    })
  })
})

describe('buildResult', () => {
  it.each<[string, Status[], Status | null]>([
    ['all succeeded', ['success', 'success'], 'success'],
    ['skipped ones do not count', ['success', 'skipped'], 'success'],
    ['the first in the order of ids decides', ['success', 'error', 'failure'], 'error'],
    ['one is running', ['failure', 'running'], null],
    ['one waits', ['failure', 'waiting_on_dependencies'], null],
    ['one is blocked', ['success', 'blocked'], null],
    ['one was declined', ['success', 'declined'], null],
    ['killed', ['skipped', 'killed', 'failure'], 'killed'],
  ])('%s', (_why, list, expected) => expect(buildResult(stages(...list))).toBe(expected))
})

it('the order of ids decides, not that of the list', () => {
  const list = [
    { id: 3, status: 'killed' as const },
    { id: 1, status: 'success' as const },
    { id: 2, status: 'failure' as const },
  ]
  expect(buildResult(list)).toBe('failure')
})

describe('releaseDownstream', () => {
  const stage = (id: number, name: string, status: Status, more: Partial<Stage> = {}) => ({
    id,
    name,
    status,
    on_success: true,
    on_failure: false,
    ...more,
  })
  const waiting = (id: number, name: string, depends_on: string[], more: Partial<Stage> = {}) =>
    stage(id, name, 'waiting_on_dependencies', { depends_on, ...more })

  it('releases a stage once all it depends on is done', () => {
    expect(
      releaseDownstream([stage(1, 'a', 'success'), stage(2, 'b', 'running'), waiting(3, 'c', ['a', 'b'])]),
    ).toEqual([])
    expect(
      releaseDownstream([stage(1, 'a', 'success'), stage(2, 'b', 'success'), waiting(3, 'c', ['a', 'b'])]),
    ).toEqual([{ id: 3, status: 'pending' }])
  })
  it('skips after any failure in the build, and cascades', () => {
    const list = [
      stage(1, 'a', 'success'),
      stage(2, 'other', 'failure'),
      waiting(3, 'b', ['a']),
      waiting(4, 'c', ['b']),
    ]
    expect(releaseDownstream(list)).toEqual([
      { id: 3, status: 'skipped' },
      { id: 4, status: 'skipped' },
    ])
  })
  it('cascades against the order too', () => {
    expect(releaseDownstream([waiting(1, 'c', ['b']), waiting(2, 'b', ['a']), stage(3, 'a', 'failure')])).toEqual([
      { id: 2, status: 'skipped' },
      { id: 1, status: 'skipped' },
    ])
  })
  it('runs a stage for failures only after one', () => {
    const onFailure = { on_success: false, on_failure: true }
    expect(releaseDownstream([stage(1, 'a', 'failure'), waiting(2, 'b', ['a'], onFailure)])).toEqual([
      { id: 2, status: 'pending' },
    ])
    expect(releaseDownstream([stage(1, 'a', 'success'), waiting(2, 'b', ['a'], onFailure)])).toEqual([
      { id: 2, status: 'skipped' },
    ])
  })
  it('does not wait for names that are not in the build', () => {
    expect(releaseDownstream([waiting(1, 'a', ['gone'])])).toEqual([{ id: 1, status: 'pending' }])
  })
  it('releases a stage that depends on nothing', () => {
    expect(releaseDownstream([stage(1, 'a', 'waiting_on_dependencies')])).toEqual([{ id: 1, status: 'pending' }])
  })
  it('does not pass a stage that was just released', () => {
    expect(releaseDownstream([stage(1, 'a', 'success'), waiting(2, 'b', ['a']), waiting(3, 'c', ['b'])])).toEqual([
      { id: 2, status: 'pending' },
    ])
  })
})
