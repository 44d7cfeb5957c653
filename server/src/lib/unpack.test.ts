/** A saved log for clients that cannot decompress it, or that stop reading. */
import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { plainBody } from './unpack.ts'

const text = randomBytes(4 * 1024 * 1024)
const piece = 64 * 1024

/** A file that is read in pieces; counts what was asked for. */
function fileOf(packed: Uint8Array) {
  const seen = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(to) {
        const bytes = packed.slice(seen.bytes, seen.bytes + piece)
        if (bytes.length === 0) return to.close()
        seen.bytes += bytes.length
        to.enqueue(bytes)
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { body, encoding: 'gzip' as const, seen }
}
const whole = async (body: ReadableStream<Uint8Array>) => Buffer.from(await new Response(body).arrayBuffer())

it('says what was packed', async () => {
  expect((await whole(plainBody(fileOf(gzipSync(text))))).equals(text)).toBe(true)
})

it('reads no more of the file than its reader may need next @system', async () => {
  const file = fileOf(gzipSync(text))
  const reader = plainBody(file).getReader()
  await reader.read()
  // Longer than all of it takes to be read.
  await after(300)
  expect(file.seen.bytes).toBeLessThan(8 * piece)
  await reader.cancel()
})

it('lets go of the file when its reader goes', async () => {
  const file = fileOf(gzipSync(text))
  const reader = plainBody(file).getReader()
  await reader.read()
  await reader.cancel()
  await expect.poll(() => file.seen.cancelled).toBe(true)
})

it('breaks off where the file is broken, or ends too soon', async () => {
  const packed = gzipSync(text)
  await expect(whole(plainBody(fileOf(packed.subarray(0, packed.length / 2))))).rejects.toThrow()
  await expect(whole(plainBody(fileOf(packed.fill(7, 100_000, 200_000))))).rejects.toThrow()
})
