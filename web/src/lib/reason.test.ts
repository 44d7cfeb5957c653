import type { Build, Ended, Stage, Step, Waiting } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { reasonOf, shownStatus, withoutWaiting } from './reason.ts'

const waiting = (reason: Waiting['reason'], text: string): Waiting => ({ reason, text })

describe('why something waits or has ended', () => {
  it('is the server’s reason, else the first line of the error, else nothing', () => {
    const ended: Ended = { reason: 'canceled', text: 'Cancelled by wes', by: 'wes', at: 30 }
    expect(reasonOf({ ended })).toMatchObject({ text: 'Cancelled by wes', at: 30 })
    expect(reasonOf({ waiting: waiting('paused', 'The queue is paused') })).toMatchObject({
      text: 'The queue is paused',
    })
    expect(
      reasonOf({ ended: { reason: 'restarted', text: 'Interrupted: the server was restarted' }, error: 'x' }),
    ).toMatchObject({
      text: 'Interrupted: the server was restarted',
    })
    expect(reasonOf({ error: 'yaml: unmarshal errors:\n  line 3: no' })).toEqual({ text: 'yaml: unmarshal errors:' })
    expect(reasonOf({})).toBeUndefined()
  })
})

describe('a finished entity waits for nothing', () => {
  const word = waiting('approval', 'Waiting for approval (needs write access)')
  const steps = [{ id: 1, number: 1, name: 'x', status: 'pending', waiting: word }] as Step[]
  const stages = [
    { number: 1, name: 'a', status: 'declined' },
    { number: 2, name: 'b', status: 'blocked', waiting: word, steps },
  ] as Stage[]
  const build = { number: 5, status: 'declined', stages } as Build

  it('on its own', () => {
    expect(reasonOf({ status: 'declined', waiting: word })).toBeUndefined()
    expect(reasonOf({ status: 'blocked', waiting: word })?.text).toBe(word.text)
  })

  it('with all its stages and steps, which keep their other fields', () => {
    const [first, second] = withoutWaiting(build).stages ?? []
    expect(first).toEqual(stages[0])
    expect(second).toEqual({
      number: 2,
      name: 'b',
      status: 'blocked',
      steps: [{ id: 1, number: 1, name: 'x', status: 'pending' }],
    })
    expect(withoutWaiting({ ...build, status: 'pending' }).stages).toBe(stages)
    const silent = { ...build, stages: stages.slice(0, 1) }
    expect(withoutWaiting(silent)).toBe(silent)
  })
})

describe('the status of a build in a list', () => {
  const build = (more: Partial<Build>): string => shownStatus({ status: 'pending', ...more })
  const stages = (...statuses: Stage['status'][]) => statuses.map((status) => ({ status }) as Stage)

  it('is blocked if it only waits for an approval', () => {
    expect(build({ waiting: waiting('approval', 'Waiting for approval (needs write access)') })).toBe('blocked')
    expect(build({ waiting: waiting('place', 'Queued: 1st of 2 (1 of 1 runner slots busy)') })).toBe('pending')
    expect(build({})).toBe('pending')
    expect(build({ stages: stages('blocked', 'waiting_on_dependencies') })).toBe('blocked')
    expect(build({ stages: stages('blocked', 'pending') })).toBe('pending')
    expect(build({ status: 'running', stages: stages('running', 'blocked') })).toBe('running')
  })
})
