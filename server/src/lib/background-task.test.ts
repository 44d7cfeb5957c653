import { expect, test } from 'vitest'
import { createBackgroundTask } from './background-task.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a stop asks the run to end, waits for it, and no other starts', async () => {
  const signals: AbortSignal[] = []
  let finish = () => {}
  const task = createBackgroundTask({
    run(signal) {
      signals.push(signal)
      return new Promise((resolve) => (finish = resolve))
    },
    onError: (error) => expect.fail(String(error)),
  })
  void task.start()
  // Never two runs at the same time.
  await task.start()
  let isStopped = false
  const stopped = task.stop().then(() => (isStopped = true))
  await turn()
  expect([signals[0]?.aborted, isStopped]).toEqual([true, false])
  finish()
  await stopped
  await task.start()
  expect(signals).toHaveLength(1)
})

test('a run that fails is reported, and the next one starts', async () => {
  const errors: unknown[] = []
  let runs = 0
  const task = createBackgroundTask({
    async run() {
      runs += 1
      throw new Error(`run ${runs}`)
    },
    onError: (error) => errors.push(error),
  })
  await task.start()
  await task.start()
  await task.stop()
  expect(errors.map(String)).toEqual(['Error: run 1', 'Error: run 2'])
})
