/** A log that arrives from several sources at the same time, in chunks, while it is searched. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { frames, live, row, search, startHost } from '../testing/log-host.ts'

afterEach(() => void vi.restoreAllMocks())

/** A clock that advances by this much each time it is read. */
const clock = (step: number) => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step))
}
const putOff = () => {
  const tasks: (() => void)[] = []
  const log = startHost((task) => tasks.push(task))
  const run = (count = Infinity) => {
    let done = 0
    for (; done < count; done++) {
      const task = tasks.shift()
      if (!task) break
      task()
    }
    return done
  }
  return { ...log, tasks, run }
}
const versionOf = (log: ReturnType<typeof startHost>) => log.view()?.version ?? -1

describe('a saved log', () => {
  test('that is shorter than the live log is not shown yet', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(1, 'b\n')))
    log.host.handle({ type: 'saved-begin' })
    log.piece('[{"pos":0,"out":"A\\n","time":0}')
    expect(log.shown()).toEqual(['a', 'b'])
    const before = versionOf(log)
    log.piece(',{"pos":1,"out":"B\\n","time":0}')
    expect(log.shown()).toEqual(['A', 'B'])
    const shown = versionOf(log)
    expect(shown).toBeGreaterThan(before)
    log.piece(',{"pos":2,"out":"C\\n","time":0}]')
    log.host.handle({ type: 'saved-end' })
    expect(log.shown()).toEqual(['A', 'B', 'C'])
    // Growth at the end does not change existing lines.
    expect(versionOf(log)).toBe(shown)
  })

  test('that is complete wins, even if it is shorter', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(1, 'b\n')))
    const before = versionOf(log)
    log.saved([row(0, 'A\n')])
    expect(log.shown()).toEqual(['A'])
    expect(versionOf(log)).toBeGreaterThan(before)
  })

  test('that is empty so far keeps the live lines', () => {
    const log = startHost()
    log.host.handle({ type: 'saved-begin' })
    log.piece('[')
    expect([log.shown(), versionOf(log)]).toEqual([[], 0])
  })

  test('that cannot be read is reported once, at its end', () => {
    const log = startHost()
    log.host.handle({ type: 'saved-begin' })
    log.piece('[{"pos":0,"out":"a\\n","time":0},{nonsense}')
    log.piece(',{"pos":1,"out":"b\\n","time":0}]')
    expect(log.last('saved')).toBeUndefined()
    log.host.handle({ type: 'saved-end' })
    expect(log.sent.filter(({ type }) => type === 'saved')).toEqual([{ type: 'saved', ok: false }])
    expect(log.shown()).toEqual([])
    log.saved([row(0, 'again\n')])
    expect(log.last('saved')).toEqual({ type: 'saved', ok: true })
    expect(log.shown()).toEqual(['again'])
  })

  test('that was never started is not a log', () => {
    const log = startHost()
    log.piece('[{"pos":0,"out":"a\\n","time":0}]')
    log.host.handle({ type: 'saved-end' })
    expect(log.sent).toEqual([])
    expect(log.shown()).toEqual([])
  })

  test('that restarts drops chunks that were not read', () => {
    const log = putOff()
    log.host.handle({ type: 'saved-begin' })
    log.piece('[{"pos":0,"out":"old\\n"')
    log.host.handle({ type: 'saved-begin' })
    log.piece('[{"pos":0,"out":"new\\n","time":0}]')
    log.host.handle({ type: 'saved-end' })
    log.run()
    expect(log.last('saved')).toEqual({ type: 'saved', ok: true })
    expect(log.shown()).toEqual(['new'])
  })

  test('of one large chunk is read in slices, in order', () => {
    clock(7)
    const log = putOff()
    const rows = Array.from({ length: 300 }, (_, pos) => row(pos, `${pos}${'x'.repeat(5000)}\n`))
    log.saved(rows)
    const steps = log.run()
    expect(steps).toBeGreaterThan(2)
    expect(log.tasks).toEqual([])
    expect(log.shown()?.map((line) => line.length)).toEqual(rows.map(({ out }) => out.length - 1))
    expect(log.last('saved')).toEqual({ type: 'saved', ok: true })
  })

  test('is read in one slice if there is time, and later chunks as well', () => {
    clock(0)
    const log = putOff()
    log.host.handle({ type: 'saved-begin' })
    log.piece('[{"pos":0,"out":"a\\n","time":0}')
    log.piece(',{"pos":1,"out":"b\\n","time":0}')
    expect(log.run()).toBe(1)
    expect(log.shown()).toEqual(['a', 'b'])
    log.piece(']')
    log.host.handle({ type: 'saved-end' })
    expect(log.run()).toBe(1)
    expect(log.last('saved')).toEqual({ type: 'saved', ok: true })
  })
})

