/** When a stream counts as cut (issue 11, point 16), with fake time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { readEventStream } from './event-stream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const bytes = (text: string) => new TextEncoder().encode(text)

/** A server that speaks when the test does. */
const start = (headers = { 'content-type': 'text/event-stream' }, status = 200) => {
  let say = (_text: string): void => undefined
  let end = (): void => undefined
  const heard: string[] = []
  let opened = 0
  let aborted = false
  const leave = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      say = (text) => controller.enqueue(bytes(text))
      end = () => controller.close()
    },
  })
  const over = readEventStream(
    '/api/stream',
    {
      signal: leave.signal,
      onOpen: () => void opened++,
      onBytes: (piece) => {
        heard.push(new TextDecoder().decode(piece))
        return heard.at(-1)?.includes('eof') ? 'over' : undefined
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
  return { over, say: (text: string) => say(text), end: () => end(), leave, heard, count: () => ({ opened, aborted }) }
}

test('pings alone keep a stream, and their absence for 65 s ends it', async () => {
  const { over, say, count } = start()
  say(': ping\n\n')
  for (let ping = 0; ping < 4; ping++) {
    await vi.advanceTimersByTimeAsync(30_000)
    say(': ping\n\n')
  }
  await vi.advanceTimersByTimeAsync(64_900)
  expect(count()).toEqual({ opened: 1, aborted: false })
  await vi.advanceTimersByTimeAsync(200)
  expect(await over).toBe('silent')
  expect(count().aborted).toBe(true)
})

test('a server that takes the call and says nothing is silent, too', async () => {
  const never = readEventStream(
    '/api/stream',
    { signal: new AbortController().signal, onOpen: () => undefined, onBytes: () => undefined },
    (_url, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut')))),
  )
  await vi.advanceTimersByTimeAsync(65_000)
  expect(await never).toBe('silent')
})

test('what comes alone is handed on at once, what comes in quick succession when it ends or after ten milliseconds', async () => {
  const { over, say, heard, leave } = start()
  const sayAfter = async (milliseconds: number, text: string) => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    say(text)
    await vi.advanceTimersByTimeAsync(0)
  }
  await sayAfter(0, 'alone')
  expect(heard).toEqual(['alone'])
  await sayAfter(1, 'a')
  await sayAfter(1, 'b')
  await vi.advanceTimersByTimeAsync(1)
  expect(heard).toEqual(['alone'])
  await vi.advanceTimersByTimeAsync(1)
  expect(heard).toEqual(['alone', 'ab'])
  for (const text of '0123456789x') await sayAfter(1, text)
  expect(heard).toEqual(['alone', 'ab', '0123456789x'])
  await sayAfter(10, 'next')
  expect(heard.at(-1)).toBe('next')
  leave.abort()
  await over
})

test('an end in the middle is a cut; what is no stream was refused; the last word ends it', async () => {
  const cut = start()
  cut.end()
  expect(await cut.over).toBe('cut')
  expect(await start({ 'content-type': 'text/html' }).over).toBe('refused')
  expect(await start({ 'content-type': 'application/json' }, 401).over).toBe('refused')
  const done = start()
  done.say('event: error\ndata: eof\n\n')
  expect(await done.over).toBe('over')
})

test('nothing of it is left behind, however it ends', async () => {
  const { over, leave } = start()
  leave.abort()
  await over
  expect(vi.getTimerCount()).toBe(0)
})
