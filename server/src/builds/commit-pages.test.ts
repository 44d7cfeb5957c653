/** Caching of commit pages, which anyone with read access can request. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CommitFile } from '@flightdeck/api'
import type { GitReader } from '../interfaces/git.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { createCommitReader, type CommitReader } from './commit-reader.ts'
import { createFairSemaphore } from './fair-semaphore.ts'

let context: TestContext
let reader: CommitReader
let sha = ''
/** What git was asked, in order. */
let asked: string[] = []
let files: CommitFile[] = []
beforeEach(async () => {
  context = await openContext()
  sha = context.history.commit(null, 'Message')
  asked = []
  files = [{ change: 'modified', path: 'a.txt' }]
  const { git } = context.ci
  const counted: GitReader = {
    ...git,
    resolve: async (path, name) => {
      asked.push(`resolve ${name}`)
      return git.resolve(path, name)
    },
    commit: async (path, name) => {
      asked.push(`commit ${name}`)
      return git.commit(path, name)
    },
    changes: async () => ({ parents: [], files, total: files.length }),
  }
  const ci = { db: context.db, git: counted, now: () => context.clock.now }
  reader = createCommitReader(ci, createFairSemaphore({ concurrency: 2, maxWaiting: 40 }))
})
afterEach(() => context.close())
const read = (name: string) => reader.details(context.repo, name)
/** How often a commit was read that was not kept. */
const reads = () => asked.filter((one) => one.startsWith('commit')).length

it('a commit is kept for a minute, and by its name no process is needed', async () => {
  expect(await read(sha)).toMatchObject({ sha, message: 'Message', files, total: 1 })
  asked = []
  context.clock.now += 59
  await read(sha)
  expect(asked).toEqual([])
  // A request by ref uses the cache, too.
  await read('refs/heads/main')
  expect(asked).toEqual(['resolve refs/heads/main'])
  context.clock.now += 1
  await read(sha)
  expect(asked).toEqual(['resolve refs/heads/main', `resolve ${sha}`, `commit ${sha}`])
})

it('concurrent requests for the same commit share one answer, and no other commit’s', async () => {
  const [first, second] = await Promise.all([read(sha), read(sha), reader.sha(context.repo, sha)])
  expect(second).toBe(first)
  expect(asked.toSorted()).toEqual([`commit ${sha}`, `resolve ${sha}`, `resolve ${sha}`])
  expect(await reader.sha(context.repo, 'refs/heads/main')).toBe(sha)
})

it('another repository’s commit is another one', async () => {
  await read(sha)
  await expect(reader.details({ ...context.repo, id: 99 }, sha)).rejects.toMatchObject({ status: 404 })
})

it('what is not there is a 404, each time', async () => {
  for (const times of [1, 2]) {
    await expect(read('refs/heads/gone')).rejects.toMatchObject({ status: 404, message: 'Commit not found' })
    await expect(reader.sha(context.repo, 'refs/heads/gone')).rejects.toMatchObject({ status: 404 })
    expect(asked).toHaveLength(2 * times)
  }
})

it('no more is kept than some megabytes: the oldest is forgotten first', async () => {
  files = Array.from({ length: 1_000 }, () => ({ change: 'added', path: 'x'.repeat(4_000) }))
  const shas = Array.from({ length: 5 }, (_, index) => context.history.commit(null, `${index}`))
  for (const one of shas.slice(0, 4)) await read(one)
  for (const one of shas.slice(0, 4)) await read(one)
  expect(reads()).toBe(4)
  await read(shas[4] ?? '')
  for (const one of shas.slice(1)) await read(one)
  expect(reads()).toBe(5)
  await read(shas[0] ?? '')
  expect(reads()).toBe(6)
})

it('a commit that is read again counts once', async () => {
  files = Array.from({ length: 1_000 }, () => ({ change: 'added', path: 'x'.repeat(4_000) }))
  const others = Array.from({ length: 3 }, (_, index) => context.history.commit(null, `${index}`))
  for (let times = 0; times < 5; times += 1) {
    await read(sha)
    context.clock.now += 60
  }
  await read(sha)
  for (const one of others) await read(one)
  const before = reads()
  for (const one of [sha, ...others]) await read(one)
  expect(reads()).toBe(before)
})
