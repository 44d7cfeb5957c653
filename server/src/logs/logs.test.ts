import { mkdtemp, readFile, rm, writeFile, mkdir, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limitIn, type Line } from '@flightdeck/api'
import { createLogStore, type LogOptions } from './logs.ts'
import type { LogStore } from '../interfaces/logs.ts'
import { decodeRows } from '../lib/log-rows.ts'
import { logLines } from '../testing/log-lines.ts'

let folder: string
let logs: LogStore
const stores: LogStore[] = []
const create = (options: LogOptions): LogStore => {
  const store = createLogStore(options)
  stores.push(store)
  return store
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-logs-'))
  logs = create({ folder })
})
/** Readers that advance batch by batch, and may be unfinished when a test ends. */
const readers: AsyncIterator<readonly Line[]>[] = []
const startReading = (stepId: number): AsyncIterator<readonly Line[]> => {
  const pieces = logs.follow(stepId, never)
  if (!pieces) throw new Error('the log is not live')
  const lines = logLines(pieces)
  readers.push(lines)
  return lines
}
afterEach(async () => {
  // Close the files of logs that tests leave open; the garbage collector would warn about them.
  for (const store of stores.splice(0)) await store.stop()
  for (const reader of readers.splice(0)) await reader.return?.()
  await rm(folder, { recursive: true })
})

const line = (pos: number, out = `line ${pos}\n`): Line => ({ pos, out, time: 0 })
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => line(from + index))
const plainFile = (id: number) => readFile(join(folder, String(Math.floor(id / 1000)), `${id}.json`), 'utf8')

async function saved(id: number, store = logs): Promise<unknown> {
  const log = await store.read(id)
  if (!log) return null
  const bytes = Buffer.from(await new Response(log.body).arrayBuffer())
  return JSON.parse((log.encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString())
}
async function collect(pieces: AsyncIterable<Uint8Array> | null): Promise<Line[]> {
  const all: Line[] = []
  for await (const batch of logLines(pieces)) all.push(...batch)
  return all
}
const never = new AbortController().signal
const inFakeTime = async (work: () => Promise<void>): Promise<void> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  await work().finally(() => vi.useRealTimers())
}

test('a row is in the file before the append resolves', async () => {
  await logs.open(1)
  await logs.append(1, [line(0)])
  expect(await plainFile(1)).toBe('[{"pos":0,"out":"line 0\\n","time":0}')
  await logs.append(1, [line(1)])
  expect(await plainFile(1)).toMatch(/\n,\{"pos":1,/)
  await logs.close(1)
})

test('while a log is live it cannot be read as a saved one; afterwards it is gzip', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 3))
  expect(await logs.read(1)).toBeNull()
  await logs.close(1)
  expect(await saved(1)).toEqual(range(0, 3))
  expect(await readdir(join(folder, '0'))).toEqual(['1.json.gz'])
  expect(logs.follow(1, never)).toBeNull()
})

test('a log without lines is an empty list', async () => {
  await logs.open(2)
  await logs.close(2)
  expect(await saved(2)).toEqual([])
})

test('a log that does not exist is null, and closing it is not an error', async () => {
  expect(await logs.read(9)).toBeNull()
  await logs.close(9)
  await expect(logs.append(9, [line(0)])).rejects.toThrow('stream: not found')
})

test('a reader that connects late gets every line once, in order', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 5000))
  const early = collect(logs.follow(1, never))
  const writing = (async () => {
    for (let at = 5000; at < 6000; at += 10) await logs.append(1, range(at, at + 10))
  })()
  const late = collect(logs.follow(1, never))
  await writing
  await logs.close(1)
  expect(await early).toEqual(range(0, 6000))
  expect(await late).toEqual(range(0, 6000))
  expect(await saved(1)).toEqual(range(0, 6000))
})

test('a reader that connects while a log is being opened gets it', async () => {
  const opening = logs.open(1)
  const reading = collect(logs.follow(1, never))
  await opening
  await logs.append(1, range(0, 2))
  await logs.close(1)
  expect(await reading).toEqual(range(0, 2))
})

test('a slow reader gets everything from the file, even after the log was closed and compressed', async () => {
  const big = 'x'.repeat(2000)
  await logs.open(1)
  const lines = startReading(1)
  await logs.append(1, [line(0, big)])
  const first = await lines.next()
  for (let at = 1; at < 2000; at += 100) {
    await logs.append(
      1,
      range(at, at + 100).map(({ pos }) => line(pos, big)),
    )
  }
  await logs.close(1)
  const sizes: number[] = []
  const seen: Line[] = [...(first.value ?? [])]
  for (let step = await lines.next(); !step.done; step = await lines.next()) {
    seen.push(...step.value)
    sizes.push(step.value.length)
  }
  expect(seen.map(({ pos }) => pos)).toEqual(Array.from({ length: 2001 }, (_, pos) => pos))
  expect(Math.max(...sizes)).toBeLessThan(200)
})

