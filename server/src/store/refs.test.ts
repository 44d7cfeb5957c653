import { afterEach, beforeEach, expect, test } from 'vitest'
import { countLoopTurns } from '../testing/event-loop-during.ts'
import { openStore, type Store } from './open.ts'
import { advanceRef, deleteMarker, listRefs, markerRef, replaceRefs, setRefs } from './refs.ts'
import { createRepo } from './repos.ts'

let store: Store
let id: number
beforeEach(async () => {
  store = openStore(':memory:')
  const names = { uid: 'acme/web', namespace: 'acme', name: 'web', path: '/srv/web' }
  id = (await createRepo(store.db, { ...names, default_branch: 'main', visibility: 'private', now: 1 })).id
})
afterEach(() => store.close())

function* many(count: number): Generator<[string, string]> {
  for (let index = 0; index < count; index += 1) yield [`refs/heads/b${index}`, 'a']
}

test('many refs are read from the iterable in batches', async () => {
  await replaceRefs(store.db, id, new Map([[markerRef, 'seen']]), 1)
  let turns = 0
  function* noted() {
    let isCounted = true
    for (const ref of many(20_000)) {
      if (isCounted) {
        isCounted = false
        setImmediate(() => {
          turns += 1
          isCounted = true
        })
      }
      yield ref
    }
  }
  await setRefs(store.db, id, noted(), 1)
  expect(turns).toBeGreaterThan(10)
  expect((await listRefs(store.db, id)).size).toBe(20_001)
})

test('many refs are deleted in batches, and none remains', async () => {
  await replaceRefs(store.db, id, new Map([[markerRef, 'seen'], ...many(20_500)]), 1)
  expect(await countLoopTurns(() => replaceRefs(store.db, id, null, 1))).toBeGreaterThanOrEqual(20)
  expect((await listRefs(store.db, id)).size).toBe(0)
})

/** The number of other queries that finished before the work was done. */
async function queriesDuring(work: () => Promise<unknown>): Promise<number> {
  let queries = 0
  const over = new AbortController()
  const done = work().finally(() => over.abort())
  while (!over.signal.aborted) {
    await listRefs(store.db, id + 1)
    queries += 1
  }
  await done
  return queries
}

test('other queries run while many refs are replaced @system', async () => {
  const refs = new Map([[markerRef, 'seen'], ...many(20_500)])
  expect(await queriesDuring(() => replaceRefs(store.db, id, refs, 1))).toBeGreaterThanOrEqual(20)
  expect(await queriesDuring(() => replaceRefs(store.db, id, refs, 1))).toBeGreaterThanOrEqual(40)
  expect(await queriesDuring(() => replaceRefs(store.db, id, null, 1))).toBeGreaterThanOrEqual(20)
})

test('a repository counts as checked only after all its refs are stored', async () => {
  const refs = new Map([[markerRef, 'seen'], ...many(5_500)])
  await replaceRefs(
    store.db,
    id,
    new Map([
      [markerRef, 'seen'],
      ['refs/heads/old', 'a'],
    ]),
    1,
  )
  const sizes = new Set<number>()
  const over = new AbortController()
  const done = replaceRefs(store.db, id, refs, 1).finally(() => over.abort())
  while (!over.signal.aborted) {
    const known = await listRefs(store.db, id)
    if (known.has(markerRef)) sizes.add(known.size)
  }
  await done
  for (const size of sizes) expect([2, 5_501]).toContain(size)
  expect(await listRefs(store.db, id)).toEqual(refs)
})

test('of concurrent replacements, the last one is stored completely', async () => {
  const refs = (sha: string, count: number) =>
    new Map([[markerRef, 'seen'], ...[...many(count)].map(([name]) => [name, sha] as const)])
  await Promise.all([
    replaceRefs(store.db, id, refs('a', 4_500), 1),
    replaceRefs(store.db, id, null, 1),
    replaceRefs(store.db, id, refs('b', 2_500), 1),
  ])
  expect(await listRefs(store.db, id)).toEqual(refs('b', 2_500))
})

test('no ref can be advanced in a repository that counts as never checked', async () => {
  const move = (before: string) =>
    advanceRef(store.db, id, { ref: `refs/heads/${before || 'new'}`, before, after: 'b' }, 1)
  await replaceRefs(
    store.db,
    id,
    new Map([
      [markerRef, 'seen'],
      ['refs/heads/a', 'a'],
    ]),
    1,
  )
  await deleteMarker(store.db, id)
  expect([await move(''), await move('a')]).toEqual([false, false])
  await replaceRefs(
    store.db,
    id,
    new Map([
      [markerRef, 'seen'],
      ['refs/heads/a', 'a'],
    ]),
    1,
  )
  expect([await move(''), await move('a')]).toEqual([true, true])
})
