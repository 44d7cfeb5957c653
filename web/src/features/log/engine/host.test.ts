import { endOfLog } from '@flightdeck/api'
import { describe, expect, test } from 'vitest'
import { readAnchor, printAnchor, extendAnchor } from '../step/anchor.ts'
import { frames, live, row, startHost } from '../testing/log-host.ts'
import { maxLineChars } from './view.ts'

describe('a saved log of many chunks', () => {
  test('responses do not wait until all of it is read', () => {
    const tasks: (() => void)[] = []
    const { host, sent } = startHost((task) => tasks.push(task))
    const size = 300_000
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, pos) => row(pos, `line ${pos} ${'x'.repeat(40)}\n`)))
    const bytes = new TextEncoder().encode(text)
    host.handle({ type: 'saved-begin' })
    for (let at = 0; at < bytes.length; at += size)
      host.handle({ type: 'saved-bytes', bytes: bytes.slice(at, at + size) })
    host.handle({ type: 'saved-end' })
    host.handle({ type: 'lines', id: 1, wanted: [0], raw: false })
    expect(sent.map(({ type }) => type)).toEqual(['lines'])
    expect(tasks).toHaveLength(1)
    while (tasks.length > 0) tasks.shift()?.()
    expect(sent.at(-1)).toEqual({ type: 'saved', ok: true })
    host.handle({ type: 'lines', id: 2, wanted: [19_999], raw: false })
    expect(sent.at(-1)).toMatchObject({ type: 'lines', lines: [{ number: 20_000 }] })
  })
})

describe('saved and live', () => {
  test('the saved log replaces the live log', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(2, 'c\n')))
    log.saved([row(0, 'a\n'), row(1, 'b\n'), row(2, 'c\n'), row(3, 'd\n')])
    expect(log.shown()).toEqual(['a', 'b', 'c', 'd'])
    expect(log.last('stats')?.stats).toMatchObject({ lines: 4, missing: 0 })
    expect(log.last('saved')).toEqual({ type: 'saved', ok: true })
  })

  test('a truncated saved log leaves the live log', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(1, 'b\n')))
    log.saved([row(0, 'a\n')], false)
    expect(log.shown()).toEqual(['a', 'b'])
    expect(log.last('saved')).toEqual({ type: 'saved', ok: false })
  })

  test('messages that are not JSON are ignored', () => {
    const log = startHost()
    log.host.handle(frames('nonsense', '{"pos":0,"out":"a\\n","time":0}'))
    expect(log.shown()).toEqual(['a'])
  })

  test('the remote session is the text after its prefix', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'no web session: x\n'), row(1, 'web session: https://tmate.io/t/abc\n')))
    log.saved([])
    expect(log.last('stats')?.stats.session).toBe('https://tmate.io/t/abc')
  })
})

describe('a log that the server ended at its limit', () => {
  const end = row(2, endOfLog(250 * 1024 * 1024))
  const cut = (log: ReturnType<typeof startHost>) => log.last('stats')?.stats.cut

  test('shows the limit, saved and live, however it is split', () => {
    const saved = startHost()
    saved.saved([row(0, 'a\n'), row(1, 'b'), end])
    expect(cut(saved)).toBe('250 MB')
    const streamed = startHost()
    streamed.host.handle(live(row(0, 'a\n')))
    expect(cut(streamed)).toBeUndefined()
    streamed.host.handle(live(end))
    streamed.saved([], false)
    expect(cut(streamed)).toBe('250 MB')
  })

  test('still does if a new connection sends everything again', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(1, 'b\n'), end))
    log.host.handle({ type: 'live-begin' })
    log.host.handle(live(row(0, 'a\n')))
    log.saved([], false)
    expect(cut(log)).toBe('250 MB')
  })

  test('does not include a log that only prints such a sentence', () => {
    for (const rows of [[row(0, end.out.trimStart())], [end, row(3, 'more\n')], [row(0, `a${end.out}`)]]) {
      const log = startHost()
      log.saved(rows)
      expect(cut(log)).toBeUndefined()
    }
  })
})

