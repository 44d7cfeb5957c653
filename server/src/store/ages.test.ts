/** Databases of every age: each list of migrations that was ever the newest. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, schemaVersion } from './migrate.ts'
import { copyBeforeMigration } from './migration-copy.ts'
import { migrations } from './migrations.ts'
import { openStore } from './open.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Column {
  name: string
  type: string
  pk: number
}

const tablesOf = (raw: DatabaseSyncInstance): string[] =>
  (
    raw.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all() as {
      name: string
    }[]
  )
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_'))

/** A row in each table, all about the same things: every key is 1. */
function fill(raw: DatabaseSyncInstance): void {
  raw.exec('pragma foreign_keys = off; begin')
  for (const table of tablesOf(raw)) {
    const columns = raw.prepare(`pragma table_info(${table})`).all() as unknown as Column[]
    const cells = columns.map(({ type }) => (type === 'INTEGER' ? 1 : type === 'BLOB' ? new Uint8Array(1) : '1'))
    raw.prepare(`insert or ignore into ${table} values (${cells.map(() => '?').join()})`).run(...cells)
  }
  raw.exec('commit')
}

const count = (raw: DatabaseSyncInstance, table: string): number =>
  (raw.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n

function schemaOf(raw: DatabaseSyncInstance): unknown[] {
  return tablesOf(raw)
    .toSorted()
    .map((table) => [
      table,
      (raw.prepare(`pragma table_info(${table})`).all() as unknown as Column[]).map(({ name }) => name).toSorted(),
      (raw.prepare(`pragma index_list(${table})`).all() as { name: string }[]).map(({ name }) => name).toSorted(),
    ])
}

it.each(migrations.map((_, index) => index + 1))('a database of %i migrations becomes one of today', async (age) => {
  const path = join(folder, `age-${age}.db`)
  const old = new DatabaseSync(path)
  old.exec('pragma journal_mode = wal')
  migrate(old, migrations.slice(0, age))
  fill(old)
  const before = new Map(tablesOf(old).map((table) => [table, count(old, table)]))
  expect(before.get('builds')).toBe(1)
  old.close()

  const copy = await copyBeforeMigration(path)
  await openStore(path).close()

  const raw = new DatabaseSync(path)
  expect(raw.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(raw.prepare('pragma foreign_key_check').all()).toEqual([])
  const fresh = new DatabaseSync(':memory:')
  migrate(fresh)
  expect(schemaOf(raw)).toEqual(schemaOf(fresh))
  for (const table of ['repos', 'builds', 'stages', 'steps', 'users']) expect(count(raw, table), table).toBe(1)
  raw.close()

  if (age === migrations.length) expect(copy).toBeNull()
  else {
    const kept = new DatabaseSync(copy ?? '')
    expect(schemaVersion(kept)).toBe(age)
    expect(count(kept, 'builds')).toBe(1)
    kept.close()
  }
})

it('keeps the newest copy only, none of a new database and none of a newer one', async () => {
  const path = join(folder, 'copies.db')
  expect(await copyBeforeMigration(path)).toBeNull()
  writeFileSync(path, '')
  expect(await copyBeforeMigration(path)).toBeNull()
  const raw = new DatabaseSync(path)
  migrate(raw, migrations.slice(0, 2))
  raw.close()
  expect(await copyBeforeMigration(path, 3)).toBe(`${path}.schema-2`)
  const next = new DatabaseSync(path)
  migrate(next, migrations.slice(0, 3))
  next.close()
  expect(await copyBeforeMigration(path, 4)).toBe(`${path}.schema-3`)
  expect(readdirSync(folder).filter((name) => name.startsWith('copies.db.'))).toEqual(['copies.db.schema-3'])
  expect(await copyBeforeMigration(path, 2)).toBeNull()
  expect(existsSync(`${path}.schema-3`)).toBe(true)
})
