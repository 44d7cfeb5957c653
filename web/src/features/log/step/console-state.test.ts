import { statuses, type Status, type Step } from '@flightdeck/api'
import { describe, expect, test } from 'vitest'
import { consoleView, footerOf, isStreaming, toneOf, wantsSavedLog, type ConsoleInput } from './console-state.ts'

interface Given {
  build?: Status
  stage?: Status
  step?: Status | undefined
  error?: string
  log?: ConsoleInput['log']
}
const ready = { phase: 'ready', lines: 0 } as const

const input = ({ build = 'success', stage = 'success', step, error, log = ready }: Given): ConsoleInput => ({
  build: { status: build },
  stage: { name: 'build', status: stage },
  step: step && { name: 'test', status: step, exit_code: 3, ...(error ? { error } : {}) },
  log,
})
const stateOf = (given: Given) => {
  const { state, message } = consoleView(input(given))
  return [state, message]
}
const lines = { phase: 'ready', lines: 5 } as const
const noRows = { phase: 'failed', lines: 0, error: 'sql: no rows in result set' } as const

describe('[S4.states.7] the numbered list of readings.md', () => {
  test.each<[string, Given, (string | undefined)[]]>([
    [
      '[S8.console.8] [S4.states.17] 1',
      { build: 'declined', stage: 'declined' },
      ['no_logs_available', 'This pipeline was declined'],
    ],
    [
      '[S8.console.8] 1 with the log of an earlier stage',
      { build: 'declined', step: 'success', log: lines },
      ['resolved', 'This pipeline was declined'],
    ],
    ['[S8.console.1] [S4.states.18] 2', { stage: 'skipped', step: 'skipped' }, ['no_logs_available', 'build: Skipped']],
    [
      '[S8.console.2] [S4.states.9] 3',
      { stage: 'error', step: 'error', error: 'x', log: lines },
      ['error', 'build: test - Error'],
    ],
    ['3 without a step', { stage: 'error' }, ['error', 'build: - Error']],
    ['[S4.states.15] 4 success', { step: 'success', log: lines }, ['resolved', undefined]],
    [
      '[S4.states.16] [S4.states.18] 4 killed',
      { build: 'killed', stage: 'killed', step: 'killed', log: lines },
      ['resolved', undefined],
    ],
    ['4 error', { build: 'error', step: 'error', error: 'x', log: lines }, ['resolved', undefined]],
    [
      '[S4.states.10] 4 running',
      { build: 'running', stage: 'running', step: 'running', log: lines },
      ['stream_on', undefined],
    ],
    [
      '[S8.console.3] 5',
      { stage: 'killed', step: 'killed' },
      ['no_logs_available', 'build: test - Killed (Cancelled)'],
    ],
    [
      '5 before 7',
      { stage: 'killed', step: 'killed', log: noRows },
      ['no_logs_available', 'build: test - Killed (Cancelled)'],
    ],
    ['[S8.console.4] [S4.states.13] 6', { step: 'error', error: 'no image' }, ['error', 'test: no image']],
    [
      '[S8.console.5] 7 killed',
      { build: 'killed', step: 'success', log: noRows },
      ['error', 'This pipeline was cancelled'],
    ],
    ['[S8.console.5] 7', { step: 'success', log: noRows }, ['error', 'Step does not exist']],
    [
      '[S8.console.6] 7 other',
      { step: 'success', log: { phase: 'failed', lines: 0, error: 'boom' } },
      ['error', 'boom'],
    ],
    [
      '[S8.console.7] 7 silent',
      { step: 'success', log: { phase: 'failed', lines: 0 } },
      ['error', 'Something went wrong, please, reload the page or restart the build'],
    ],
    ['[S8.console.9] [S4.states.15] 8', { step: 'success' }, ['no_logs_available', 'build - test: success']],
    ['[S4.states.14] 8 failure', { step: 'failure' }, ['no_logs_available', 'build - test: failure']],
    ['[S4.states.12] 8 skipped', { step: 'skipped' }, ['no_logs_available', 'build - test: skipped']],
    ['8 without a step', { stage: 'blocked', build: 'pending' }, ['loading', 'build: blocked']],
    ['8 running', { build: 'running', stage: 'running', step: 'running' }, ['stream_on', 'build - test: running']],
    [
      '[S4.states.8] 8 pending',
      { build: 'running', stage: 'running', step: 'pending' },
      ['loading', 'build - test: pending'],
    ],
    [
      '8 waiting',
      { build: 'running', stage: 'waiting_on_dependencies' },
      ['loading', 'build: waiting_on_dependencies'],
    ],
    ['[S4.states.8] loading', { step: 'success', log: { phase: 'loading', lines: 0 } }, ['loading', undefined]],
  ])('%s', (_, given, expected) => {
    expect(stateOf(given)).toEqual(expected)
  })

  test('until the build has loaded', () => {
    expect(consoleView({ build: undefined, stage: undefined, step: undefined, log: ready })).toEqual({
      state: 'loading',
      message: undefined,
      detail: undefined,
      messageTone: 'warning',
      footer: 'Loading...',
      tone: 'warning',
    })
  })
})

