import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCommitReader } from './commit-reader.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { createGit } from '../source/git/git.ts'
import type { GitReader } from '../interfaces/git.ts'
import { openBench, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** The real git, counted. */
async function counted(limits = { concurrency: 2, maxWaiting: 40 }) {
  const { db, clock, repo } = bench
  const git = await createGit({ dataDir: bench.dir, own: [bench.source.path] })
  const counts = { calls: 0, running: 0, most: 0 }
  const count =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      counts.calls += 1
      counts.running += 1
      counts.most = Math.max(counts.most, counts.running)
      return work(...given).finally(() => (counts.running -= 1))
    }
  const watched: GitReader = {
    ...git,
    resolve: count((path: string, name: string) => git.resolve(path, name)),
    commit: count((path: string, sha: string) => git.commit(path, sha)),
    changes: count((path: string, sha: string) => git.changes(path, sha)),
  }
  const reader = createCommitReader({ db, git: watched, now: () => clock.now }, createFairSemaphore(limits))
  return { reader, repo, counts, clock }
}

test('a commit is read once, however many ask, and again after a minute', async () => {
  const sha = bench.source.commit({ a: '1' }, 'One')
  const { reader, repo, counts, clock } = await counted()
  const all = await Promise.all(Array.from({ length: 150 }, () => reader.details(repo, sha)))
  expect(all.every((details) => details.message.startsWith('One'))).toBe(true)
  expect(counts.calls).toBe(3)
  await reader.details(repo, sha)
  expect(counts.calls).toBe(3)
  clock.now += 60
  await reader.details(repo, sha)
  expect(counts.calls).toBe(6)
})

test('never more than two processes run, and a 503 refuses more than can wait @system', async () => {
  const shas = Array.from({ length: 9 }, (_, n) => bench.source.commit({ a: String(n) }, `Commit ${n}`))
  const { reader, repo, counts } = await counted({ concurrency: 2, maxWaiting: 4 })
  const outcomes = await Promise.allSettled(shas.map((sha) => reader.details(repo, sha)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  expect(refused).toHaveLength(3)
  for (const reason of refused) expect(reason).toMatchObject({ status: 503, retryAfter: 2 })
  expect(counts.most).toBe(2)
  // All slots are released: a later caller is served.
  expect((await reader.details(repo, shas[8] ?? '')).message).toContain('Commit 8')
})

test('a branch is read again each time, and an error is not cached @system', async () => {
  const first = bench.source.commit({ a: '1' }, 'One')
  const { reader, repo } = await counted()
  expect(await reader.sha(repo, 'refs/heads/main')).toBe(first)
  const second = bench.source.commit({ a: '2' }, 'Two')
  expect(await reader.sha(repo, 'refs/heads/main')).toBe(second)
  expect((await reader.details(repo, 'main')).sha).toBe(second)
  await expect(reader.details(repo, 'later')).rejects.toMatchObject({ status: 404 })
  bench.source.git('branch', 'later')
  expect((await reader.details(repo, 'later')).sha).toBe(second)
})
