import { frameOf } from '../lib/stream-connection.ts'
import { expect, it } from 'vitest'
import { eventStream, type Sink } from './event-stream.ts'

/** A stream that the test reads. */
function bench() {
  const failures: unknown[] = []
  let sink: Sink | undefined
  let signal: AbortSignal | undefined
  const response = eventStream(
    undefined,
    600_000,
    async (given, gone) => {
      sink = given
      signal = gone
      await new Promise<void>((resolve) => {
        gone.addEventListener('abort', () => resolve())
      })
    },
    (error) => failures.push(error),
  )
  const reader = response.body?.getReader()
  if (!sink || !signal || !reader) throw new Error('the stream did not start')
  return { sink, signal, reader, failures }
}

it('disconnects a reader with too many pending bytes', () => {
  const { sink, signal } = bench()
  const megabyte = new Uint8Array(1024 * 1024)
  for (let chunk = 0; chunk < 7; chunk++) sink.write(frameOf(megabyte))
  expect(signal.aborted).toBe(false)
  for (let chunk = 0; chunk < 2; chunk++) sink.write(frameOf(megabyte))
  expect(signal.aborted).toBe(true)
})

it('lets a producer wait for a slow reader, and continue after a read', async () => {
  const { sink, reader } = bench()
  const big = new Uint8Array(512 * 1024)
  sink.write(frameOf(big))
  let ready = false
  const waiting = sink.ready().then(() => {
    ready = true
  })
  await Promise.resolve()
  expect(ready).toBe(false)
  await reader.read()
  await reader.read()
  await waiting
  expect(ready).toBe(true)
})

it('ends when the reader goes, also for a producer that waits', async () => {
  const { sink, signal, reader, failures } = bench()
  sink.write(frameOf(new Uint8Array(512 * 1024)))
  const waiting = sink.ready()
  await reader.cancel()
  await waiting
  expect(signal.aborted).toBe(true)
  sink.write(frameOf(new Uint8Array(1)))
  expect(failures).toEqual([])
})
