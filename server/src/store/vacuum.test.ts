import { statSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openStore } from './open.ts'
import { saveSetting } from './settings.ts'
import { compactDatabase } from './vacuum.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-vacuum-'))
  path = join(folder, 'db.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The size without the write-ahead log. */
function sizeOf(): number {
  const raw = new DatabaseSync(path)
  raw.exec('pragma wal_checkpoint(passive)')
  raw.close()
  return statSync(path).size
}

const never = new AbortController().signal

/** Inserts four megabytes of rows and deletes all of them. */
async function fillAndRemove(): Promise<void> {
  const store = openStore(path)
  for (let i = 0; i < 40; i++) await saveSetting(store.db, `large ${i}`, 'x'.repeat(100_000))
  await store.db.deleteFrom('settings').where('setting_name', 'like', 'large %').execute()
  await store.close()
}

test('the space of removed rows is returned to the disk', async () => {
  await fillAndRemove()
  const before = sizeOf()
  const store = openStore(path)
  await saveSetting(store.db, 'small', 'kept')
  await store.releaseSpace(never)
  await store.close()
  expect(before).toBeGreaterThan(3_500_000)
  expect(sizeOf()).toBeLessThan(before / 4)
  const raw = new DatabaseSync(path)
  expect(raw.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  raw.close()
})

test('never runs inside a transaction of another caller', async () => {
  await fillAndRemove()
  const before = sizeOf()
  const store = openStore(path)
  let open = true
  const writing = store.db.transaction().execute(async (tx) => {
    await saveSetting(tx, 'one', '1')
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    open = false
    throw new Error('rolled back')
  })
  const releasing = store.releaseSpace(never).then(() => expect(open).toBe(false))
  await expect(writing).rejects.toThrow('rolled back')
  await releasing
  await store.close()
  expect(sizeOf()).toBeLessThan(before / 4)
})

test('a database of an older version keeps its pages until it is compacted @system', async () => {
  const old = new DatabaseSync(path)
  migrate(old)
  old.close()
  await fillAndRemove()
  const before = sizeOf()
  let store = openStore(path)
  await store.releaseSpace(never)
  await store.close()
  expect(sizeOf()).toBe(before)
  compactDatabase(path)
  expect(sizeOf()).toBeLessThan(before / 4)
  await fillAndRemove()
  store = openStore(path)
  await store.releaseSpace(never)
  await store.close()
  expect(sizeOf()).toBeLessThan(before / 4)
})

test('a signal ends it', async () => {
  await fillAndRemove()
  const before = sizeOf()
  const store = openStore(path)
  await store.releaseSpace(AbortSignal.abort())
  await store.close()
  expect(sizeOf()).toBe(before)
})
