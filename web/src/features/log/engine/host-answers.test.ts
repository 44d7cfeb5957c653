/** The host's responses to the page's requests, and the messages it sends unprompted. */
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { frames, live, row, search, startHost } from '../testing/log-host.ts'
import { LogHost } from './host.ts'
import type { FromWorker, PatternBlock, PatternRequest } from './protocol.ts'

const texts = (lines: readonly { parts: readonly { text: string }[] }[] | undefined) =>
  lines?.map(({ parts }) => parts.map(({ text }) => text).join(''))

describe('answers', () => {
  const startedRequest = () => {
    const log = startHost()
    log.saved([row(5, '+ make\n', 2), row(6, 'one\n', 3), row(8, '+ \u001b[32mtest\u001b[0m\n', 9), row(9, 'two', 11)])
    return log
  }

  test('missing lines are omitted', () => {
    const log = startedRequest()
    log.host.handle({ type: 'lines', id: 4, wanted: [3, 4, 0], raw: false })
    expect(log.last('lines')).toMatchObject({ id: 4, version: log.last('stats')?.stats.version })
    expect(texts(log.last('lines')?.lines)).toEqual(['two', '+ make'])
    log.host.handle({ type: 'lines', id: 5, wanted: [2], raw: true })
    expect(texts(log.last('lines')?.lines)).toEqual(['+ ␛[32mtest␛[0m'])
  })

  test('the starts of commands, transferred without copying', () => {
    const log = startedRequest()
    log.host.handle({ type: 'groups', id: 2 })
    const groups = log.last('groups')
    expect([groups?.id, ...(groups?.starts ?? [])]).toEqual([2, 0, 2])
    expect(log.moved).toEqual([groups?.starts.buffer])
  })

  test('the number of rows per line, transferred without copying', () => {
    const log = startedRequest()
    log.host.handle({ type: 'wrap', id: 3, from: 2, columns: 4 })
    const wrap = log.last('wrap')
    expect([wrap?.id, ...(wrap?.rows ?? [])]).toEqual([3, 2, 1])
    expect(log.moved).toEqual([wrap?.rows.buffer])
  })

  test('the line of a number', () => {
    const log = startedRequest()
    log.host.handle({ type: 'locate', id: 6, number: 8 })
    expect(log.sent.at(-1)).toEqual({ type: 'number', id: 6, value: 2 })
  })

  test('hits, and none without a search', () => {
    const log = startedRequest()
    const ask = () => {
      log.host.handle({ type: 'hit', id: 7, index: 1 })
      const { value: line } = log.last('number') ?? {}
      log.host.handle({ type: 'hit-from', id: 8, line: 1 })
      return [line, log.last('number')]
    }
    expect(ask()).toEqual([0, { type: 'number', id: 8, value: 0 }])
    log.host.handle(search('+'))
    expect(ask()).toEqual([2, { type: 'number', id: 8, value: 1 }])
    log.host.handle({ type: 'search', id: 2, query: undefined })
    expect(ask()).toEqual([0, { type: 'number', id: 8, value: 0 }])
    expect(
      log
        .view()
        ?.lines.flatMap(({ parts }) => parts)
        .some((part) => 'hit' in part),
    ).toBe(false)
  })

  test.each([
    [true, 0, 9, '+ make\none\n+ test\ntwo'],
    [true, 1, 3, 'one\n+ test'],
    [false, 0, 9, '+ make\none\n+ \u001b[32mtest\u001b[0m\ntwo'],
    [false, 1, 2, 'one\n'],
  ])('the text, as one reads it (%j), from %i to %i', async (plain, from, to, expected) => {
    const log = startedRequest()
    log.host.handle({ type: 'text', id: 9, from, to, plain })
    expect(log.last('text')?.id).toBe(9)
    expect(await log.last('text')?.blob.text()).toBe(expected)
  })
})

