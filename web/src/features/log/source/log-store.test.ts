/** When the store sends requests, retries and stays idle, with a fake network and clock. */
import { describe, expect, test, vi } from 'vitest'

import { createLogWorker } from './log-worker.ts'
import { LogStore } from './log-store.ts'
import type { LogEnvironment } from './environment.ts'
import type { ToLogWorker } from './worker-protocol.ts'

class Source {
  closed = false
  readonly response: Response
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  constructor(signal: AbortSignal | null | undefined) {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#controller = controller) })
    this.response = new Response(body)
    signal?.addEventListener('abort', () => {
      this.closed = true
    })
  }
  #send(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text))
  }
  say(data: unknown): void {
    this.#send(`data: ${JSON.stringify(data)}\n\n`)
  }
  eof(): void {
    this.#send('event: error\ndata: eof\n\n')
  }
  fail(): void {
    this.#controller?.error(new Error('cut'))
  }
}

const noRows = () => new Response(JSON.stringify({ message: 'sql: no rows in result set' }), { status: 404 })
const saved = (text: string) => new Response(text, { status: 200 })

const address = { namespace: 'a', name: 'b', build: 1, stage: 2, step: 3 }

/** Responses for the saved log, one per call; the last one is repeated. */
const start = (...answers: (() => Response)[]) => {
  const asked: string[] = []
  const waits: number[] = []
  const sources: Source[] = []
  const clock = { now: 0, hidden: false }
  let onVisibility = (): void => undefined
  const fetch: LogEnvironment['fetch'] = async (url, { signal }) => {
    if (url.startsWith('/api/stream')) {
      const source = new Source(signal)
      sources.push(source)
      return source.response
    }
    asked.push(url)
    return (answers[asked.length - 1] ?? answers.at(-1) ?? noRows)()
  }
  const received: string[] = []
  const environment: LogEnvironment = {
    startWorker: (post) => {
      const worker = createLogWorker({ post, fetch, later: (task) => task() })
      const notify = (message: ToLogWorker) => {
        received.push(message.type)
        worker(message)
      }
      return { post: notify, stop: () => undefined }
    },
    fetch,
    later: (milliseconds, action) => {
      waits.push(milliseconds)
      clock.now += milliseconds
      const handle = setImmediate(action)
      return () => clearImmediate(handle)
    },
    now: () => clock.now,
    isHidden: () => clock.hidden,
    onVisibility: (listener) => {
      onVisibility = listener
      return () => undefined
    },
  }
  const store = new LogStore(address, environment)
  const untilLoaded = () => expect.poll(() => store.getSnapshot().phase, { interval: 1 }).toMatch(/ready|failed/)
  const hide = (hidden: boolean) => {
    clock.hidden = hidden
    onVisibility()
  }
  const hasLines = (lines: number) => expect.poll(() => store.getSnapshot().stats.lines, { interval: 1 }).toBe(lines)
  return { store, environment, asked, received, waits, sources, clock, untilLoaded, hide, hasLines }
}

test('the last lines of a saved log arrive with its notification', async () => {
  const rows = Array.from({ length: 400 }, (_, pos) => ({ pos, out: `line ${pos}\n`, time: 0 }))
  const { store, untilLoaded } = start(() => saved(JSON.stringify(rows)))
  const first = new Promise<(string | undefined)[]>((resolve) => {
    const leave = store.subscribe(() => {
      const { lines } = store.getSnapshot().stats
      if (lines === 0) return
      leave()
      resolve([lines - 40, lines - 1].map((line) => store.line(line)?.parts[0]?.text))
    })
  })
  store.setMode('saved')
  expect(await first).toEqual(['line 360', 'line 399'])
  await untilLoaded()
})

describe('a missing saved log', () => {
  test('is requested once when the page opens', async () => {
    const log = start(noRows)
    log.store.setMode('saved')
    await log.untilLoaded()
    expect(log.asked).toHaveLength(1)
    expect(log.store.getSnapshot()).toMatchObject({ phase: 'failed', error: 'sql: no rows in result set' })
  })

  test('is requested again for a quarter of a minute if the step ended on the open page', async () => {
    const log = start(noRows)
    log.store.setMode('live')
    log.store.setMode('saved')
    const failedAt: number[] = []
    log.store.subscribe(() => {
      if (log.store.getSnapshot().phase === 'failed') failedAt.push(log.clock.now)
    })
    await expect.poll(() => log.asked.length, { interval: 1 }).toBe(6)
    expect(log.clock.now).toBeGreaterThan(15_000)
    expect(failedAt[0]).toBeLessThan(5_000)
    expect(log.store.getSnapshot().phase).toBe('failed')
  })

  test('replaces its error if it is found late', async () => {
    const found = () => saved('[{"pos":0,"out":"a\\n","time":0}]')
    const log = start(noRows, noRows, noRows, noRows, noRows, found)
    log.store.setMode('live')
    log.store.setMode('saved')
    await expect.poll(() => log.store.getSnapshot().phase, { interval: 1 }).toBe('ready')
    expect(log.store.getSnapshot()).toMatchObject({ error: undefined, stats: { lines: 1 } })
  })

  test('is not requested again twenty seconds after the end', async () => {
    const log = start(noRows, () => {
      log.clock.now += 20_000
      return noRows()
    })
    log.store.setMode('live')
    log.store.setMode('saved')
    await log.untilLoaded()
    expect(log.asked).toHaveLength(2)
  })

  test('is found in the end', async () => {
    const log = start(noRows, noRows, () => saved('[{"pos":0,"out":"a\\n","time":0}]'))
    log.store.setMode('live')
    log.store.setMode('saved')
    await log.untilLoaded()
    expect(log.store.getSnapshot()).toMatchObject({ phase: 'ready', stats: { lines: 1 } })
  })
})

