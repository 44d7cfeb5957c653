import { afterEach, beforeEach, expect, it } from 'vitest'
import { never, openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { startDiskClock } from './disk-clock.ts'
import { createQueue } from './stage-queue.ts'

const filter = { kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64' }
let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

it('starts no stage while the disk is nearly full, also when the queue is resumed, and starts the waiting one afterwards', async () => {
  let problem: string | null = 'nearly full'
  const queue = createQueue(bench.db)
  const clock = startDiskClock({ queue, folder: bench.dir, findProblem: async () => problem })
  try {
    await expect.poll(() => queue.isHeld()).toBe(true)
    await bench.push(bench.commit(pipelines({ default: '' })))
    let isGiven = false
    const given = queue.request(filter, never)
    void given.then(() => (isGiven = true))
    queue.pause()
    queue.resume()
    await expect(queue.request(filter, AbortSignal.timeout(100))).resolves.toBeNull()
    expect(isGiven).toBe(false)
    problem = null
    expect((await given)?.name).toBe('default')
    expect(queue.isHeld()).toBe(false)
  } finally {
    await clock.stop()
    queue.close()
  }
})

it('holds nothing on a disk with space, or where the folder is gone', async () => {
  const held: boolean[] = []
  const queue = { setHeld: (isHeld: boolean) => void held.push(isHeld) }
  for (const folder of [bench.dir, `${bench.dir}/gone`]) await startDiskClock({ queue, folder }).stop()
  expect(held).toEqual([])
})

it('starts no stage while only the disk of workspaces is nearly full', async () => {
  const held: boolean[] = []
  const queue = { setHeld: (isHeld: boolean) => void held.push(isHeld) }
  const findProblem = async (folder: string) => (folder === '/tmp' ? 'nearly full' : null)
  for (const workspaces of [undefined, '/tmp'])
    await startDiskClock({ queue, folder: bench.dir, workspaces, findProblem }).stop()
  await expect.poll(() => held).toEqual([true])
})
