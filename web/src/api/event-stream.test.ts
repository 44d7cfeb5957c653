/** When a stream counts as broken, with a fake clock. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { readEventStream } from './event-stream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const bytes = (text: string) => new TextEncoder().encode(text)

/** A server whose output the test controls. */
const start = (headers = { 'content-type': 'text/event-stream' }, status = 200) => {
  let send = (_text: string): void => undefined
  let end = (): void => undefined
  const received: string[] = []
  let opened = 0
  let aborted = false
  const leave = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(bytes(text))
      end = () => controller.close()
    },
  })
  const over = readEventStream(
    '/api/stream',
    {
      signal: leave.signal,
      onOpen: () => void opened++,
      onBytes: (piece) => {
        received.push(new TextDecoder().decode(piece))
        return received.at(-1)?.includes('eof') ? 'over' : undefined
      },
    },
    async (_url, { signal }) => {
      signal?.addEventListener('abort', () => {
        aborted = true
        try {
          body.cancel().catch(() => undefined)
          end()
        } catch {
          // It has ended.
        }
      })
      return new Response(body, { status, headers })
    },
  )
  return {
    over,
    send: (text: string) => send(text),
    end: () => end(),
    leave,
    received,
    count: () => ({ opened, aborted }),
  }
}

test('pings alone keep a stream, and their absence for 65 s ends it', async () => {
  const { over, send, count } = start()
  send(': ping\n\n')
  for (let ping = 0; ping < 4; ping++) {
    await vi.advanceTimersByTimeAsync(30_000)
    send(': ping\n\n')
  }
  await vi.advanceTimersByTimeAsync(64_900)
  expect(count()).toEqual({ opened: 1, aborted: false })
  await vi.advanceTimersByTimeAsync(200)
  expect(await over).toBe('silent')
  expect(count().aborted).toBe(true)
})

test('a server that accepts the call and sends nothing is silent as well', async () => {
  const never = readEventStream(
    '/api/stream',
    { signal: new AbortController().signal, onOpen: () => undefined, onBytes: () => undefined },
    (_url, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut')))),
  )
  await vi.advanceTimersByTimeAsync(65_000)
  expect(await never).toBe('silent')
})

test('a single event is passed on immediately, events in quick succession are batched shortly', async () => {
  const { over, send, received, leave } = start()
  let waiting: number[] = []
  let maxDelayMs = 0
  const sayAfter = async (milliseconds: number, text: string) => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    const before = received.length
    send(text)
    waiting.push(performance.now())
    await vi.advanceTimersByTimeAsync(0)
    if (received.length === before) return
    maxDelayMs = Math.max(maxDelayMs, ...waiting.map((sentAt) => performance.now() - sentAt))
    waiting = []
  }
  await sayAfter(0, 'alone')
  expect(received).toEqual(['alone'])
  await sayAfter(1, 'a')
  await sayAfter(1, 'b')
  await vi.advanceTimersByTimeAsync(12)
  expect(received.join('')).toBe('aloneab')
  waiting = []
  const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4)
  for (const text of letters) await sayAfter(1, text)
  expect(maxDelayMs).toBeGreaterThan(5)
  expect(maxDelayMs).toBeLessThanOrEqual(12)
  await sayAfter(20, 'next')
  expect(received.at(-1)).toBe('next')
  expect(received.join('')).toBe(`aloneab${letters}next`)
  expect(received.length).toBeLessThan(30)
  leave.abort()
  await over
})

/** Buffers unread data in one chunk, as a browser does. Counts the chunks that were read. */
const pipe = () => {
  const kept: string[] = []
  let wake = (): void => undefined
  let pieces = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (kept.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        pieces++
        controller.enqueue(bytes(kept.splice(0).join('')))
      },
    },
    { highWaterMark: 0 },
  )
  const send = (text: string): void => {
    kept.push(text)
    wake()
  }
  return { body, send, pieces: () => pieces }
}

test('ten thousand events a second are not read one by one', async () => {
  const { body, send, pieces } = pipe()
  const leave = new AbortController()
  let receivedText = ''
  const listener = {
    signal: leave.signal,
    onOpen: () => undefined,
    onBytes: (piece: Uint8Array) => {
      receivedText += new TextDecoder().decode(piece)
      return undefined
    },
  }
  const headers = { 'content-type': 'text/event-stream' }
  const done = readEventStream('/', listener, async (_url, { signal }) => {
    signal?.addEventListener('abort', () => send('late'))
    return new Response(body, { headers })
  })
  let sentText = ''
  for (let event = 0; event < 2000; event++) {
    send(`${event}\n`)
    sentText += `${event}\n`
    await vi.advanceTimersByTimeAsync(event % 10 === 9 ? 1 : 0)
  }
  expect(pieces()).toBeLessThan(500)
  await vi.advanceTimersByTimeAsync(12)
  expect(receivedText).toBe(sentText)
  leave.abort()
  await done
})

test('an end in the middle is a lost connection; a different type is a refusal; the last event ends it', async () => {
  const cut = start()
  cut.end()
  expect(await cut.over).toBe('cut')
  expect(await start({ 'content-type': 'text/html' }).over).toBe('refused')
  expect(await start({ 'content-type': 'application/json' }, 401).over).toBe('refused')
  const done = start()
  done.send('event: error\ndata: eof\n\n')
  expect(await done.over).toBe('over')
})

test('the stream cleans up, however it ends', async () => {
  const { over, leave } = start()
  leave.abort()
  await over
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['the last word', 'over', ': one\n\n', 'event: error\ndata: eof\n\n'],
  ['a silence', 'silent'],
] as const)('%s ends it also where an answer hears nothing of a cancelled call', async (_what, how, ...pieces) => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      // In quick succession: each is still buffered while the next one is awaited.
      for (const text of pieces) controller.enqueue(bytes(text))
    },
    cancel: () => void (cancelled = true),
  })
  const listener = {
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onBytes: (piece: Uint8Array) => (new TextDecoder().decode(piece).includes('eof') ? ('over' as const) : undefined),
  }
  const headers = { 'content-type': 'text/event-stream' }
  const done = readEventStream('/api/stream', listener, async () => new Response(body, { headers }))
  await vi.advanceTimersByTimeAsync(70_000)
  expect(await Promise.race([done, Promise.resolve('waits')])).toBe(how)
  expect(cancelled).toBe(true)
})
