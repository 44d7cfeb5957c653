/**
 * What is asked of git while others wait, or git itself is slow; the answers are tested at the
 * routes.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SourceReader } from '../interfaces/sources.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { createSourceFiles, linesAround } from './source-files.ts'
import { firstDifference } from './step-changes.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

async function opened(more: (real: SourceReader) => Partial<SourceReader>) {
  const { db, git, clock, repo } = bench
  bench.source.commit({ '.drone.yml': pipelines({ default: '' }), a: 'one\ntwo\n' }, 'One')
  await bench.push(bench.source.git('rev-parse', 'HEAD'))
  await bench.take()
  const sources = { ...git.sources, ...more(git.sources) }
  const gates = {
    files: createFairSemaphore({ concurrency: 1, maxWaiting: 1 }),
    authors: createFairSemaphore({ concurrency: 1, maxWaiting: 1 }),
  }
  const files = createSourceFiles({ db, git: { ...git, sources }, now: () => clock.now }, gates)
  const base = { repo, number: 1, stage: 1, step: 1 }
  return {
    files,
    base,
    ask: () => files.authors(base, { path: 'a', line: 1 }),
  }
}

test('the same lines are asked after once', async () => {
  let calls = 0
  const { ask } = await opened((real) => ({
    authors: (...of) => ((calls += 1), real.authors(...of)),
  }))
  const first = await ask()
  expect(first.lines).toEqual([0, 0])
  expect(await ask()).toEqual(first)
  expect(calls).toBe(1)
})

test('if git is too slow the lines come without authors, and git is not called for a minute @system', async () => {
  let calls = 0
  const { files, base, ask } = await opened(() => ({
    authors: async () => ((calls += 1), null),
  }))
  for (const _ of [1, 2]) expect(await ask()).toMatchObject({ from: 1, lines: [], commits: [] })
  expect(calls).toBe(1)
  bench.clock.now += 61
  await ask()
  expect(calls).toBe(2)
  expect(await files.file(base.repo, 1, { path: 'a', line: 1 })).toMatchObject({ lines: ['one', 'two'] })
})

test('an aborted request is no error, and too many are refused @system', async () => {
  const { files, base } = await opened(() => ({}))
  const gone = AbortSignal.abort()
  await expect(files.file(base.repo, 1, { path: 'a', line: 1 }, gone)).rejects.toMatchObject({ status: 503 })
  const all = await Promise.allSettled(
    Array.from({ length: 5 }, () => files.file(base.repo, 1, { path: 'a', line: 1 })),
  )
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test.each([
  ['nothing', '', 1, [1, 1, 1]],
  ['a line without an end', 'a', 1, [1, 1, 1]],
  ['a line', 'a\n', 7, [1, 1, 1]],
  ['two lines', 'a\nb', 2, [1, 2, 2]],
  ['two empty lines', '\n\n', 2, [1, 2, 2]],
  ['a hundred lines', 'x\n'.repeat(100), 50, [10, 90, 100]],
  ['a hundred lines', 'x\n'.repeat(100), 0, [1, 41, 100]],
  ['a hundred lines', 'x\n'.repeat(100), 999, [60, 100, 100]],
] as const)('the neighbours in %s', (_what, text, line, [from, to, total]) => {
  expect(linesAround(Buffer.from(text), line)).toMatchObject({
    from,
    to,
    total,
  })
})

test.each([
  ['a', 'b', 1],
  ['a\nb', 'a\nc', 2],
  ['a', 'a\nb', 2],
  ['a\nb', 'a', 2],
  ['a\n', 'a\nb', 2],
  ['a\n', 'a\n\n', 3],
  ['ab\n', 'a\n', 1],
  ['a\n\nb', 'a\n', 3],
  ['', '\n', 2],
  ['', 'a', 1],
])('%j and %j differ first in a line', (one, other, line) => {
  expect(firstDifference(one, other)).toBe(line)
})

/** Milliseconds; the best of some, because others may need the machine. */
const quickest = (work: () => void): number =>
  Math.min(
    ...Array.from({ length: 7 }, () => {
      const before = performance.now()
      work()
      return performance.now() - before
    }),
  )

test('a file of empty lines costs no more than another one of its size @system', () => {
  const [empty, long] = [10, 120].map((byte) => Buffer.alloc(2 * 1024 * 1024, byte))
  if (!empty || !long) expect.fail('no bytes')
  expect(quickest(() => linesAround(empty, 1))).toBeLessThan(10 * quickest(() => linesAround(long, 1)))
  const compare = (text: string) => quickest(() => firstDifference(`${text}a`, `${text}b`))
  expect(compare('\n'.repeat(1_000_000))).toBeLessThan(10 * compare('x'.repeat(1_000_000)))
})

test('a cached answer does not hold the whole output of git @system', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let calls = 0
  const { files, base } = await opened(() => ({
    find: async () => ({
      kind: 'file',
      path: 'a',
      bytes: Buffer.from('x\n'.repeat(200)),
    }),
    authors: async () => {
      calls += 1
      const said = Buffer.alloc(4_000_000, 'x').toString()
      return {
        lines: [0],
        commits: [
          {
            sha: 'a'.repeat(40),
            title: said.slice(0, 300),
            author: 'Ada',
            time: 0,
          },
        ],
      }
    },
  }))
  const before = used()
  for (let line = 60; line < 90; line += 1) await files.authors(base, { path: 'a', line })
  expect(calls).toBe(30)
  expect(used() - before).toBeLessThan(60_000_000)
})
