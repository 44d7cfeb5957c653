import { expect, test, vi } from 'vitest'
import { createAccountSweeper } from './account-sweeper.ts'

/** Runs that end when the test says so. */
function heldRuns() {
  const runs: { uids: readonly number[]; end: () => void }[] = []
  const remove = (uids: readonly number[]) => new Promise<void>((end) => runs.push({ uids, end }))
  return { runs, remove, uids: () => runs.map(({ uids }) => uids) }
}

test('accounts that wait share one run, and each hears when it is over', async () => {
  const { runs, remove, uids } = heldRuns()
  const sweeper = createAccountSweeper(remove)
  const done: number[] = []
  const swept = [1, 2, 3].map((uid) => sweeper.sweep(uid).then(() => done.push(uid)))
  expect(uids()).toEqual([[1]])
  runs[0]?.end()
  await swept[0]
  expect(done).toEqual([1])
  // A close ends the pause.
  const closed = sweeper.close()
  await vi.waitFor(() => expect(uids()).toEqual([[1], [2, 3]]))
  expect(done).toEqual([1])
  runs[1]?.end()
  await Promise.all([closed, ...swept])
  expect(done).toEqual([1, 2, 3])
})

test('the first run waits for further accounts, but not after a close', async () => {
  const { runs, remove, uids } = heldRuns()
  const sweeper = createAccountSweeper(remove, { gatherMs: 3_600_000 })
  const swept = [1, 2].map((uid) => sweeper.sweep(uid))
  expect(uids()).toEqual([])
  const closed = sweeper.close()
  await vi.waitFor(() => expect(uids()).toEqual([[1, 2]]))
  runs[0]?.end()
  await Promise.all([closed, ...swept])
})
