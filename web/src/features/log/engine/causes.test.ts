import { createFingerprint } from '@flightdeck/cause'
import { expect, test } from 'vitest'

import { row, startHost } from '../testing/log-host.ts'

const causesIn = (rows: unknown[], exitCode: number | undefined = 1, later?: (task: () => void) => unknown) => {
  const log = startHost(later)
  log.saved(rows)
  log.host.handle({ type: 'causes', id: 7, exitCode })
  return log
}

test('the error line has its number and two lines on either side, as displayed', () => {
  const error = '\u001b[31ma.c:3:5: error: no such thing\u001b[0m'
  const rows = ['+ make', 'one', 'two', error, 'three', 'four', 'five'].map((out, i) => row(i + 5, `${out}\n`))
  const [first] = causesIn(rows).last('causes')?.causes ?? []
  expect(first).toEqual({
    index: 3,
    number: 9,
    text: 'a.c:3:5: error: no such thing',
    before: [
      { number: 7, text: 'one' },
      { number: 8, text: 'two' },
    ],
    after: [
      { number: 9 + 1, text: 'three' },
      { number: 11, text: 'four' },
    ],
  })
})

test('at either end of the log, the other side has more context lines', () => {
  const around = (at: number, count: number) => {
    const rows = Array.from({ length: count }, (_, i) => row(i, i === at ? 'fatal: bad object\n' : `line ${i}\n`))
    const [first] = causesIn(rows).last('causes')?.causes ?? []
    return [first?.before, first?.after].map((lines) => lines?.map(({ number }) => number))
  }
  expect(around(9, 10)).toEqual([[6, 7, 8, 9], []])
  expect(around(0, 10)).toEqual([[], [2, 3, 4, 5]])
  expect(around(2, 3)).toEqual([[1, 2], []])
})

test('line numbers are the same in logs with partial entries, and in those without line ends', () => {
  const parts = [row(0, 'one\ntw'), row(1, 'o\nfatal: bad'), row(2, ' object\n')]
  const bare = [row(0, 'one'), row(1, 'two'), row(2, 'fatal: bad object')]
  for (const rows of [parts, bare])
    expect(causesIn(rows).last('causes')?.causes[0]).toMatchObject({ index: 2, number: 3, text: 'fatal: bad object' })
})

test('lines of the last successful run rank lower than new ones', () => {
  const noise = "AssertionError: expected 'a' to be 'b' (a test of our test helper)"
  const lines = ['+ npm test', noise, 'all of part one', 'Error: no connection to database', 'npm ERR! Test failed.']
  const rows = lines.map((out, i) => row(i, `${out}\n`))
  expect(causesIn(rows).last('causes')?.causes[0]?.text).toBe(noise)
  const before = createFingerprint()
  for (const line of ['+ npm test', noise, 'all of part one', 'done']) before.add(line)
  const log = startHost()
  log.saved(rows)
  log.host.handle({ type: 'causes', id: 7, exitCode: 1, known: before.bytes(1000) })
  expect(log.last('causes')?.causes[0]?.text).toBe('Error: no connection to database')
})

test('without an error message only the last line is returned', () => {
  const { causes } = causesIn([row(0, 'one\n'), row(1, 'two\n'), row(2, 'three\n')]).last('causes') ?? {}
  expect(causes?.map(({ text }) => text)).toEqual(['three'])
})

test('a successful step has no error lines', () => {
  expect(causesIn([row(0, 'error: no\n')], 0).last('causes')).toEqual({ type: 'causes', id: 7, causes: [] })
})

test('requests are answered while a long log is searched @system', () => {
  const tasks: (() => void)[] = []
  const log = startHost((task) => tasks.push(task))
  log.saved(
    Array.from({ length: 60_000 }, (_, i) =>
      row(i, i === 30_000 ? 'fatal: bad object\n' : `compiled error-free part ${i}\n`),
    ),
  )
  while (!log.last('saved')) tasks.shift()?.()
  log.host.handle({ type: 'causes', id: 7, exitCode: 1 })
  expect(log.last('causes')).toBeUndefined()
  log.host.handle({ type: 'locate', id: 8, number: 3 })
  expect(log.sent.at(-1)).toEqual({ type: 'number', id: 8, value: 2 })
  while (!log.last('causes')) tasks.shift()?.()
  expect(log.last('causes')?.causes[0]).toMatchObject({ number: 30_001 })
})
