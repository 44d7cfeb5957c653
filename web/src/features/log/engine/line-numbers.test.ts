/**
 * Line numbers match the lines on the screen, the same live and saved: tested on recordings of a
 * real server, whose runner sends empty entries.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { frames, live, row, startHost } from '../testing/log-host.ts'
import { random } from '../testing/random.ts'

interface Stream {
  name: string
  text: string
}
interface Exchange {
  path: string
  body: { pos: number; out: string; time: number }[]
}
const read = <T>(path: string): T[] =>
  JSON.parse(readFileSync(new URL(`../../../../../server/src/${path}`, import.meta.url), 'utf8')) as T[]

const streams = read<Stream>('conformance/replay/log-streams.json')
const logs = read<Exchange>('testing/recordings/logs.json')

/** The data of a recorded stream's messages, and the saved log of the same step. */
const recorded = (name: string, step: string) => ({
  sent: [...(streams.find((stream) => stream.name === name)?.text ?? '').matchAll(/^data: (\{.*\})$/gm)].map(
    ([, json = '']) => json,
  ),
  rows: logs.find(({ path }) => path === `/api/repos/acme/live/builds/1/logs/1/${step}`)?.body ?? [],
})

type Host = ReturnType<typeof startHost>
const shown = (log: Host) =>
  log.view()?.lines.map(({ number, parts }) => [number, parts.map(({ text }) => text).join('')])
/** The line numbers that links to these lines resolve to. */
const reached = (log: Host) =>
  shown(log)?.map(([number]) => {
    log.host.handle({ type: 'locate', id: 1, number: Number(number) })
    return log.view()?.lines[log.last('number')?.value ?? -1]?.number
  })
const savedOf = (rows: unknown[]) => {
  const log = startHost()
  log.saved(rows)
  return log
}
const liveOf = (sent: readonly string[]) => {
  const log = startHost()
  log.host.handle({ type: 'live-begin' })
  log.host.handle(frames(...sent))
  return log
}

describe.each([
  ['log-early', '1'],
  ['log-late', '1'],
  ['log-silent', '2'],
])('%s', (name, step) => {
  const { sent, rows } = recorded(name, step)
  const texts = rows.filter(({ out }) => out !== '').map(({ out }) => out.trimEnd())

  test('was recorded with an empty entry', () => {
    expect(texts.length).toBeGreaterThan(4)
    expect(texts.length).toBeLessThan(rows.length)
  })

  test('lines have the numbers 1, 2, 3 …, live and saved, and links find them in both', () => {
    const expected = texts.map((text, index) => [index + 1, text])
    for (const log of [liveOf(sent), savedOf(rows)]) {
      expect(shown(log)).toEqual(expected)
      expect(reached(log)).toEqual(expected.map(([number]) => number))
      expect(log.last('stats')?.stats).toMatchObject({ lines: texts.length, missing: 0 })
    }
  })

  test('also after a reconnect that sends everything again, and when the saved log replaces the live one', () => {
    for (let cut = 0; cut <= sent.length; cut++) {
      const log = liveOf(sent.slice(0, cut))
      log.host.handle({ type: 'live-begin' })
      log.host.handle(frames(...sent))
      expect(shown(log)).toEqual(shown(savedOf(rows)))
      log.saved(rows)
      expect(shown(log)).toEqual(shown(savedOf(rows)))
    }
  })

  test('in any order, and if repeated', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed)
      const mixed = [...sent, ...sent].map((row) => ({ one: row, at: next() })).toSorted((a, b) => a.at - b.at)
      const log = startHost()
      for (const { one } of mixed) log.host.handle(frames(one))
      expect(shown(log)).toEqual(shown(savedOf(rows)))
    }
  })
})

const outputs = new Map([
  [0, ''],
  [1, '+ make\n'],
  [2, 'compi'],
  [3, ''],
  [4, 'ling\none\ntwo\n'],
  [7, 'half'],
  [8, ''],
  [9, '\n'],
  [10, ''],
  [12, '\n'],
  [13, 'end'],
])
const entries = [...outputs].map(([pos, out]) => row(pos, out))

test('entries with no line, several lines or a part of one, and skipped positions', () => {
  const expected = ['+ make', 'compiling', 'one', 'two', 'half', '', 'end'].map((text, index) => [index + 1, text])
  const lines = startHost()
  for (const entry of entries) lines.host.handle(live(entry))
  for (const log of [lines, savedOf(entries)]) expect(shown(log)).toEqual(expected)
})

test('after a truncated head the numbers count the missing lines, and a link to a missing line opens the first', () => {
  const log = savedOf([row(700, 'a\n'), row(701, ''), row(702, 'b\n')])
  expect(shown(log)).toEqual([
    [701, 'a'],
    [702, 'b'],
  ])
  log.host.handle({ type: 'locate', id: 1, number: 3 })
  expect(log.last('number')?.value).toBe(0)
})
