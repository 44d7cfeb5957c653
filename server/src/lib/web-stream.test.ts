import { PassThrough, Readable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { webStream } from './web-stream.ts'

const faults: unknown[] = []
const note = (error: unknown) => void faults.push(error)
// The test runner's own listeners would end the test before its assertions.
let others: NodeJS.UncaughtExceptionListener[] = []
beforeEach(() => {
  faults.length = 0
  others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', note)
})
afterEach(() => {
  process.removeAllListeners('uncaughtException')
  for (const other of others) process.on('uncaughtException', other)
})

const part = 30_000
const filled = (parts: number) => {
  const way = new PassThrough({ highWaterMark: (part * parts) / 2 })
  for (let i = 0; i < parts; i++) way.write(Buffer.alloc(part, i))
  return way
}

it('is silent when its reader goes away in the same turn in which he asked for more', async () => {
  const way = filled(40)
  const reader = webStream(way).getReader()
  await reader.read()
  await after(5)
  for (let i = 0; i < 3; i++) void reader.read()
  await reader.cancel()
  await after(10)
  expect(faults).toEqual([])
  expect(way.destroyed).toBe(true)
})

it('destroys what nothing has come from for a while as soon as its reader goes away', async () => {
  const way = new PassThrough()
  const reader = webStream(way).getReader()
  const asked = reader.read()
  await after(5)
  await reader.cancel()
  expect(way.destroyed).toBe(true)
  expect(await asked).toEqual({ done: true, value: undefined })
})

it('hands on every byte in order, and no more than its reader takes', async () => {
  let made = 0
  const parts = 400
  const source = new Readable({
    read() {
      setImmediate(() => this.push(made < parts ? Buffer.alloc(part, made++) : null))
    },
  })
  const reader = webStream(source).getReader()
  await reader.read()
  await after(50)
  expect(made).toBeLessThan(10)
  const firsts = [0]
  let bytes = part
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    firsts.push(got.value[0] ?? -1)
    bytes += got.value.length
  }
  expect(firsts).toEqual(Array.from({ length: parts }, (_, index) => index % 256))
  expect(bytes).toBe(part * parts)
})

it('also where what comes are parts of an iterator', async () => {
  const texts = ['one ', 'two ', 'three']
  const answer = new Response(webStream(Readable.from(texts.map((text) => Buffer.from(text)))))
  expect(await answer.text()).toBe('one two three')
})

it('an error of the stream goes to its reader, and a later one is ignored', async () => {
  const way = new PassThrough()
  const reader = webStream(way).getReader()
  const asked = reader.read()
  way.destroy(new Error('cut'))
  await expect(asked).rejects.toThrow('cut')
  way.emit('error', new Error('again'))
  await after(5)
  expect(faults).toEqual([])
})
