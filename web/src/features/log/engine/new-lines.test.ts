import { createFingerprint } from '@flightdeck/cause'
import { expect, test } from 'vitest'

import { row, startHost } from '../testing/log-host.ts'

const rows = (...lines: string[]) => lines.map((out, i) => row(i + 5, `${out}\n`))

const printOf = (...lines: string[]): Uint8Array => {
  const log = startHost()
  log.saved(rows(...lines))
  log.host.handle({ type: 'print', id: 3 })
  return log.last('print')?.known ?? expect.fail('no fingerprint')
}
const fresh = (entries: unknown[], known: Uint8Array) => {
  const log = startHost()
  log.saved(entries)
  log.host.handle({ type: 'new lines', id: 9, known })
  return [...(log.last('new lines')?.lines ?? [])]
}

const before = ['+ npm test', 'ok 1 - adds (12 ms)', '\u001b[32mcompiled\u001b[0m /tmp/a1/src/main.ts', 'done']
const after = [
  '+ npm test',
  '',
  'ok 27 - adds (3 s)',
  'compiled /home/x/src/main.ts',
  '✖ subtracts',
  'done',
  'npm ERR!',
]

test('lines that the previous run lacks are new, ignoring numbers, times, colors and folders', () => {
  expect(fresh(rows(...after), printOf(...before))).toEqual([4, 6])
})

test('the result is the same with the server’s fingerprint', () => {
  const writer = createFingerprint()
  for (const line of before) writer.add(line)
  expect(fresh(rows(...after), writer.bytes(1000))).toEqual([4, 6])
})

test('lines are compared as displayed, also in entries that hold parts of lines', () => {
  const parts = [row(0, 'do'), row(1, 'ne\n✖ sub'), row(2, 'tracts\ndone\n')]
  expect(fresh(parts, printOf(...before))).toEqual([1])
  expect(fresh([row(0, 'done'), row(1, '✖ subtracts')], printOf(...before))).toEqual([1])
})

test('nothing is new compared with an invalid fingerprint', () => {
  expect(fresh(rows(...after), Uint8Array.of(99, 1))).toEqual([])
})

test('all lines are new compared with an empty log', () => {
  expect(fresh(rows('one', '', 'two'), printOf())).toEqual([0, 2])
})

test('requests are answered while a long log is compared', () => {
  const tasks: (() => void)[] = []
  const log = startHost((task) => tasks.push(task))
  log.saved(Array.from({ length: 100_000 }, (_, i) => row(i, `part ${'x'.repeat(i % 50)} of the whole\n`)))
  while (!log.last('saved')) tasks.shift()?.()
  log.host.handle({ type: 'new lines', id: 7, known: printOf('part x of the whole') })
  expect(log.last('new lines')).toBeUndefined()
  log.host.handle({ type: 'locate', id: 8, number: 3 })
  expect(log.sent.at(-1)).toEqual({ type: 'number', id: 8, value: 2 })
  while (!log.last('new lines')) tasks.shift()?.()
  expect(log.last('new lines')?.lines).toHaveLength(98_000)
})

test('only some lines can be copied', async () => {
  const log = startHost()
  log.saved(rows(...after))
  const only = Uint32Array.of(0, 4, 6)
  log.host.handle({ type: 'text', id: 1, from: 1, to: 7, plain: true, only })
  expect(await log.last('text')?.blob.text()).toBe('✖ subtracts\nnpm ERR!')
})
