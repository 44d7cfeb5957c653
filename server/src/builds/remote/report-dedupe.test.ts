/** Which reports are repetitions rather than stale reports. */
import { beforeEach, expect, it } from 'vitest'
import { createReportDedupe, type ReportDedupe } from './report-dedupe.ts'

const known = { id: 7, version: 3, status: 'running', exit_code: 0 } as const
const report = { ...known, version: 2 }
let repeats: ReportDedupe
beforeEach(() => {
  repeats = createReportDedupe()
})

it('only reports whose answer may be lost are answered again', () => {
  expect(repeats.matches('stage', known, report)).toBe(false)
  repeats.add('stage', known)
  expect(repeats.matches('stage', known, report)).toBe(true)
  expect(repeats.matches('stage', known, report)).toBe(true)
})

it.each<[string, Parameters<ReportDedupe['matches']>]>([
  ['a step of the same number', ['step', known, report]],
  ['another stage', ['stage', { ...known, id: 8 }, { ...report, id: 8 }]],
  ['what has changed since', ['stage', { ...known, version: 4 }, { ...report, version: 3 }]],
  ['an older report', ['stage', known, { ...report, version: 1 }]],
  ['a report with the version as it is', ['stage', known, { ...report, version: 3 }]],
  ['another status', ['stage', known, { ...report, status: 'success' }]],
  ['another exit code', ['stage', known, { ...report, exit_code: 1 }]],
])('%s is none', (_what, given) => {
  repeats.add('stage', known)
  expect(repeats.matches(...given)).toBe(false)
})

it('of ten thousand and one the oldest is forgotten', () => {
  const matches = (id: number) => repeats.matches('stage', { ...known, id }, { ...report, id })
  for (let id = 1; id <= 10_000; id++) repeats.add('stage', { ...known, id })
  expect([matches(1), matches(2)]).toEqual([true, true])
  repeats.add('stage', { ...known, id: 1 })
  repeats.add('stage', { ...known, id: 10_001 })
  expect([matches(1), matches(2), matches(3), matches(10_001)]).toEqual([true, false, true, true])
})