test('a row longer than the read buffer arrives complete', async () => {
  await logs.open(1)
  await logs.append(1, [line(0, 'y'.repeat(1_000_000)), line(1)])
  await logs.append(1, [line(2)])
  const reading = collect(logs.follow(1, never))
  await logs.close(1)
  expect((await reading).map(({ out }) => out.length)).toEqual([1_000_000, 7, 7])
})

test('an aborted reader ends', async () => {
  await logs.open(1)
  const stop = new AbortController()
  const reading = collect(logs.follow(1, stop.signal))
  stop.abort()
  expect(await reading).toEqual([])
  await logs.close(1)
})

test('a log ends at its limit with a line that says so', async () => {
  const small = create({ folder, limit: 1000 })
  await small.open(3)
  await small.append(3, range(0, 200))
  await small.append(3, range(200, 300))
  await small.close(3)
  const lines = (await saved(3, small)) as Line[]
  const text = JSON.stringify(lines)
  expect(text).toContain('reached its limit of 1000 bytes')
  expect(limitIn(lines.at(-1)?.out ?? '')).toBe('1000 bytes')
  expect(text.length).toBeLessThan(1300)
})

test.each([
  ['', 0],
  ['[', 0],
  ['[{"pos":0,"out":"a","ti', 0],
  ['[{"pos":0,"out":"a","time":0}', 1],
  ['[{"pos":0,"out":"a","time":0}\n,', 1],
  ['[{"pos":0,"out":"a","time":0}\n,{"pos":1,"out":"]', 1],
  ['[{"pos":0,"out":"a","time":0}\n,{"pos":1,"out":"b","time":0}', 2],
  ['[{"pos":0,"out":"a","time":0}\n,{"pos":1,"out":"b","time":0}]', 2],
  ['[]', 0],
])('recovery keeps the whole rows of %j', async (text, rows) => {
  await mkdir(join(folder, '4'))
  await writeFile(join(folder, '4', '4001.json'), text)
  await logs.recover()
  expect(await saved(4001)).toHaveLength(rows)
  expect(await readdir(join(folder, '4'))).toEqual(['4001.json.gz'])
})

test('an unfinished log is continued after its last complete row', async () => {
  await mkdir(join(folder, '0'))
  await writeFile(join(folder, '0', '5.json'), '[{"pos":0,"out":"line 0\\n","time":0}\n,{"pos":1,"o')
  await logs.open(5)
  await logs.append(5, [line(1)])
  await logs.close(5)
  expect(await saved(5)).toEqual(range(0, 2))
})

test('a log that is removed while it is being closed stays removed', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 50_000))
  const closed = logs.close(1)
  // No longer live, but not compressed either.
  await (await logs.read(1))?.body.cancel()
  await logs.remove(1)
  await closed
  expect(await readdir(join(folder, '0'))).toEqual([])
})

test('an uploaded log replaces the live one, whose streams end', async () => {
  await logs.open(1)
  await logs.append(1, [line(0)])
  const reading = collect(logs.follow(1, never))
  const text = Readable.from([Buffer.from('[{"pos":0,"out":"other","time":0}]\n')])
  await (await logs.receive(1, text)).commit()
  expect(await reading).toEqual([line(0)])
  expect(await saved(1)).toEqual([line(0, 'other')])
  await logs.remove(1)
  expect(await logs.read(1)).toBeNull()
})

test('the server leaves live logs unfinished when it stops; the next start finishes them', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 2))
  const reading = collect(logs.follow(1, never))
  const left = new AbortController()
  left.abort()
  logs.follow(1, left.signal)
  expect(logs.readers()).toEqual({ '1': 1 })
  await logs.stop()
  expect(await reading).toEqual(range(0, 2))
  expect(await plainFile(1)).not.toContain(']')
  const next = create({ folder })
  await next.recover()
  expect(await saved(1, next)).toEqual(range(0, 2))
})

test('repeated and reordered lines are in the log once and in order', async () => {
  await logs.open(1)
  const reading = collect(logs.follow(1, never))
  await logs.append(1, range(0, 3))
  await logs.append(1, range(5, 7))
  await logs.append(1, range(1, 4))
  await logs.append(1, range(5, 7))
  await logs.append(1, range(3, 6))
  await logs.append(1, range(7, 9))
  await logs.append(1, range(0, 9))
  await logs.close(1)
  expect(await reading).toEqual(range(0, 9))
  expect(await saved(1)).toEqual(range(0, 9))
})

test('lines after a gap are in the log when it ends', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 2))
  await logs.append(1, range(4, 6))
  await logs.close(1)
  expect(await saved(1)).toEqual([...range(0, 2), ...range(4, 6)])
})