test('a long text is copied in slices', async () => {
  const log = putOff()
  log.host.handle(live(...Array.from({ length: 600 }, (_, pos) => row(pos, `${pos}\n`))))
  clock(20)
  log.host.handle({ type: 'text', id: 1, from: 0, to: 600, plain: true })
  expect(log.last('text')).toBeUndefined()
  vi.restoreAllMocks()
  expect(log.run()).toBeGreaterThan(0)
  expect(await log.last('text')?.blob.text()).toBe(Array.from({ length: 600 }, (_, pos) => pos).join('\n'))
})

describe('the live stream', () => {
  test('a new connection discards a partial message', () => {
    const log = startHost()
    const bytes = new TextEncoder().encode('data: {"pos":0,"out":"lo')
    log.host.handle({ type: 'live-bytes', bytes })
    log.host.handle({ type: 'live-begin' })
    log.host.handle(live(row(0, 'a\n')))
    expect(log.shown()).toEqual(['a'])
  })

  test('a message without a position follows the existing ones', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(1, 'b\n')))
    log.host.handle(frames('{"out":"c\\n"}'))
    expect(log.shown()).toEqual(['a', 'b', 'c'])
  })

  test('a late entry changes existing lines', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(2, 'c\n')))
    const before = versionOf(log)
    log.host.handle(live(row(1, 'b\n')))
    expect(log.shown()).toEqual(['a', 'b', 'c'])
    const late = versionOf(log)
    expect(late).toBeGreaterThan(before)
    log.host.handle(live(row(3, 'd\n')))
    expect(versionOf(log)).toBe(late)
  })

  test('the first remote session stays', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'web session: one\n'), row(1, 'web session: two\n')))
    log.saved([row(0, 'web session: three\n')])
    expect(log.last('stats')?.stats.session).toBe('one')
  })

  test('the remote session of a saved log', () => {
    const log = startHost()
    log.saved([row(0, 'a\n'), row(1, 'web session: one  \n')])
    expect(log.last('stats')?.stats.session).toBe('one')
  })
})

describe('a search', () => {
  const counts = (log: ReturnType<typeof startHost>) =>
    log.sent.flatMap((message) => (message.type === 'search' ? [[message.search.count, message.search.done]] : []))

  test('reports its start immediately, then its hits', () => {
    const log = startHost()
    log.saved([row(0, 'a\n'), row(1, 'a\n')])
    log.host.handle(search('a'))
    expect(counts(log)).toEqual([
      [0, false],
      [2, true],
    ])
  })

  test('continues in slices, one after the other, also while the log grows', () => {
    const log = putOff()
    log.host.handle(live(...Array.from({ length: 10_000 }, (_, pos) => row(pos, 'a\n'))))
    clock(30)
    log.host.handle(search('a'))
    expect(log.tasks).toHaveLength(1)
    log.host.handle(live(row(10_000, 'a\n')))
    log.host.handle(search('a', { id: 2 }))
    expect(log.tasks).toHaveLength(1)
    expect(log.run()).toBeGreaterThan(1)
    expect(log.last('search')?.search).toMatchObject({ id: 2, count: 10_001, done: true })
    expect(new Set(counts(log).map(([count]) => count)).size).toBeGreaterThan(3)
  })

  test('that was canceled in between does not continue', () => {
    const log = putOff()
    log.host.handle(live(...Array.from({ length: 10_000 }, (_, pos) => row(pos, 'a\n'))))
    clock(30)
    log.host.handle(search('a'))
    log.host.handle({ type: 'search', id: 2, query: undefined })
    const before = counts(log).length
    log.run()
    log.host.handle(live(row(10_000, 'a\n')))
    expect(counts(log)).toHaveLength(before)
  })

  test('notices changes of existing lines', () => {
    const log = startHost()
    log.host.handle(live(row(0, 'a\n'), row(2, 'word\n')))
    log.host.handle(search('word'))
    log.host.handle(live(row(1, 'b\n')))
    log.host.handle({ type: 'hit', id: 1, index: 0 })
    expect([log.last('search')?.search.count, log.last('number')?.value]).toEqual([1, 2])
    log.saved([row(0, 'word\n'), row(1, 'b\n'), row(2, 'c\n')])
    log.host.handle({ type: 'hit', id: 2, index: 0 })
    expect([log.last('search')?.search.count, log.last('number')?.value]).toEqual([1, 0])
  })

  test('by pattern runs in a separate worker', () => {
    const log = startHost()
    log.saved([row(0, 'a\n')])
    log.host.handle(search('a', { pattern: true }))
    expect(counts(log)).toEqual([[0, false]])
  })
})
