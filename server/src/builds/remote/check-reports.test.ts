/**
 * What a runner on another machine is believed: the last that is good, and the first that is not.
 */
import type { Stage, Step } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../lib/refusal.ts'
import { checkMachine, checkStage, checkStep } from './check-reports.ts'

const step: Step = { id: 1, step_id: 1, number: 1, name: 'one', status: 'success', exit_code: 0, version: 1 }
const stage: Stage = {
  id: 1,
  repo_id: 1,
  build_id: 1,
  number: 1,
  name: 'default',
  kind: 'pipeline',
  type: 'docker',
  status: 'running',
  errignore: false,
  exit_code: 0,
  machine: 'far',
  os: 'linux',
  arch: 'amd64',
  started: 1,
  stopped: 0,
  created: 1,
  updated: 1,
  version: 2,
  on_success: true,
  on_failure: false,
}
const long = (length: number) => 'x'.repeat(length)
const steps = (count: number) => Array.from({ length: count }, (_, index) => ({ ...step, number: index + 1 }))
const lastTime = 9_999_999_999

describe('a stage', () => {
  it.each<[string, Partial<Stage>]>([
    ['as it is', {}],
    ['the codes of Windows', { exit_code: 2 ** 32 - 1 }],
    ['negative codes', { exit_code: -(2 ** 31) }],
    ['the last second', { started: lastTime, stopped: lastTime }],
    ['no time at all', { started: 0, stopped: 0 }],
    ['long names of a platform', { os: long(250), arch: long(250), variant: long(250), kernel: long(250) }],
    ['many labels', { labels: { a: long(3_999) } }],
    ['two thousand steps', { steps: steps(2_000) }],
    ['two thousand dependencies', { depends_on: Array.from({ length: 2_000 }, () => long(250)) }],
  ])('is believed %s', (_what, facts) => {
    expect(() => checkStage({ ...stage, ...facts })).not.toThrow()
  })

  it.each<[string, Partial<Stage>]>([
    ['status "blocked"', { status: 'blocked' }],
    ['exit code', { exit_code: 2 ** 32 }],
    ['exit code', { exit_code: -(2 ** 31) - 1 }],
    ['exit code', { exit_code: 0.5 }],
    ['exit code', { exit_code: Number.NaN }],
    ['start time', { started: lastTime + 1 }],
    ['start time', { started: -1 }],
    ['stop time', { stopped: lastTime + 1 }],
    ['stop time', { stopped: -1 }],
    ['labels', { labels: { a: long(4_000) } }],
    ['platform', { os: long(251) }],
    ['platform', { arch: long(251) }],
    ['platform', { variant: long(251) }],
    ['platform', { kernel: long(251) }],
    ['number of steps', { steps: steps(2_001) }],
    ['dependencies', { depends_on: Array.from({ length: 2_001 }, () => 'a') }],
    ['dependencies', { depends_on: ['a', long(251)] }],
    ['step', { steps: [{ ...step, number: 0 }] }],
    ['step', { steps: [{ ...step, name: '' }] }],
    ['step numbers', { steps: [step, { ...step, id: 2 }] }],
    ['exit code', { steps: [step, { ...step, number: 2, exit_code: 2 ** 40 }] }],
  ])('is refused for its %s: %#', (what, facts) => {
    expect(() => checkStage({ ...stage, ...facts })).toThrow(new Refusal(400, `Invalid ${what}`))
  })
})

describe('a step', () => {
  it.each<Partial<Step>>([
    {},
    { number: 0, name: '' },
    { number: 100_000, name: long(250), image: long(2_000) },
    { schema: 'https://example.com/card.json' },
    { schema: 'HTTP://example.com/card.json' },
    { schema: '' },
    { schema: `https://${long(1_992)}` },
    { depends_on: [] },
  ])('is believed %j', (facts) => {
    expect(() => checkStep({ ...step, ...facts })).not.toThrow()
  })

  it.each<[string, Partial<Step>]>([
    ['status "gone"', { status: 'gone' as Step['status'] }],
    ['start time', { started: -1 }],
    ['step number', { number: -1 }],
    ['step number', { number: 100_001 }],
    ['step name', { name: long(251) }],
    ['image', { image: long(2_001) }],
    ['schema', { schema: 'javascript:alert(1)' }],
    ['schema', { schema: ' https://example.com' }],
    ['schema', { schema: 'ftp://example.com' }],
    ['schema', { schema: `https://${long(1_993)}` }],
    ['dependencies', { depends_on: [long(251)] }],
  ])('is refused for its %s: %#', (what, facts) => {
    expect(() => checkStep({ ...step, ...facts })).toThrow(new Refusal(400, `Invalid ${what}`))
  })
})

it('a machine has a name of one line', () => {
  for (const name of ['far', long(250), 'ü b']) expect(() => checkMachine(name)).not.toThrow()
  for (const name of ['', long(251), 'a\nb', 'a\u0007']) expect(() => checkMachine(name)).toThrow('Invalid machine')
})
