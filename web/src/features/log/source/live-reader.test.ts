/** The worker's part of a live log, with a server that the test controls. */
import { expect, test } from 'vitest'

import { LiveReader } from './live-reader.ts'
import type { FromReader } from './worker-protocol.ts'

const start = (headers: Record<string, string> = {}) => {
  const posted: FromReader[] = []
  const pieces: string[] = []
  const signals: (AbortSignal | null | undefined)[] = []
  let beginCount = 0
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const feed = {
    onBegin: () => void beginCount++,
    onBytes: (bytes: Uint8Array) => void pieces.push(new TextDecoder().decode(bytes)),
  }
  const reader = new LiveReader(
    (message) => void posted.push(message),
    feed,
    async (_url, { signal }) => {
      signals.push(signal)
      signal?.addEventListener('abort', () => controller?.error(signal.reason))
      const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } })
    },
  )
  const send = (text: string) => controller?.enqueue(new TextEncoder().encode(text))
  const types = () => posted.map(({ type }) => type)
  return { reader, posted, pieces, signals, send, types, begun: () => beginCount }
}
const open = { type: 'live-open', connection: 1, url: '/api/stream/a/b/1/2/3' } as const

test('nothing is read before the page knows that the response is for its user', async () => {
  const { reader, posted, pieces, send, types, begun } = start({ 'x-flightdeck-user': '7' })
  reader.handle(open)
  await expect.poll(types).toEqual(['live-answer'])
  expect(posted).toEqual([{ type: 'live-answer', connection: 1, person: '7' }])
  send('data: 1\n\n')
  await new Promise((resolve) => setImmediate(resolve))
  expect([begun(), pieces]).toEqual([0, []])
  reader.handle({ type: 'live-allow', connection: 1 })
  await expect.poll(() => pieces).toEqual(['data: 1\n\n'])
  expect(types()).toEqual(['live-answer', 'live-opened'])
})

test('five thousand lines that arrive one by one are handled in batches', async () => {
  const count = 5_000
  const { reader, pieces, send, types } = start()
  reader.handle(open)
  reader.handle({ type: 'live-allow', connection: 1 })
  await expect.poll(types).toContain('live-opened')
  for (let pos = 0; pos < count; pos += 1) send(`data: ${pos}\n\n`)
  send('event: error\ndata: eof\n\n')
  await expect.poll(types).toContain('live-end')
  expect(pieces.join('').match(/data: \d/g)).toHaveLength(count)
  expect(pieces.length).toBeLessThan(count / 4)
})

test('the end reports its reason, and whether anything was received', async () => {
  const { reader, posted, types } = start({ 'content-type': 'text/html' })
  reader.handle(open)
  reader.handle({ type: 'live-allow', connection: 1 })
  await expect.poll(types).toContain('live-end')
  expect(posted.at(-1)).toEqual({ type: 'live-end', connection: 1, end: 'refused', hasData: false })
})

test('opening a new connection ends the previous one, whose late messages are ignored', async () => {
  const { reader, signals, types } = start()
  reader.handle(open)
  reader.handle({ ...open, connection: 2 })
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
  reader.handle({ type: 'live-close', connection: 1 })
  expect(signals[1]?.aborted).toBe(false)
  reader.handle({ type: 'live-close', connection: 2 })
  expect(signals[1]?.aborted).toBe(true)
  expect(types()).not.toContain('live-opened')
})