test('the log of a step on another machine continues after a restart, without duplicates', async () => {
  await logs.open(1)
  await logs.append(1, range(0, 3))
  await logs.stop()
  const next = create({ folder })
  await next.recover(new Set([1]))
  await next.open(1)
  await next.append(1, range(1, 5))
  await next.close(1)
  expect(await saved(1, next)).toEqual(range(0, 5))
})

test('an aborted upload leaves the live log and no file', async () => {
  await logs.open(1)
  await logs.append(1, [line(0)])
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('[{"pos"')
      throw new Error('gone')
    })(),
  )
  await expect(logs.receive(1, broken)).rejects.toThrow('gone')
  expect(await readdir(join(folder, '0'))).toEqual(['1.json'])
  await logs.append(1, [line(1)])
  await logs.close(1)
  expect(await saved(1)).toEqual(range(0, 2))
})

test('a whole log that is larger than the limit is refused at once, and the live log stays', async () => {
  const small = create({ folder, limit: 1_000 })
  await small.open(1)
  await small.append(1, [line(0)])
  const large = Readable.from(Array.from({ length: 11 }, () => Buffer.alloc(100)))
  await expect(small.receive(1, large)).rejects.toMatchObject({ status: 413 })
  expect(await readdir(join(folder, '0'))).toEqual(['1.json'])
  await small.close(1)
  expect(await saved(1, small)).toEqual([line(0)])
  const received = await small.receive(1, Readable.from([Buffer.alloc(1_000)]))
  await received.drop()
})

test('lines are sent every twenty milliseconds, whenever they arrive in between', async () => {
  await inFakeTime(async () => {
    await logs.open(1)
    const lines = startReading(1)
    await logs.append(1, [line(0)])
    vi.advanceTimersByTime(0)
    expect((await lines.next()).value).toEqual([line(0)])
    for (const from of [1, 3]) {
      const next = lines.next()
      vi.advanceTimersByTime(12)
      await logs.append(1, [line(from)])
      vi.advanceTimersByTime(7)
      await logs.append(1, [line(from + 1)])
      vi.advanceTimersByTime(1)
      expect((await next).value).toEqual([line(from), line(from + 1)])
    }
  })
  await logs.close(1)
})

test('a line after a pause is sent immediately, and the following lines are batched', async () => {
  await inFakeTime(async () => {
    await logs.open(1)
    const lines = startReading(1)
    for (const from of [0, 3]) {
      await logs.append(1, [line(from)])
      vi.advanceTimersByTime(1)
      expect((await lines.next()).value).toEqual([line(from)])
      await logs.append(1, [line(from + 1)])
      await logs.append(1, [line(from + 2)])
      const next = lines.next()
      vi.advanceTimersByTime(20)
      expect((await next).value).toEqual([line(from + 1), line(from + 2)])
      vi.advanceTimersByTime(20)
    }
  })
  await logs.close(1)
})

test('readers share batches, so that each is encoded once', async () => {
  await inFakeTime(async () => {
    await logs.open(1)
    const follow = () => logs.follow(1, never)?.[Symbol.asyncIterator]() ?? expect.fail('the log is not live')
    const [quick, slow] = [follow(), follow()]
    const batches: Uint8Array[] = []
    for (const from of [0, 2, 4]) {
      await logs.append(1, [line(from)])
      await logs.append(1, [line(from + 1)])
      vi.advanceTimersByTime(20)
      batches.push((await quick.next()).value)
      if (from === 0) expect((await slow.next()).value).toBe(batches[0])
    }
    expect(batches.map(decodeRows)).toEqual([range(0, 2), range(2, 4), range(4, 6)])
    // A reader that was blocked gets the batches one after the other.
    expect((await slow.next()).value).toBe(batches[1])
    expect((await slow.next()).value).toBe(batches[2])
    for (const reader of [quick, slow]) await reader.return?.()
  })
  await logs.close(1)
})

test('many lines are sent before the twenty milliseconds are over', async () => {
  await inFakeTime(async () => {
    await logs.open(1)
    const lines = startReading(1)
    await logs.append(1, [line(0)])
    vi.advanceTimersByTime(0)
    await lines.next()
    await logs.append(1, [line(1)])
    // The clock stands still from here on.
    await logs.append(1, [line(2, 'x'.repeat(300_000))])
    expect((await lines.next()).value).toEqual([line(1), line(2, 'x'.repeat(300_000))])
  })
  await logs.close(1)
})

test.each([
  ['deleted', () => rm(join(folder, '0'), { recursive: true })],
  ['moved', () => rename(join(folder, '0'), join(folder, 'elsewhere'))],
])('a log whose folder is %s while it is written is whole when it is closed', async (_what, remove) => {
  await logs.open(7)
  await logs.append(7, range(0, 3))
  await remove()
  await logs.append(7, range(3, 5000))
  await logs.sync(7)
  await logs.append(7, [line(5000)])
  await logs.close(7)
  expect(await saved(7)).toEqual(range(0, 5001))
  expect(await readdir(join(folder, '0'))).toEqual(['7.json.gz'])
})
