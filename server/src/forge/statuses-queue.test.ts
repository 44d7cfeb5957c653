/** When a status is sent again. */
import { describe, expect, it, vi } from 'vitest'
import { findForgeRepo } from '../store/forge-repos.ts'
import { listDueStatuses, putStatus, statusFailed } from '../store/statuses.ts'
import { openForgeBench, repository, shaOf } from '../testing/forge-bench.ts'
import { ForgeError } from './driver.ts'
import { nextAttempt, startStatuses } from './statuses-queue.ts'

describe('a status that the forge does not take', () => {
  it('is repeated later and later, as the forge asks, and never where it was refused', () => {
    const down = new ForgeError('unavailable', 'Down.')
    expect([0, 1, 2, 20].map((attempts) => nextAttempt(down, attempts, 100) - 100)).toEqual([5, 10, 20, 1800])
    expect(nextAttempt(new ForgeError('rate-limited', 'Later.', { retryAfterMs: 60_000 }), 0, 100)).toBe(160)
    expect(nextAttempt(new ForgeError('refused', 'No.', { status: 422 }), 0, 100)).toBe(0)
    expect(nextAttempt(down, 200, 100)).toBe(0)
  })
})

it('statuses of an outage are sent with the first one that the forge accepts again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bench = openForgeBench()
  const { db, world } = bench
  const forge = { ...bench.forge, driver: { ...bench.forge.driver } }
  const ann = await bench.signedIn('ann')
  world.repositories = [repository('11', 'acme/web')]
  await bench.sync(ann)
  const { id } = (await findForgeRepo(db, '11')) ?? expect.fail('not there')
  const put = (sha: string) => {
    const texts = { state: 'success', description: '', url: '', ref: 'main', deployment: '', environment: '' }
    return putStatus(db, { repoId: id, buildId: 1, sha, context: 'ci/push', ...texts }, world.clock)
  }
  await put(shaOf('a'))
  const [old] = await listDueStatuses(db, world.clock, 1)
  // It has waited for hours, and would for half an hour more.
  await statusFailed(db, old ?? expect.fail('no status'), world.clock + 1_800, 'Down.')
  await put(shaOf('b'))
  const sent: string[] = []
  let isDown = true
  forge.driver.setStatus = async (_token, _repo, sha) => {
    if (isDown) throw new ForgeError('unavailable', 'Down.')
    sent.push(sha)
  }
  const statuses = startStatuses(forge)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await vi.advanceTimersByTimeAsync(1_000)
  }
  await until(() => world.logged.length > 0)
  isDown = false
  world.clock += 5
  await until(() => sent.length === 2)
  expect(sent).toEqual([shaOf('b'), shaOf('a')])
  await statuses.stop()
  vi.useRealTimers()
  await bench.close()
})