describe('notifications', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())
  const countStats = ({ sent }: ReturnType<typeof startHost>) => sent.filter(({ type }) => type === 'stats').length

  test('the state of the log', () => {
    const log = startHost()
    log.saved([row(5, '+ make\n', 2), row(6, 'web session: https://a.example/x\r\n', 3), row(8, 'last\n', 40)])
    expect(log.last('stats')).toEqual({
      type: 'stats',
      stats: {
        version: log.view()?.version,
        lines: 3,
        bytes: 46,
        lastNumber: 8,
        lastTime: 40,
        tenths: false,
        began: undefined,
        groups: 1,
        first: 5,
        missing: 1,
        session: 'https://a.example/x',
        cut: undefined,
      },
      tail: [],
    })
  })

  test('an empty log', () => {
    const log = startHost()
    log.saved([])
    expect(log.sent.map(({ type }) => type)).toEqual(['stats', 'saved'])
    expect(log.last('stats')?.stats).toMatchObject({ lines: 0, lastNumber: 0, lastTime: 0, groups: 0, missing: 0 })
    expect(log.last('stats')?.stats.session).toBeUndefined()
  })

  test('the last lines for a page that follows, the last one first', () => {
    const log = startHost()
    log.host.handle({ type: 'tail', lines: 2, raw: false })
    log.saved([row(0, 'a\n')])
    expect(texts(log.last('stats')?.tail)).toEqual(['a'])
    log.saved([row(0, 'a\n'), row(1, 'b\n'), row(2, '\u001b[1mc\n')])
    expect(texts(log.last('stats')?.tail)).toEqual(['c', 'b'])
    log.host.handle({ type: 'tail', lines: 1, raw: true })
    log.saved([row(0, '\u001b[1mc\n')])
    expect(texts(log.last('stats')?.tail)).toEqual(['␛[1mc'])
  })

  test('growth, at most every fifty milliseconds, and always up to date', () => {
    const log = startHost()
    vi.advanceTimersByTime(1000)
    log.host.handle(live(row(0, 'a\n')))
    expect(countStats(log)).toBe(1)
    vi.advanceTimersByTime(20)
    log.host.handle(live(row(1, 'b\n')))
    log.host.handle(live(row(2, 'c\n')))
    vi.advanceTimersByTime(29)
    expect(countStats(log)).toBe(1)
    vi.advanceTimersByTime(1)
    expect(countStats(log)).toBe(2)
    expect(log.last('stats')?.stats).toMatchObject({ lines: 3, lastNumber: 3 })
    // No timer stays pending, and none is set twice.
    vi.advanceTimersByTime(1000)
    expect(countStats(log)).toBe(2)
    log.host.handle(live(row(3, 'd\n')))
    expect(countStats(log)).toBe(3)
    vi.advanceTimersByTime(50)
    log.host.handle(live(row(4, 'e\n')))
    expect(countStats(log)).toBe(4)
    log.host.handle(live(row(5, 'f\n')))
    vi.advanceTimersByTime(50)
    expect([countStats(log), log.last('stats')?.stats.lines]).toEqual([5, 6])
  })

  const many = (from: number, count: number) =>
    live(...Array.from({ length: count }, (_, i) => row(from + i, `line ${from + i}\n`)))

  test('a burst, with the first lines after two frames', () => {
    const log = startHost()
    vi.advanceTimersByTime(1000)
    log.host.handle(live(row(0, 'a\n')))
    vi.advanceTimersByTime(32)
    log.host.handle(many(1, 61))
    expect(countStats(log)).toBe(1)
    // Sent with the next lines, not by a timer.
    vi.advanceTimersByTime(1)
    expect(countStats(log)).toBe(1)
    log.host.handle(many(62, 1))
    expect([countStats(log), log.last('stats')?.stats.lines]).toEqual([2, 63])
    // Fewer lines are not a burst.
    vi.advanceTimersByTime(33)
    log.host.handle(many(63, 60))
    expect(countStats(log)).toBe(2)
    vi.advanceTimersByTime(17)
    expect([countStats(log), log.last('stats')?.stats.lines]).toEqual([3, 123])
  })

  test('the growth of a saved log while it is read, every fifty milliseconds', () => {
    const log = startHost()
    vi.advanceTimersByTime(1000)
    log.host.handle({ type: 'saved-begin' })
    const text = (from: number) =>
      Array.from({ length: 100 }, (_, i) => `${JSON.stringify(row(from + i, 'x\n'))},`).join('')
    log.piece(`[${text(0)}`)
    const before = countStats(log)
    vi.advanceTimersByTime(30)
    log.piece(text(100))
    expect(countStats(log)).toBe(before)
    vi.advanceTimersByTime(20)
    expect([countStats(log), log.last('stats')?.stats.lines]).toEqual([before + 1, 200])
  })

  test('nothing without new lines', () => {
    const log = startHost()
    log.host.handle(frames())
    expect(log.sent).toEqual([])
  })
})

