import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction, openStore, type Store } from './open.ts'
import { createDurability } from './durability.ts'
import { findSetting, saveSetting } from './settings.ts'

let folder: string
let store: Store
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'durability-'))
  store = openStore(join(folder, 'db.sqlite'))
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Whether it resolves without a turn of the event loop, in which a sync could have happened. */
async function isImmediate(promise: Promise<void>): Promise<boolean> {
  let done = false
  void promise.then(() => (done = true))
  for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
  return done
}

it('syncs once after writes, and not after reads or writes in memory', async () => {
  await store.durable()
  expect(await isImmediate(store.durable())).toBe(true)
  await findSetting(store.db, 'a')
  await store.db.deleteFrom('temp.changed_repos' as never).execute()
  expect(await isImmediate(store.durable())).toBe(true)
  await saveSetting(store.db, 'a', '1')
  const synced = store.durable()
  expect(await isImmediate(synced)).toBe(false)
  await synced
  expect(await isImmediate(store.durable())).toBe(true)
  await inTransaction(store.db, (tx) => saveSetting(tx, 'a', '2'))
  const again = store.durable()
  expect(await isImmediate(again)).toBe(false)
  await again
})

it('if the log cannot be synced, fails until the log is written into the database', async () => {
  const path = join(folder, 'other.sqlite')
  // A device cannot be synced.
  symlinkSync('/dev/null', `${path}-wal`)
  let checkpoints = 0
  const durability = createDurability(path, () => {
    checkpoints += 1
    if (checkpoints === 1) throw new Error('no space')
  })
  durability.committed()
  await expect(durability.synced()).rejects.toThrow('EINVAL')
  await expect(durability.synced()).rejects.toThrow('no space')
  await durability.synced()
  expect(checkpoints).toBe(2)
  await durability.close()
})
