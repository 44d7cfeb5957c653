import type { Build, FilteredBuilds } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

it('return a cursor if a request has searched enough @system', async () => {
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
    select build_id, build_number, build_status, build_event, build_ref, build_author_login, build_actor, build_trigger,
      build_deploy_to, build_started, build_finished
    from builds indexed by ix_builds_listed
    where build_repo_id = 1 and (build_created, build_number) < (90, 9) and build_created >= 20
    order by build_created desc, build_number desc limit 5`.execute(app.bench.db)
  expect(rows.map(({ detail }) => detail)).toEqual([
    'SEARCH builds USING COVERING INDEX ix_builds_listed (build_repo_id=? AND build_created>? AND (build_created,build_number)<(?,?))',
  ])
})

describe('by date, duration and environment', () => {
  beforeAll(async () => {
    const { db } = app.bench
    const { id } = await app.addRepo('acme', 'dated')
    const { id: _, version: __, ...first } = (await findBuildByNumber(db, app.bench.repo.id, 1)) as Build
    const rows: Partial<Build>[] = [
      { created: 100, started: 110, finished: 170 },
      { created: 200, started: 200, finished: 200, status: 'skipped' },
      { created: 200, started: 210, finished: 810, event: 'promote', deploy_to: 'staging' },
      // The clock was set back before this one.
      { created: 150, started: 160, finished: 760 },
      { created: 300, started: 300, finished: 0, status: 'running' },
      { created: 400, started: 0, finished: 0, status: 'pending' },
      { created: 500, started: 500, finished: 0, status: 'declined', event: 'rollback', deploy_to: 'production' },
    ]
    for (const [index, row] of rows.entries())
      await createBuild(db, { ...first, status: 'success', ...row, repo_id: id, number: index + 1 })
  })
  const found = async (query: string): Promise<FilteredBuilds> => {
    const [status, answer] = await app.answer(`/api/repos/acme/dated/builds/filter?${query}`, { as: 'boss' })
    expect(status, JSON.stringify(answer)).toBe(200)
    return answer as FilteredBuilds
  }
  const foundNumbers = async (query: string) => (await found(query)).items.map(({ number }) => number)

  it.each([
    ['', [7, 6, 5, 3, 2, 4, 1]],
    ['since=200', [7, 6, 5, 3, 2]],
    ['until=200', [4, 1]],
    ['since=150&until=300', [3, 2, 4]],
    ['since=300&until=200', []],
    ['longer=60', [5, 3, 4]],
    ['longer=59', [5, 3, 4, 1]],
    ['shorter=61', [1]],
    ['longer=60&shorter=601', [3, 4]],
    ['environment=staging', [3]],
    ['environment=stag', []],
    ['environment=production&since=500', [7]],
  ])('%s', async (query, numbers) => {
    expect(await foundNumbers(query)).toEqual(numbers)
  })

  it('come page by page in the order of their creation', async () => {
    const pages: number[][] = []
    let next: number | undefined
    do {
      const page = await found(`per_page=2&until=400${next === undefined ? '' : `&before=${next}`}`)
      pages.push(page.items.map(({ number }) => number))
      next = page.next
    } while (next !== undefined)
    expect(pages).toEqual([[5, 3], [2, 4], [1]])
    expect(await foundNumbers('before=8')).toEqual([7, 6, 5, 3, 2, 4, 1])
  })

  it.each(['since=yesterday', 'until=-1', 'longer=1.5', 'shorter=1e3', 'since=9999999999999'])(
    'refuse %s',
    async (query) => {
      const [name = '', value] = query.split('=')
      expect(await filter(query)).toEqual([400, { message: `Invalid ${name} "${value}"` }])
    },
  )
})

it('refuse what does not exist, and show nothing to a person that may not read the repository', async () => {
  expect(await filter('status=green')).toEqual([400, { message: 'Invalid status "green"' }])
  expect(await filter('event=merge')).toEqual([400, { message: 'Invalid event "merge"' }])
  expect(await filter(`text=${'x'.repeat(201)}`)).toEqual([
    400,
    { message: 'The text can have at most 200 characters' },
  ])
  expect((await filter('before=x'))[0]).toBe(400)
  expect((await filter('', 'otto'))[0]).toBe(404)
})
