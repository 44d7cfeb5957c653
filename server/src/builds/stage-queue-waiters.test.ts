/** Runners that wait for work, and which stages they get (docs/api §5.4), by the queue alone. */
import type { Stage } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findStage, updateStage } from '../store/stages.ts'
import { never } from '../testing/test-bench.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { createQueue, type Queue } from './stage-queue.ts'

const exec = { kind: 'pipeline', type: 'exec' }
let context: TestContext
let queue: Queue
let changes = 0
beforeEach(async () => {
  context = await openContext()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  changes = 0
  queue = createQueue(context.db, () => void (changes += 1))
})
afterEach(async () => {
  queue.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
  await context.close()
})

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
/** What a runner has been given by now: a name, `null`, or nothing yet. */
const ask = (signal = never) => {
  const runner: { has: string | null | undefined; stage: Stage | null } = { has: undefined, stage: null }
  void queue.request(exec, signal).then((stage) => {
    runner.has = stage && stage.name
    runner.stage = stage
  })
  return runner
}
const add = async (...names: string[]) => {
  await context.build(names.map((name) => ({ name })))
  queue.poke()
  await settled()
}

it('what was handed out is kept for 10 s, and then another’s', async () => {
  const first = ask()
  await add('a')
  expect(first.has).toBe('a')
  const second = ask()
  vi.advanceTimersByTime(9_999)
  await settled()
  expect(second.has).toBeUndefined()
  vi.advanceTimersByTime(1)
  await settled()
  expect(second.has).toBe('a')
})

it('what will not be taken is the next one’s at once', async () => {
  const first = ask()
  await add('a')
  queue.release(first.stage?.id ?? 0)
  const second = ask()
  await settled()
  expect(second.has).toBe('a')
})

it('a taken stage is offered to no other runner, also after 10 s', async () => {
  const first = ask()
  await add('a')
  const stage = await findStage(context.db, first.stage?.id ?? 0)
  if (stage) await updateStage(context.db, { ...stage, machine: 'm' })
  queue.release(first.stage?.id ?? 0)
  expect(vi.getTimerCount()).toBe(0)
  const second = ask()
  vi.advanceTimersByTime(20_000)
  await settled()
  expect(second.has).toBeUndefined()
})

it('one check serves all waiting runners, in order', async () => {
  const runners = [ask(), ask(), ask()]
  await add('a', 'b')
  expect(runners.map(({ has }) => has)).toEqual(['a', 'b', undefined])
})

it('different filters have lines of their own', async () => {
  const exec1 = ask()
  const docker: { has?: string | null } = {}
  void queue.request({ kind: 'pipeline', type: 'docker' }, never).then((stage) => (docker.has = stage && stage.name))
  const exec2 = ask()
  await context.build([{ name: 'a' }, { name: 'd', type: 'docker' }, { name: 'b' }])
  queue.poke()
  await settled()
  expect([exec1.has, docker.has, exec2.has]).toEqual(['a', 'd', 'b'])
})

it('a runner that leaves gets nothing, and one that is already gone does not wait', async () => {
  const gone = new AbortController()
  const left = ask(gone.signal)
  gone.abort()
  const late = ask(gone.signal)
  await add('a')
  expect([left.has, late.has]).toEqual([null, null])
  const next = ask()
  await settled()
  expect(next.has).toBe('a')
  // Aborting after that has no effect.
  const later = new AbortController()
  const served = ask(later.signal)
  await add('b')
  expect(served.has).toBe('b')
  later.abort()
  await settled()
  expect(served.has).toBe('b')
})

it('a pause hands out nothing, and its end hands out all', async () => {
  expect(queue.isPaused()).toBe(false)
  queue.pause()
  expect(queue.isPaused()).toBe(true)
  const runner = ask()
  await add('a')
  expect(runner.has).toBeUndefined()
  queue.resume()
  expect(queue.isPaused()).toBe(false)
  await settled()
  expect(runner.has).toBe('a')
})

it('each change notifies, since others may wait for something else now', async () => {
  queue.pause()
  expect(changes).toBe(1)
  queue.resume()
  expect(changes).toBe(2)
  queue.poke()
  expect(changes).toBe(3)
})

it('after an error it checks again in a second, without a request', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const runner = ask()
  await settled()
  await context.build([{ name: 'a' }])
  const broken = vi.spyOn(context.db, 'selectFrom').mockImplementation(() => expect.fail('no disk'))
  queue.poke()
  await settled()
  expect(said).toHaveBeenCalledOnce()
  broken.mockRestore()
  vi.advanceTimersByTime(999)
  await settled()
  expect(runner.has).toBeUndefined()
  vi.advanceTimersByTime(1)
  await settled()
  expect(runner.has).toBe('a')
})

it('a closed queue hands out nothing, answers no new runner, and leaves no timer', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const first = ask()
  await add('a')
  expect(first.has).toBe('a')
  const waiting = ask()
  await settled()
  queue.close()
  expect(vi.getTimerCount()).toBe(0)
  const late = ask()
  await add('b')
  expect([waiting.has, late.has]).toEqual([undefined, null])
  // A read that was running when the database closed is not an error.
  const other = createQueue(context.db)
  vi.spyOn(context.db, 'selectFrom').mockImplementation(() => expect.fail('closed'))
  void other.request(exec, never)
  other.close()
  await settled()
  expect(said).not.toHaveBeenCalled()
})
