import type { Build, BuildCounts } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuild, findBuildByNumber } from '../../store/builds.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let first: Omit<Build, 'id' | 'version'>
beforeAll(async () => {
  app = await createTestApp()
  const { db, repo } = app.bench
  await app.bench.push(app.bench.commit(pipelines({ default: '' })))
  const { id: _, version: __, ...build } = (await findBuildByNumber(db, repo.id, 1)) as Build
  first = { ...build, status: 'success' }
  const { id } = await app.addRepo('acme', 'counted')
  const rows: Partial<Build>[] = [
    { created: 100, started: 100, finished: 130 },
    { created: 200, started: 200, finished: 290, status: 'failure', author_login: 'Zoe' },
    { created: 300, started: 300, finished: 0, status: 'running', ref: 'refs/heads/next' },
    { created: 400, event: 'cron', cron: 'nightly' },
    { created: 500, event: 'cron', cron: 'nightly', status: 'failure' },
    { created: 600, event: 'promote', deploy_to: 'staging', message: 'Ship the Discount' },
  ]
  for (const [index, row] of rows.entries())
    await createBuild(db, { ...first, event: 'push', ref: 'refs/heads/main', ...row, repo_id: id, number: index + 1 })
})
afterAll(() => app.close())

const ask = (query: string, { repo = 'counted', as = 'boss' }: { repo?: string; as?: 'boss' | 'rae' | 'otto' } = {}) =>
  app.answer(`/api/repos/acme/${repo}/builds/counts?${query}`, { as })
const counts = async (query: string, repo?: string): Promise<BuildCounts> => {
  const [status, answer] = await ask(query, repo === undefined ? {} : { repo })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer as BuildCounts
}

describe('builds are counted', () => {
  it('in total, by status and by event', async () => {
    expect(await counts('')).toEqual({
      total: 6,
      capped: false,
      statuses: { success: 3, failure: 2, running: 1 },
      events: { push: 3, cron: 2, promote: 1 },
    })
  })

  it('without the filter by status for statuses, and without that by event for events', async () => {
    expect(await counts('status=failure&event=cron')).toEqual({
      total: 1,
      capped: false,
      statuses: { success: 1, failure: 1 },
      events: { push: 1, cron: 1 },
    })
    expect(await counts('status=failure&status=running&event=push&event=promote')).toMatchObject({
      total: 2,
      statuses: { success: 2, failure: 1, running: 1 },
      events: { push: 2, cron: 1 },
    })
  })

  it.each([
    ['author=zoe', 1],
    ['branch=next', 1],
    ['environment=staging', 1],
    ['text=discount', 1],
    ['text=%234', 1],
    ['since=200&until=500', 3],
    ['since=300&until=200', 0],
    ['longer=60&until=300', 1],
    ['shorter=60&status=success&event=push', 1],
    ['status=declined', 0],
  ])('%s', async (query, total) => {
    expect((await counts(query)).total).toBe(total)
  })

  it('of a repository without builds', async () => {
    await app.addRepo('acme', 'empty')
    expect(await counts('status=failure', 'empty')).toEqual({ total: 0, capped: false, statuses: {}, events: {} })
  })
})

it('stop at the newest 10,000 builds, with a text at 2,000 @system', async () => {
  const { db } = app.bench
  const { id } = await app.addRepo('acme', 'long')
  await createBuild(db, { ...first, event: 'push', message: 'change', repo_id: id, number: 1, created: 1 })
  const { rows: all } = await sql<{ name: string }>`select name from pragma_table_info('builds')
    where name not in ('build_id', 'build_number', 'build_created', 'build_status')`.execute(db)
  const columns = sql.join(all.map(({ name }) => sql.ref(name)))
  const copy = (from: number, to: number) =>
    sql`with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to})
      insert into builds (build_number, build_created, build_status, ${columns})
      select n, n, 'failure', ${columns} from builds, numbers where build_repo_id = ${id} and build_number = 1`.execute(
      db,
    )
  await copy(2, 2_000)
  expect(await counts('text=change', 'long')).toMatchObject({ total: 2_000, capped: false })
  await copy(2_001, 10_000)
  expect(await counts('', 'long')).toMatchObject({ total: 10_000, capped: false, statuses: { success: 1 } })
  expect(await counts('text=change', 'long')).toMatchObject({ total: 2_000, capped: true })
  await copy(10_001, 10_001)
  // The oldest one succeeded.
  expect(await counts('', 'long')).toMatchObject({ total: 10_000, capped: true, statuses: { failure: 10_000 } })
  expect(await counts('status=success', 'long')).toMatchObject({ total: 0, capped: true })
  expect(await counts('until=3', 'long')).toMatchObject({ total: 2, capped: false, statuses: { success: 1 } })
})

it('use the index that holds all they ask for', async () => {
  const { rows } = await sql<{ detail: string }>`explain query plan
    select some.build_status, some.build_event, count(*) from (
      select build_id, build_number, build_status, build_event, build_ref, build_author_login, build_actor, build_trigger,
        build_deploy_to, build_started, build_finished
      from builds indexed by ix_builds_listed
      where build_repo_id = 1 and (build_created, build_number) < (90, 9) and build_created >= 20
      order by build_created desc, build_number desc limit 5) as some
    group by 1, 2`.execute(app.bench.db)
  expect(rows.map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('USING COVERING INDEX ix_builds_listed'),
  )
})

it('refuse what does not exist, and count nothing for a person that may not read the repository', async () => {
  expect(await ask('status=green')).toEqual([400, { message: 'Invalid status "green"' }])
  expect(await ask('longer=1.5')).toEqual([400, { message: 'Invalid longer "1.5"' }])
  expect((await ask('', { repo: 'web', as: 'rae' }))[0]).toBe(200)
  expect((await ask('', { repo: 'web', as: 'otto' }))[0]).toBe(404)
})
