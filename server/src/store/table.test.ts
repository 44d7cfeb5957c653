/**
 * Checks that the tables of entities match the database, and that a forgotten field does not
 * compile.
 */
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { migrations } from './migrations.ts'
import { defineTable, fixed, flag, id, list, map, named, number, optional, text } from './table.ts'
import { builds } from './tables/builds.ts'
import { cron } from './tables/cron.ts'
import { repos } from './tables/repos.ts'
import { orgSecrets, secrets } from './tables/secrets.ts'
import { stages } from './tables/stages.ts'
import { steps } from './tables/steps.ts'
import { users } from './tables/users.ts'

const tables = { builds, cron, repos, orgsecrets: orgSecrets, secrets, stages, steps, users }

it.each(Object.entries(tables))('%s has the columns that the migrations create', (name, { columns }) => {
  const db = new DatabaseSync(':memory:')
  for (const migration of migrations) db.exec(migration)
  const made = db.prepare(`select name from pragma_table_info('${name}')`).all() as { name: string }[]
  expect(new Set<string>(columns)).toEqual(new Set(made.map((column) => column.name)))
})

interface Thing {
  id: number
  name: string
  open: boolean
  owner_id: number
  limit?: number
  note?: string
  quiet?: boolean
  tags?: string[]
  labels?: Record<string, string>
  /** Not stored in a column. */
  parts?: Thing[]
}
const things = defineTable<Thing, 'parts'>()(
  'thing',
  {
    id: id(),
    name: fixed(text()),
    open: flag(),
    owner_id: named('thing_owner', number()),
    limit: optional.number(),
    note: optional.text(),
    quiet: optional.flag(),
    tags: list<string>(),
    labels: map(),
  },
  { secret: text() },
)
const full = {
  name: 'a',
  open: true,
  owner_id: 3,
  limit: 2,
  note: 'n',
  quiet: true,
  tags: ['x'],
  labels: { b: '1', a: '2' },
}
const empty = { name: '', open: false, owner_id: 0 }

it('reads what it wrote, and omits empty fields, with the keys in the order of the columns', () => {
  const row = { thing_id: 7, ...things.toRow(full, { secret: 's' }) }
  expect(row).toMatchObject({ thing_owner: 3, thing_open: 1, thing_labels: '{"a":"2","b":"1"}', thing_secret: 's' })
  const entity = things.toEntity(row)
  expect(entity).toEqual({ id: 7, ...full })
  expect(Object.keys(entity).join(' ')).toBe('id name open owner_id limit note quiet tags labels')
  expect(things.toEntity({ thing_id: 8, ...things.toRow({ ...empty, tags: [], labels: {} }, { secret: '' }) })).toEqual(
    {
      id: 8,
      ...empty,
    },
  )
})

it('sets all changeable fields, and changes only the given ones', () => {
  expect(things.set({ ...full, limit: undefined })).toMatchObject({ thing_open: 1, thing_limit: 0, thing_owner: 3 })
  expect(Object.keys(things.set(full))).not.toContain('thing_name')
  expect(Object.keys(things.set(full))).not.toContain('thing_id')
  expect(things.change({ open: false, note: undefined })).toEqual({ thing_open: 0 })
  expect(things.change({ owner_id: 4 })).toEqual({ thing_owner: 4 })
})

it('does not compile with a missing or an extra column', () => {
  interface Pair {
    on: boolean
    size?: number
  }
  // @ts-expect-error -- `on` has no column
  defineTable<Pair>()('pair', { size: optional.number() }, {})
  // @ts-expect-error -- there is no key `colour`
  defineTable<Pair>()('pair', { on: flag(), size: optional.number(), colour: text() }, {})
  // @ts-expect-error -- `on` is always there
  defineTable<Pair>()('pair', { on: optional.flag(), size: optional.number() }, {})
  // @ts-expect-error -- another type
  defineTable<Pair>()('pair', { on: text(), size: optional.number() }, {})
  // @ts-expect-error -- a new row needs all internal columns
  expect(things.toRow(full, {})).toBeDefined()
})