test('any other error is reported immediately', async () => {
  const log = start(() => new Response('{"message":"out of order"}', { status: 500 }))
  log.store.setMode('live')
  log.store.setMode('saved')
  await log.untilLoaded()
  expect(log.asked).toHaveLength(1)
  expect(log.store.getSnapshot().error).toBe('out of order')
})

test('a saved log that is always truncated is reported after three retries', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('[{"pos":0,"out":"a\\n","time":0}')),
        pull: (controller) => controller.error(new Error('cut')),
      }),
    )
  const log = start(broken)
  log.store.setMode('saved')
  await log.untilLoaded()
  expect(log.asked).toHaveLength(4)
  expect(log.store.getSnapshot()).toMatchObject({ phase: 'failed', stats: { lines: 1 } })
})

describe('a live log', () => {
  test('is reopened with backoff, which restarts after a message', async () => {
    const log = start()
    log.store.setMode('live')
    const fail = async () => {
      const before = log.sources.length
      log.sources.at(-1)?.fail()
      await expect.poll(() => log.sources.length, { interval: 1 }).toBe(before + 1)
    }
    await fail()
    await fail()
    await fail()
    expect(log.waits).toEqual([500, 1000, 2000])
    log.sources.at(-1)?.say({ pos: 0, out: 'a\n', time: 0 })
    await log.hasLines(1)
    await fail()
    expect(log.waits.at(-1)).toBe(500)
  })

  test('of a hidden tab is closed, and read from its start when the tab is shown', async () => {
    const log = start()
    log.store.setMode('live')
    log.sources[0]?.say({ pos: 0, out: 'a\n', time: 0 })
    await log.hasLines(1)
    log.hide(true)
    expect(log.sources.map((source) => source.closed)).toEqual([true])
    log.hide(false)
    expect(log.sources).toHaveLength(2)
    log.sources[1]?.say({ pos: 0, out: 'a\n', time: 0 })
    log.sources[1]?.say({ pos: 1, out: 'b\n', time: 0 })
    await log.hasLines(2)
  })

  test('of a tab that was never shown is not opened', () => {
    const log = start()
    log.clock.hidden = true
    log.store.setMode('live')
    expect(log.sources).toHaveLength(0)
    log.hide(false)
    expect(log.sources).toHaveLength(1)
  })

  test('ends at eof', async () => {
    const log = start()
    log.store.setMode('live')
    log.sources[0]?.eof()
    await expect.poll(() => log.store.getSnapshot().live, { interval: 1 }).toBe('ended')
    log.hide(true)
    log.hide(false)
    expect(log.sources).toHaveLength(1)
  })
})

test('following the end requests no line that arrived with the notification, and none that is no longer rendered', async () => {
  const { store, sources, received, hasLines } = start()
  store.follow(2)
  // Like the page, after it learns about new lines and before it is painted.
  const draw = () => {
    const { lines } = store.getSnapshot().stats
    store.want([lines - 2, lines - 1].filter((line) => line >= 0))
  }
  store.subscribe(() => queueMicrotask(draw))
  store.setMode('live')
  await expect.poll(() => sources.length, { interval: 1 }).toBe(1)
  for (let pos = 0; pos < 6; pos += 2) {
    sources[0]?.say({ pos, out: `${pos}\n`, time: 0 })
    sources[0]?.say({ pos: pos + 1, out: `${pos + 1}\n`, time: 0 })
    await hasLines(pos + 2)
  }
  expect(store.line(5)?.parts).toEqual([{ text: '5' }])
  expect(received.filter((type) => type === 'lines')).toEqual([])
})

test('a pattern whose worker fails before the log’s first message is reported as failed', async () => {
  class Broken extends EventTarget {
    constructor() {
      super()
      queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('error'), { message: 'no' })))
    }
    postMessage() {}
    terminate() {}
  }
  vi.stubGlobal('Worker', Broken)
  try {
    let sendToPage: Parameters<LogEnvironment['startWorker']>[0] = () => undefined
    const { environment } = start()
    const store = new LogStore(address, {
      ...environment,
      startWorker: (post) => {
        sendToPage = post
        return { post: () => undefined, stop: () => undefined }
      },
    })
    store.search({ text: 'a+', matchCase: false, word: false, pattern: true })
    const failed = { count: 0, done: true, halted: true, error: 'Something went wrong' }
    await expect.poll(() => store.getSnapshot().search).toMatchObject(failed)
    sendToPage({ type: 'search', search: { id: 1, count: 0, done: false, error: undefined, ticks: [] } })
    expect(store.getSnapshot().search).toMatchObject(failed)
    store.stop()
  } finally {
    vi.unstubAllGlobals()
  }
})