describe('search', () => {
  const find = (query: { text: string; matchCase?: boolean; word?: boolean }) => {
    const log = startHost()
    log.saved([row(0, 'Foo foo\n'), row(1, '\u001b[31mfo\u001b[0mo\n'), row(2, 'food\n'), row(3, 'none\n')])
    log.host.handle({
      type: 'search',
      id: 7,
      query: { text: query.text, matchCase: query.matchCase ?? false, word: query.word ?? false, pattern: false },
    })
    return { ...log, state: log.last('search')?.search }
  }

  test('ignores letter case and control sequences', () => {
    expect(find({ text: 'foo' }).state).toMatchObject({ id: 7, count: 4, done: true, error: undefined })
    expect(find({ text: 'foo', matchCase: true }).state?.count).toBe(3)
    expect(find({ text: 'foo', word: true }).state?.count).toBe(3)
    expect(find({ text: '.' }).state?.count).toBe(0)
  })

  test.each([
    ['colours', '\u001b[1;31mne\u001b[0medle\r'],
    ['a line written over', 'xxxxxx\rneedle'],
    ['a title', '\u001b]0;needle\u0007needle'],
  ])('finds what is read, in a block with %s', (_name, line) => {
    const log = startHost()
    log.saved([row(0, 'needle\r\n'), row(1, `${line}\n`), row(2, 'nee\u001b[32mdle\n'), row(3, '\n'), row(4, 'needle')])
    log.host.handle({
      type: 'search',
      id: 1,
      query: { text: 'needle', matchCase: true, word: true, pattern: false },
    })
    expect(log.last('search')?.search.count).toBe(4)
    for (const [index, expected] of [0, 1, 2, 4].entries()) {
      log.host.handle({ type: 'hit', id: index, index })
      expect(log.last('number')?.value).toBe(expected)
    }
  })

  test('marks the hits in the lines', () => {
    const log = find({ text: 'oo' })
    log.host.handle({ type: 'lines', id: 1, wanted: [1], raw: false })
    expect(log.last('lines')?.lines[0]?.parts).toEqual([
      { text: 'f', look: { color: 'var(--ansi-text-1)' } },
      { text: 'o', look: { color: 'var(--ansi-text-1)' }, hit: 2 },
      { text: 'o', hit: 2 },
    ])
  })

  test('continues when the log grows', () => {
    const log = find({ text: 'foo' })
    log.host.handle(live(row(4, 'foo again\n')))
    expect(log.last('search')?.search.count).toBe(5)
  })

  test('an invalid pattern reports the reason', () => {
    const log = startHost()
    log.host.handle({ type: 'search', id: 1, query: { text: '(', matchCase: false, word: false, pattern: true } })
    expect(log.last('search')?.search.error).toBe('The pattern is not valid: a “(” has no “)”')
  })
})

test('a long line is truncated on screen and complete in the download', async () => {
  const log = startHost()
  log.saved([row(0, `${'x'.repeat(maxLineChars + 5)}\n`)])
  log.host.handle({ type: 'lines', id: 1, wanted: [0], raw: false })
  expect(log.last('lines')?.lines[0]?.cut).toBe(5)
  log.host.handle({ type: 'text', id: 2, from: 0, to: 1, plain: false })
  expect(await log.last('text')?.blob.text()).toHaveLength(maxLineChars + 6)
})

test('wrapped rows', () => {
  const log = startHost()
  log.saved([
    row(0, 'short\n'),
    row(1, `${'x'.repeat(25)}\n`),
    row(2, '\u001b[31m1234567890\u001b[0m\n'),
    row(3, '表'.repeat(6)),
  ])
  log.host.handle({ type: 'wrap', id: 1, from: 0, columns: 10 })
  expect([...(log.last('wrap')?.rows ?? [])]).toEqual([1, 3, 1, 2])
})

test('anchors', () => {
  expect(readAnchor('#L120')).toEqual({ from: 120, to: 120 })
  expect(readAnchor('#L140-L120')).toEqual({ from: 120, to: 140 })
  expect(readAnchor('#L0')).toBeUndefined()
  expect(readAnchor('#other')).toBeUndefined()
  expect(printAnchor({ from: 1, to: 3 })).toBe('L1-L3')
  expect(extendAnchor({ from: 5, to: 5 }, 2, true)).toEqual({ from: 2, to: 5 })
  expect(extendAnchor({ from: 5, to: 5 }, 2, false)).toEqual({ from: 2, to: 2 })
})
