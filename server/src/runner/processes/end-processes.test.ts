import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { endProcesses } from './end-processes.ts'

afterEach(() => vi.useRealTimers())

test('setting the clock back does not extend the grace period', async () => {
  const child = spawn('/bin/sh', ['-c', 'trap : TERM; echo ready; while :; do sleep 0.05; done'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const over = once(child, 'exit')
  await once(child.stdout, 'data')
  // Stop the clock, which is the extreme case.
  vi.useFakeTimers({ toFake: ['Date'] })
  await endProcesses({ mark: 'of no process', leader: child.pid }, 100)
  expect(await over).toEqual([null, 'SIGKILL'])
})
