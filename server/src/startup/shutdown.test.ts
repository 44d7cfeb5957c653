import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errorMessage } from '../lib/error-message.ts'
import { createShutdown } from './shutdown.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(drainSeconds: number, drained: Promise<void> = new Promise(() => undefined)) {
  const said: string[] = []
  const server = { drain: vi.fn(() => drained), stop: vi.fn(async () => undefined) }
  const exit = vi.fn()
  const shutdown = createShutdown({
    drainSeconds,
    log: (text, error) => said.push(error === undefined ? text : `${text}: ${errorMessage(error)}`),
    exit,
  })
  return { shutdown, server, exit, said }
}

test('an idle server stops immediately and logs nothing', async () => {
  const { shutdown, server, exit, said } = setUp(60, Promise.resolve())
  await shutdown.started(server)
  shutdown.drain()
  await vi.advanceTimersByTimeAsync(1)
  expect(exit).toHaveBeenCalledOnce()
  expect(said).toEqual([])
})

test('running stages can finish within the time limit', async () => {
  const { shutdown, server, exit, said } = setUp(60)
  await shutdown.started(server)
  shutdown.drain()
  await vi.advanceTimersByTimeAsync(59_000)
  expect([said.length, server.stop.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(exit).toHaveBeenCalledOnce()
})

test.each(['drain', 'now'] as const)('a second signal (%s) ends the waiting', async (second) => {
  const { shutdown, server, exit } = setUp(60)
  await shutdown.started(server)
  shutdown.drain()
  await vi.advanceTimersByTimeAsync(1_000)
  shutdown[second]()
  await vi.advanceTimersByTimeAsync(1)
  expect(server.stop).toHaveBeenCalledOnce()
  expect(exit).toHaveBeenCalledOnce()
})

test.each([
  ['now', 60],
  ['drain', 0],
] as const)('%s with %i seconds waits for nothing', async (signal, seconds) => {
  const { shutdown, server, exit } = setUp(seconds)
  await shutdown.started(server)
  shutdown[signal]()
  await vi.advanceTimersByTimeAsync(1)
  expect(server.drain).not.toHaveBeenCalled()
  expect(exit).toHaveBeenCalledOnce()
})

test('a signal during startup stops the server once it has started', async () => {
  const { shutdown, server, exit } = setUp(60, Promise.resolve())
  shutdown.drain()
  expect(exit).not.toHaveBeenCalled()
  expect(await shutdown.started(server)).toBe(true)
  expect(server.stop).toHaveBeenCalledOnce()
})

test('the server stops even if waiting for stages fails', async () => {
  const { shutdown, server, exit, said } = setUp(60, Promise.reject(new Error('no database')))
  await shutdown.started(server)
  shutdown.drain()
  await vi.advanceTimersByTimeAsync(1)
  expect(exit).toHaveBeenCalledOnce()
  expect(said.join()).toContain('no database')
})

test('a server that does not stop exits after 20 seconds with a message', async () => {
  const { shutdown, server, exit, said } = setUp(60, Promise.resolve())
  server.stop.mockReturnValue(new Promise(() => undefined))
  await shutdown.started(server)
  shutdown.now()
  await vi.advanceTimersByTimeAsync(19_000)
  expect([exit.mock.calls.length, said.length]).toEqual([0, 0])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(exit).toHaveBeenCalledOnce()
  expect(said.join()).toContain('did not stop within 20 seconds')
})