test('a log that could not be loaded is shown as an error, also for a successful step', () => {
  const stage = { name: 'build', status: 'success' } as const
  const step = { name: 'test', number: 1, status: 'success', exit_code: 0 } as Step
  const log = { phase: 'failed', lines: 0, error: 'disk is full' } as const
  const view = consoleView({ build: { status: 'success' }, stage, step, log })
  expect([view.message, view.messageTone, view.footer, view.tone]).toEqual([
    'disk is full',
    'danger',
    'Exit Code 0',
    'success',
  ])
})

describe('the error of a stage', () => {
  const error = 'the runner was lost'
  const ofStage = (steps: Partial<Step>[], at: number, log: ConsoleInput['log'] = lines) => {
    const all = steps.map((step, index) => ({ name: `s${index}`, number: index + 1, exit_code: 0, ...step }) as Step)
    const stage = { name: 'build', status: 'error', error, steps: all } as const
    const { message, detail, messageTone, footer } = consoleView({
      build: { status: 'error' },
      stage,
      step: all[at],
      log,
    })
    return [message, detail, messageTone, footer]
  }
  const carried = (step: string) => [`build: ${step} - Error`, error, 'danger']

  test.each<[string, Partial<Step>[], number, unknown[]]>([
    ['is not that of a step that went well', [{ status: 'success' }, { status: 'error' }], 0, [undefined, undefined]],
    ['nor of one that failed before', [{ status: 'failure', exit_code: 2 }, { status: 'error' }], 0, [undefined]],
    ['nor of one that did not run', [{ status: 'error' }, { status: 'skipped' }], 1, [undefined]],
    ['nor of a service that ended with it', [{ status: 'killed' }, { status: 'error' }], 0, [undefined]],
    ['is that of the step that ran', [{ status: 'success' }, { status: 'error' }], 1, carried('s1')],
    ['also where nobody ended it', [{ status: 'success' }, { status: 'running' }], 1, carried('s1').slice(0, 2)],
    ['or where it was killed', [{ status: 'success' }, { status: 'killed' }], 1, carried('s1')],
    ['of each of several', [{ status: 'error' }, { status: 'error' }], 0, carried('s0')],
    ['of what it kept from running', [{ status: 'success' }, { status: 'skipped' }], 1, carried('s1').slice(0, 2)],
    ['not of what ran before that', [{ status: 'success' }, { status: 'skipped' }], 0, [undefined]],
    ['of the last step, where all had ended', [{ status: 'success' }, { status: 'failure' }], 1, carried('s1')],
    ['whose success it leaves', [{ status: 'success' }], 0, [`build: ${error}`, undefined, 'danger', 'Exit Code 0']],
    [
      'whatever its number',
      [
        { status: 'failure', stopped: 9 },
        { status: 'success', stopped: 5 },
      ],
      0,
      carried('s0'),
    ],
  ])('%s', (_, steps, at, expected) => {
    expect(ofStage(steps, at).slice(0, expected.length)).toEqual(expected)
  })

  test('a successful step keeps its footer', () => {
    expect(ofStage([{ status: 'success' }, { status: 'error' }], 0)).toEqual([
      undefined,
      undefined,
      'success',
      'Exit Code 0',
    ])
  })

  test('an unreadable log is reported beside it, a missing one is not', () => {
    const broken = (message: string) =>
      ofStage([{ status: 'error' }], 0, { phase: 'failed', lines: 0, error: message }).slice(1, 2)
    expect(broken('boom')).toEqual([`${error}\nThe log could not be loaded: boom`])
    expect(broken('sql: no rows in result set')).toEqual([error])
  })
})