describe('a running pattern', () => {
  const ends: MessagePort[] = []
  afterEach(() => ends.splice(0).forEach((port) => port.close()))
  /**
   * Like the worker that runs patterns: requests a block and sends the hits of the previous one.
   */
  const connect = ({ host }: ReturnType<typeof startHost>) => {
    const { port1, port2 } = new MessageChannel()
    host.handle({ type: 'pattern-port', port: port2 })
    ends.push(port1, port2)
    const ask = async (...requests: PatternRequest[]): Promise<PatternBlock> => {
      const answer = new Promise<PatternBlock>((resolve) => {
        port1.addEventListener('message', ({ data }: MessageEvent<PatternBlock>) => resolve(data), { once: true })
      })
      port1.start()
      for (const request of requests) port1.postMessage(request)
      return answer
    }
    return { port: port1, own: port2, ask }
  }

  test('gets its lines, and the page gets the hits', async () => {
    const log = startHost()
    log.saved([row(0, 'aba\n'), row(1, '\u001b[31mb\n')])
    log.host.handle(search('b', { id: 4, pattern: true }))
    expect(log.last('search')?.search).toMatchObject({ id: 4, count: 0, done: false })
    const { ask } = connect(log)
    expect(await ask({ id: 4, from: 0, hits: [] })).toEqual({ id: 4, from: 0, count: 2, text: 'aba\nb\n', last: false })
    expect(log.last('search')?.search).toMatchObject({ count: 0, done: false })
    expect(await ask({ id: 4, from: 2, hits: [0, 1, 2, 1, 0, 1] })).toMatchObject({ count: 0, last: true })
    expect(log.last('search')?.search).toMatchObject({ id: 4, count: 2, done: true })
  })

  test('of an earlier search gets no response', async () => {
    const log = startHost()
    log.saved([row(0, 'a\n')])
    const { ask } = connect(log)
    const none = log.sent.length
    log.host.handle(search('a', { id: 2, pattern: true }))
    expect(await ask({ id: 1, from: 0, hits: [0, 0, 1] }, { id: 2, from: 1, hits: [] })).toMatchObject({ id: 2 })
    expect(log.sent.slice(none).map((message) => message.type === 'search' && message.search.count)).toEqual([0, 0])
  })

  test('without a search gets no response', async () => {
    const log = startHost()
    const { port, own, ask } = connect(log)
    // After the host's own listener.
    const served = new Promise((resolve) => own.addEventListener('message', resolve, { once: true }))
    port.postMessage({ id: 1, from: 0, hits: [] })
    await served
    expect(log.sent).toEqual([])
    log.host.handle(search('a', { id: 1, pattern: true }))
    expect(await ask({ id: 1, from: 7, hits: [] })).toMatchObject({ from: 7 })
  })

  test('loses its connection to the next one', async () => {
    const log = startHost()
    log.host.handle(search('a', { pattern: true }))
    const { port } = connect(log)
    const closed = once(port as unknown as EventTarget, 'close')
    port.start()
    const second = connect(log)
    await closed
    expect(await second.ask({ id: 1, from: 0, hits: [] })).toMatchObject({ last: true })
  })
})

test('continues after other messages were handled', async () => {
  const order: string[] = []
  await new Promise<void>((resolve) => {
    const host = new LogHost((message: FromWorker) => {
      order.push(message.type)
      if (message.type === 'saved') resolve()
    })
    host.handle({ type: 'saved-begin' })
    host.handle({ type: 'saved-bytes', bytes: new TextEncoder().encode('[]') })
    host.handle({ type: 'saved-end' })
    host.handle({ type: 'locate', id: 1, number: 1 })
  })
  expect(order[0]).toBe('number')
  expect(order.at(-1)).toBe('saved')
})
