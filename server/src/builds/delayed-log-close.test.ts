import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LogStore } from '../interfaces/logs.ts'
import type { Writes } from '../store/writes.ts'
import { createLogClosers } from './delayed-log-close.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const start = (error?: Error) => {
  const closed: number[] = []
  const later: [string, () => Promise<unknown>][] = []
  const close = (stepId: number) => {
    closed.push(stepId)
    return error ? Promise.reject(error) : Promise.resolve()
  }
  const writes = { later: (what: string, work: () => Promise<unknown>) => void later.push([what, work]) }
  const closers = createLogClosers({ close } as unknown as LogStore, writes as unknown as Writes)
  return { closers, closed, later }
}

test('a runner has three seconds to send its last lines', async () => {
  const { closers, closed } = start()
  closers.closeSoon(7)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(closed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(closed).toEqual([7])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(closed).toEqual([7])
})

test('one that reports earlier is not waited for', async () => {
  const { closers, closed } = start()
  closers.closeSoon(7)
  closers.closeSoon(8)
  await closers.close(7)
  expect(closed).toEqual([7])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(closed).toEqual([7, 8])
})

test('asked twice it closes once', async () => {
  const { closers, closed } = start()
  closers.closeSoon(7)
  await vi.advanceTimersByTimeAsync(1_000)
  closers.closeSoon(7)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(closed).toEqual([7])
})

test('what still waits is closed at the end', async () => {
  const { closers, closed } = start()
  closers.closeSoon(7)
  closers.closeSoon(8)
  await closers.stop()
  expect(closed).toEqual([7, 8])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(closed).toEqual([7, 8])
})

test('the end waits for what is being closed just then', async () => {
  let saved = () => {}
  const saving = new Promise<void>((resolve) => (saved = resolve))
  const logs = { close: () => saving } as unknown as LogStore
  const closers = createLogClosers(logs, {} as unknown as Writes)
  void closers.close(7)
  let stopped = false
  const stop = closers.stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).toBe(false)
  saved()
  await stop
  expect(stopped).toBe(true)
})

test('on a full disk it is retried later, any other error is logged, and neither stops a build', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const full = start(Object.assign(new Error('disk full'), { code: 'ENOSPC' }))
  await full.closers.close(7)
  expect(told).not.toHaveBeenCalled()
  expect(full.later.map(([what]) => what)).toEqual(['the end of the log of step 7'])
  await expect(full.later[0]?.[1]()).rejects.toThrow('disk full')
  expect(full.closed).toEqual([7, 7])
  const broken = start(new Error('broken'))
  await broken.closers.close(8)
  expect(broken.later).toEqual([])
  expect(told).toHaveBeenCalledTimes(1)
  expect(String(told.mock.calls[0])).toContain('step 8')
})
