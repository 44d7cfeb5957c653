import type { Build, Ended, Stage, Waiting } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { reasonOf, shownStatus } from './reason.ts'

const waiting = (reason: Waiting['reason'], text: string): Waiting => ({ reason, text })

describe('why something waits or has ended', () => {
  it('is what the server says, else the first line of the error, else nothing', () => {
    const ended: Ended = { reason: 'canceled', text: 'Cancelled by wes', by: 'wes', at: 30 }
    expect(reasonOf({ ended })).toMatchObject({ text: 'Cancelled by wes', at: 30 })
    expect(reasonOf({ waiting: waiting('paused', 'The queue is paused') })).toMatchObject({
      text: 'The queue is paused',
    })
    expect(
      reasonOf({ ended: { reason: 'restarted', text: 'Ended: the server was restarted' }, error: 'x' }),
    ).toMatchObject({
      text: 'Ended: the server was restarted',
    })
    expect(reasonOf({ error: 'yaml: unmarshal errors:\n  line 3: no' })).toEqual({ text: 'yaml: unmarshal errors:' })
    expect(reasonOf({})).toBeUndefined()
  })
})

describe('the status of a build in a list', () => {
  const build = (more: Partial<Build>): string => shownStatus({ status: 'pending', ...more })
  const stages = (...statuses: Stage['status'][]) => statuses.map((status) => ({ status }) as Stage)

  it('is blocked where it waits for an approval, and nothing else does', () => {
    expect(build({ waiting: waiting('approval', 'Waits for approval by a writer') })).toBe('blocked')
    expect(build({ waiting: waiting('place', 'Waits for a free place') })).toBe('pending')
    expect(build({})).toBe('pending')
    expect(build({ stages: stages('blocked', 'waiting_on_dependencies') })).toBe('blocked')
    expect(build({ stages: stages('blocked', 'pending') })).toBe('pending')
    expect(build({ status: 'running', stages: stages('running', 'blocked') })).toBe('running')
  })
})
