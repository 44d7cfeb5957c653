import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTransaction, openStore, type Db, type Store } from '../store/open.ts'
import { findBuild } from '../store/builds.ts'
import { runYielding, shouldQueryYield, shouldYield, yieldToEventLoop } from './event-loop.ts'

let store: Store
beforeEach(() => {
  store = openStore(':memory:')
})
afterEach(() => store.close())

/**
 * Whether other work on the event loop ran before `step` was done so many times, one after the
 * other.
 */
async function lets(most: number, step: () => Promise<unknown>): Promise<boolean> {
  const others = new AbortController()
  setImmediate(() => others.abort())
  for (let done = 0; done < most && !others.signal.aborted; done += 1) await step()
  return others.signal.aborted
}
const work = (milliseconds: number) => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

test('queries one after the other let others come in between', async () => {
  const ask = (db: Db) => () => findBuild(db, 1)
  expect(await lets(50_000, ask(store.db))).toBe(true)
  expect(await inTransaction(store.db, (tx) => lets(50_000, ask(tx)))).toBe(true)
})

test('many small parts share a turn', async () => {
  let turns = 0
  let over = false
  const count = () => {
    turns += 1
    if (!over) setImmediate(count)
  }
  count()
  await Promise.all(Array.from({ length: 20 }, () => runYielding(() => work(4))))
  over = true
  // Not all twenty in one turn.
  expect(turns).toBeGreaterThan(5)
})

test('many waiting parts are checked once or twice each, not in every turn @system', async () => {
  const many = 400
  const done: number[] = []
  let asked = 0
  const clock = performance.now.bind(performance)
  const part = () => {
    for (const end = clock() + 1; clock() < end;);
  }
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    asked += 1
    return clock()
  })
  const all = Array.from({ length: many }, async (_, number) => {
    if (number % 2) await yieldToEventLoop()
    else await runYielding(() => undefined)
    part()
    done.push(number)
  })
  await Promise.all(all)
  spy.mockRestore()
  // At the door, in the line, and at most one turn for each.
  expect(asked).toBeLessThan(many * 4)
  expect(new Set(done).size).toBe(many)
  await expect(runYielding(() => expect.fail('no'))).rejects.toThrow('no')
})

test('what goes to many sockets is handed over in parts', async () => {
  const megabyte = 1024 * 1024
  expect(await lets(50, () => yieldToEventLoop(megabyte))).toBe(true)
  // A request larger than the limit runs alone.
  await yieldToEventLoop(100 * megabyte)
})

test('a part above the limit does not wait for an otherwise unused turn', async () => {
  let isOver = false
  const askFirst = () => {
    shouldYield()
    if (!isOver) setImmediate(askFirst)
  }
  askFirst()
  let turns = 0
  const count = () => {
    turns += 1
    if (turns < 1_000 && !isOver) setImmediate(count)
  }
  count()
  await yieldToEventLoop(100 * 1024 * 1024)
  isOver = true
  expect(turns).toBeLessThan(10)
})

test('a query waits neither a turn behind a large part, nor for ever behind many', async () => {
  await yieldToEventLoop()
  work(20)
  expect(shouldYield()).toBe(true)
  expect(shouldQueryYield()).toBe(false)
  work(20)
  expect(shouldQueryYield()).toBe(true)
})
