import { afterEach, beforeEach, expect, test } from 'vitest'
import { turnsDuring } from '../testing/event-loop-during.ts'
import { openStore, type Store } from './open.ts'
import { listRefs, markerRef, replaceRefs, setRefs } from './refs.ts'
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

test('very many are taken as they are needed, not all at once', async () => {
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

test('very many are forgotten in parts, and none is left', async () => {
  await replaceRefs(store.db, id, new Map([[markerRef, 'seen'], ...many(20_500)]), 1)
  expect(await turnsDuring(() => replaceRefs(store.db, id, null, 1))).toBeGreaterThanOrEqual(20)
  expect((await listRefs(store.db, id)).size).toBe(0)
})
