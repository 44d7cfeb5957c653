import type { Build, FilteredBuilds } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBuild, findBuildByNumber } from '../../store/builds.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  const { db, repo } = app.bench
  await app.bench.push(app.bench.commit(pipelines({ default: '' })))
  const { id: _, version: __, ...first } = (await findBuildByNumber(db, repo.id, 1)) as Build
  for (let number = 2; number <= 12; number += 1) {
    await createBuild(db, {
      ...first,
      number,
      status: number % 3 === 0 ? 'failure' : 'success',
      event: number % 2 === 0 ? 'push' : 'pull_request',
      ref: number % 2 === 0 ? 'refs/heads/main' : `refs/pull/${number}/head`,
      author_login: number === 5 ? 'Zoe' : 'ann',
      actor: number === 6 ? 'zoe' : '',
      message: number === 4 ? 'Fix 100%_of the Discount' : 'change',
    })
  }
})
afterAll(() => app.close())

const filter = (query: string, as: 'rae' | 'otto' = 'rae') =>
  app.answer(`/api/repos/acme/web/builds/filter?${query}`, { as })
const numbers = async (query: string): Promise<number[]> => {
  const [status, answer] = await filter(query)
  expect(status, JSON.stringify(answer)).toBe(200)
  return (answer as FilteredBuilds).items.map(({ number }) => number)
}

it('find builds by branch, event, status, author and text', async () => {
  expect(await numbers('status=failure')).toEqual([12, 9, 6, 3])
  expect(await numbers('status=failure&event=push')).toEqual([12, 6])
  expect(await numbers('status=failure&status=success&event=pull_request&author=ZOE')).toEqual([5])
  expect(await numbers('author=zoe')).toEqual([6, 5])
  expect(await numbers('branch=main&status=failure')).toEqual([12, 6])
  expect(await numbers('text=discount')).toEqual([4])
  expect(await numbers('text=100%25_')).toEqual([4])
  expect(await numbers('text=%2311')).toEqual([11])
  expect(await numbers('text=nothing+like+it')).toEqual([])
})

it('come page by page, each where the last one ended', async () => {
  const [, first] = await filter('event=push&per_page=2')
  expect(first).toMatchObject({ items: [{ number: 12 }, { number: 10 }], next: 10 })
  expect(await numbers('event=push&per_page=2&before=10')).toEqual([8, 6])
  const [, last] = await filter('event=push&per_page=50&before=4')
  expect((last as FilteredBuilds).next).toBeUndefined()
})

it('return a cursor if a request has searched enough', async () => {
  const { db, repo } = app.bench
  const { id: _, version: __, ...first } = (await findBuildByNumber(db, repo.id, 4)) as Build
  for (let number = 13; number < 2_100; number += 1) await createBuild(db, { ...first, number, message: 'other' })
  const [, far] = await filter('text=discount')
  const { items, next } = far as FilteredBuilds
  expect(items).toEqual([])
  expect(next).toBe(100)
  expect(await numbers(`text=discount&before=${next}`)).toEqual([4])
})

it('use the index that holds all they ask for', async () => {
  const { rows } = await sql<{ detail: string }>`explain query plan
    select build_id, build_number, build_status, build_event, build_ref, build_author_login, build_actor, build_trigger
    from builds indexed by ix_builds_filter where build_repo_id = 1 and build_number < 9
    order by build_number desc limit 5`.execute(app.bench.db)
  expect(rows.map(({ detail }) => detail)).toEqual([
    'SEARCH builds USING COVERING INDEX ix_builds_filter (build_repo_id=? AND build_number<?)',
  ])
})

it('refuse what does not exist, and show nothing to a person that may not read the repository', async () => {
  expect(await filter('status=green')).toEqual([400, { message: 'Invalid status "green"' }])
  expect(await filter('event=merge')).toEqual([400, { message: 'Invalid event "merge"' }])
  expect(await filter(`text=${'x'.repeat(201)}`)).toEqual([400, { message: 'The text has at most 200 characters' }])
  expect((await filter('before=x'))[0]).toBe(400)
  expect((await filter('', 'otto'))[0]).toBe(404)
})
