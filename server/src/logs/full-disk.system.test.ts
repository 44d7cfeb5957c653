import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import type { Line } from '@flightdeck/api'
import { createLogStore } from './logs.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import type { LogStore } from '../interfaces/logs.ts'
import { createWrites } from '../store/writes.ts'
import { logLines } from '../testing/log-lines.ts'

/**
 * Effects of a temporarily full disk, simulated; `full-disk-server.system.test.ts` fills a real
 * one.
 */
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const databaseFull = () =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

/** All files of this process write through it. */
let write: MockInstance<FileHandle['write']>
let folder: string
let bench: Bench
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-full-'))
  const probe = await open(join(folder, 'probe'), 'w')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  write = vi.spyOn(prototype, 'write')
  bench = await openBench()
})
afterEach(async () => {
  write.mockRestore()
  await bench.close()
  await rm(folder, { recursive: true })
})

const line = (pos: number): Line => ({ pos, out: `line ${pos}\n`, time: pos })
const textOf = async (logs: LogStore, stepId: number): Promise<string> => {
  const lines: Line[] = JSON.parse(await savedText(logs, stepId))
  return lines.map(({ out }) => out).join('')
}
async function savedText(logs: LogStore, stepId: number): Promise<string> {
  const saved = await logs.read(stepId)
  if (!saved) throw new Error('no log')
  const bytes = Buffer.from(await new Response(saved.body).arrayBuffer())
  return (saved.encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
const storeWith = (patience: number) =>
  createLogStore({ folder: join(folder, 'logs'), writes: createWrites(() => {}), timeoutMs: patience })

test('lines wait while the disk is full for a moment, and none is lost', async () => {
  const logs = storeWith(60_000)
  await logs.open(1)
  await logs.append(1, [line(0)])
  write.mockRejectedValueOnce(full()).mockRejectedValueOnce(full())
  await logs.append(1, [line(1)])
  await logs.append(1, [line(2)])
  await logs.close(1)
  expect(await textOf(logs, 1)).toBe('line 0\nline 1\nline 2\n')
})

test('the log says how many lines are missing where lines could not be written', async () => {
  const logs = storeWith(0)
  await logs.open(1)
  await logs.append(1, [line(0)])
  write.mockRejectedValueOnce(full()).mockRejectedValueOnce(full())
  await logs.append(1, [line(1)])
  await logs.append(1, [line(2), line(3)])
  await logs.append(1, [line(4)])
  await logs.close(1)
  expect(await textOf(logs, 1)).toBe(
    'line 0\n\n[3 lines of this log could not be written and are lost: no space left on device]\nline 4\n',
  )
})

test('a log whose end cannot be written is complete for its readers, and finished later', async () => {
  const logs = storeWith(0)
  await logs.open(1)
  await logs.append(1, [line(0)])
  const reader = logs.follow(1, new AbortController().signal)
  write.mockImplementation(() => Promise.reject(full()))
  await logs.append(1, [line(1)])
  await expect(logs.close(1)).rejects.toThrow('no space')
  // The stream of the live log ends.
  const seen: Line[] = []
  for await (const lines of logLines(reader)) seen.push(...lines)
  expect(seen).toEqual([line(0)])
  expect(await textOf(logs, 1)).toBe('line 0\n')
  write.mockRestore()
  await logs.close(1)
  expect(await textOf(logs, 1)).toBe(
    'line 0\n\n[1 line of this log could not be written and is lost: no space left on device]\n',
  )
  // The next start finds nothing to repair.
  const again = storeWith(0)
  await again.recover()
  expect(await textOf(again, 1)).toContain('line 0\n')
})

/** Until it is called, nothing is stored. */
function fillDatabase(error = databaseFull): () => void {
  const spy = vi.spyOn(bench.db, 'transaction').mockImplementation(() => {
    throw error()
  })
  return () => spy.mockRestore()
}

test('the reports of a step and a stage are kept until they are written, and the next build continues', async () => {
  const sha = bench.commit('concurrency: { limit: 1 }\n' + pipelines({ default: 'concurrency: { limit: 1 }' }).slice(4))
  await bench.push(sha)
  await bench.push(sha)
  const stage = await bench.take(['one', 'two'])
  const [one] = stage.steps
  if (!one) throw new Error('no step')
  let running = await bench.runStep(one)
  await bench.ci.runners.appendLog(one.id, [line(0)])
  const empty = fillDatabase()
  const ended = bench.endStep(running)
  const over = ended.then((step) => bench.endStage({ ...stage, steps: [step] }))
  await vi.waitFor(() =>
    expect(bench.messages[0]).toContain('could not be written; retrying: database or disk is full'),
  )
  expect((await bench.build(1)).status).toBe('running')
  expect(await bench.isIdle()).toBe(true)
  empty()
  running = await ended
  expect(running.status).toBe('success')
  await over
  expect(await bench.statuses(1)).toEqual({ '': 'success', default: 'success' })
  expect(await bench.isSaved(one)).toBe(true)
  expect((await bench.take()).build_id).toBe((await bench.build(2)).id)
})

test('a step on a full disk starts when there is space, and its log is open', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const [step] = (await bench.take()).steps
  if (!step) throw new Error('no step')
  const empty = fillDatabase()
  const started = bench.runStep(step)
  for (let times = 0; times < 20; times += 1) await turn()
  empty()
  expect((await started).status).toBe('running')
  const reader = new AbortController()
  expect(bench.ci.logs.follow(step.id, reader.signal)).not.toBeNull()
  // Otherwise its file would stay open until Node's garbage collector closes it with a warning.
  reader.abort()
  await bench.ci.logs.close(step.id)
})

test('a step that was cancelled before it started leaves no open log', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const [step] = (await bench.take()).steps
  if (!step) throw new Error('no step')
  const opened = bench.ci.logs.open.bind(bench.ci.logs)
  bench.ci.logs.open = async (id) => {
    await opened(id)
    await bench.ci.cancel(bench.repo, 1, bench.user)
  }
  await expect(bench.runStep(step)).rejects.toThrow('Optimistic Lock Error')
  expect(bench.ci.logs.follow(step.id, new AbortController().signal)).toBeNull()
})

test('a report that is stored but cannot be published is no error, and is published later', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.take()
  bench.events.length = 0
  const run = bench.db.executeQuery.bind(bench.db)
  // The first query for builds outside the transaction reads the build for the event.
  let failures = 0
  vi.spyOn(bench.db, 'executeQuery').mockImplementation((query) => {
    if (!('sql' in query && query.sql.startsWith('select * from "builds"')) || failures > 2) return run(query)
    failures += 1
    throw databaseFull()
  })
  expect((await bench.endStage(stage)).status).toBe('success')
  await until(() => expect(bench.events.map(({ build }) => build.status)).toEqual(['success']))
  expect(failures).toBe(3)
})

test('reading the queue is retried after a failure', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  await bench.push(bench.commit(pipelines({ default: '' })))
  const select = bench.db.selectFrom.bind(bench.db)
  let failed = false
  vi.spyOn(bench.db, 'selectFrom').mockImplementation((from) => {
    if (from !== ('stages' as typeof from) || failed) return select(from)
    failed = true
    throw databaseFull()
  })
  expect(await bench.request(AbortSignal.timeout(10_000))).not.toBeNull()
  expect(failed).toBe(true)
  expect(errors).toHaveBeenCalledOnce()
  errors.mockRestore()
})
