import { beforeEach, expect, test } from 'vitest'
import { createJobQueue, type JobQueue } from './job-queue.ts'

const tooExpensive = new Error('too expensive')
let now: number
let queue: JobQueue
/** What runs or ran, in the order of its start: `repository/name@thread`. */
let started: string[]
let ends: Map<string, { done: () => void; fail: (error: Error) => void }>

beforeEach(() => {
  now = 0
  started = []
  ends = new Map()
  queue = createJobQueue({
    threads: 2,
    isTooExpensive: (error) => error === tooExpensive,
    suspectMs: 1_000,
    now: () => now,
  })
})

function ask(repoId: number, name: string): Promise<string> {
  return queue.run(repoId, (thread) => {
    started.push(`${repoId}/${name}@${thread}`)
    return new Promise<string>((resolve, reject) => ends.set(name, { done: () => resolve(name), fail: reject }))
  })
}
const settled = () => new Promise((resolve) => setImmediate(resolve))
async function end(name: string, error?: Error): Promise<void> {
  const { done, fail } = ends.get(name) ?? {}
  if (error) fail?.(error)
  else done?.()
  await settled()
}

test('one job of a repository at a time, in the order of the calls', async () => {
  const answers = Promise.all([ask(1, 'a'), ask(1, 'b'), ask(1, 'c')])
  expect(started).toEqual(['1/a@0'])
  expect(queue.waiting(1)).toBe(2)
  for (const name of ['a', 'b', 'c']) await end(name)
  expect(started).toEqual(['1/a@0', '1/b@0', '1/c@0'])
  expect(await answers).toEqual(['a', 'b', 'c'])
  expect(queue.waiting(1)).toBe(0)
})

test('repositories take turns', async () => {
  for (const name of ['a', 'b', 'c']) void ask(1, name)
  void ask(2, 'd')
  void ask(3, 'e')
  void ask(3, 'f')
  expect(started).toEqual(['1/a@0', '2/d@1'])
  await end('a')
  await end('e')
  await end('b')
  expect(started).toEqual(['1/a@0', '2/d@1', '3/e@0', '1/b@0', '3/f@0'])
})

test('repositories whose files timed out share one thread for some time', async () => {
  for (const repoId of [1, 2]) ask(repoId, `bad ${repoId}`).catch(() => {})
  await end('bad 1', tooExpensive)
  await end('bad 2', tooExpensive)
  started = []
  void ask(1, 'a')
  void ask(2, 'b')
  void ask(3, 'c')
  expect(started).toEqual(['1/a@0', '3/c@1'])
  await end('c')
  expect(started).toHaveLength(2)
  await end('a')
  expect(started).toEqual(['1/a@0', '3/c@1', '2/b@0'])
  await end('b')
  now = 1_001
  started = []
  void ask(1, 'd')
  void ask(2, 'e')
  expect(started).toEqual(['1/d@0', '2/e@1'])
})

test('an error reaches its caller and slows no repository down', async () => {
  const answers = [ask(1, 'a'), ask(2, 'b')]
  const failure = new Error('no such file')
  const told = Promise.all(answers.map((answer) => expect(answer).rejects.toBe(failure)))
  await end('a', failure)
  await end('b', failure)
  await told
  started = []
  void ask(1, 'c')
  void ask(2, 'd')
  expect(started).toHaveLength(2)
})