test('every combination of statuses has a text @system', () => {
  const phases = ['idle', 'loading', 'ready', 'failed'] as const
  for (const build of statuses)
    for (const stage of statuses)
      for (const step of [...statuses, undefined])
        for (const phase of phases)
          for (const count of [0, 3]) {
            const given = { build, stage, step, log: { phase, lines: count } }
            const view = consoleView(input(given))
            expect(`${view.message ?? ''}${view.detail ?? ''}${view.footer}`, JSON.stringify(given)).not.toMatch(
              /undefined|null/,
            )
            const hasWords = view.message !== undefined || count > 0 || view.state === 'loading'
            expect(hasWords, JSON.stringify(given)).toBe(true)
          }
})

test.each([
  ['error', 'no image', 'S8.footer.1'],
  ['failure', 'Exit Code 3', 'S8.footer.2'],
  ['success', 'Exit Code 0', 'S8.footer.3'],
  ['running', 'Step is running...', 'S8.footer.4'],
  ['pending', 'Step is pending', 'S8.footer.5'],
  ['killed', 'Step is killed (canceled)', 'S8.footer.6'],
  ['skipped', 'Loading...', 'S8.footer.7'],
  ['declined', 'Loading...', 'S8.footer.7'],
] as const)('footer of %s: %s [S2.build.28] [%s]', (status, text, _id) => {
  expect(footerOf({ name: 'test', status, exit_code: 3, error: 'no image' })).toBe(text)
})

test('[S2.build.4] tones', () => {
  expect(toneOf('success')).toBe('success')
  for (const status of ['failure', 'declined', 'error', 'killed']) expect(toneOf(status)).toBe('danger')
  for (const status of ['running', 'pending', 'blocked', 'skipped', undefined]) expect(toneOf(status)).toBe('warning')
})

test('[S4.states.11] saved logs are requested when stage and step are known and the step is done', () => {
  const asks = (stage: Status, step: Status | undefined) => wantsSavedLog(input({ stage, step }))
  for (const status of ['success', 'failure', 'error', 'killed'] as const) expect(asks('success', status)).toBe(true)
  for (const status of ['running', 'pending', 'skipped', 'waiting_on_dependencies'] as const)
    expect(asks('success', status)).toBe(false)
  for (const status of ['pending', 'skipped', 'waiting_on_dependencies'] as const)
    expect(asks(status, 'success')).toBe(false)
  // Steps that did not run have no log.
  for (const status of ['declined', 'blocked'] as const) expect(asks(status, status)).toBe(false)
  expect(asks('success', undefined)).toBe(false)
  // No stream sends it any more.
  expect(asks('error', 'running')).toBe(true)
  expect(asks('running', 'success')).toBe(true)
  expect(isStreaming(input({ stage: 'running', step: 'running' }))).toBe(true)
  expect(isStreaming(input({ stage: 'error', step: 'running' }))).toBe(false)
})
