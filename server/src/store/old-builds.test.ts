/** What the migration assumes about builds of an older version. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

/** Inserts a row with a value in each column. */
function insert(raw: DatabaseSyncInstance, table: string, values: Record<string, string | number>): void {
  const columns = raw.prepare(`pragma table_info(${table})`).all() as { name: string; type: string }[]
  const cells = columns.map(({ name, type }) => values[name] ?? (type === 'INTEGER' ? 0 : ''))
  raw.prepare(`insert into ${table} values (${cells.map(() => '?').join()})`).run(...cells)
}

test('a waiting build stays gated; the origin of deployments and of unusual refs is guessed cautiously', () => {
  const raw = new DatabaseSync(':memory:')
  migrate(raw, migrations.slice(0, 1))
  insert(raw, 'repos', { repo_id: 1 })
  const builds = [
    ['push', 'refs/heads/main', 'blocked'],
    ['pull_request', 'refs/pull/1/head', 'declined'],
    ['promote', 'refs/heads/main', 'success'],
    ['custom', 'refs/heads/main', 'success'],
    ['custom', 'refs/pull/1/head', 'success'],
    ['cron', 'refs/tags/v1', 'success'],
  ] as const
  for (const [index, [event, ref, status]] of builds.entries()) {
    const id = index + 1
    insert(raw, 'builds', { build_id: id, build_repo_id: 1, build_number: id, build_event: event, build_ref: ref })
    insert(raw, 'stages', { stage_id: id, stage_build_id: id, stage_number: 1, stage_status: status })
  }
  migrate(raw, migrations.slice(0, 2))
  expect(raw.prepare('select build_origin as origin, build_gated as gated from builds').all()).toEqual([
    { origin: 'push', gated: 1 },
    { origin: 'pull_request', gated: 1 },
    { origin: 'push', gated: 0 },
    { origin: 'custom', gated: 0 },
    { origin: 'pull_request', gated: 0 },
    { origin: 'cron', gated: 0 },
  ])
  raw.close()
})
