import type { Build, RepoLastBuilds } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBuild, findBuildByNumber } from '../../store/builds.ts'
import { deletePermissions, setPermissions } from '../../store/permissions.ts'
import { createRepo } from '../../store/repos.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
/** `acme/web` with fifteen builds, and a repository that only the administrator can read. */
let ids: { web: number; hidden: number }
beforeAll(async () => {
  app = await createTestApp()
  const { db, repo } = app.bench
  await app.bench.push(app.bench.commit(pipelines({ default: '' })))
  const { id: _, version: __, ...first } = (await findBuildByNumber(db, repo.id, 1)) as Build
  for (let number = 2; number <= 15; number += 1)
    await createBuild(db, { ...first, number, status: number === 15 ? 'failure' : 'success', message: 'm'.repeat(900) })
  const names = { uid: 'hidden', namespace: 'acme', name: 'hidden', path: 'hidden', default_branch: 'main' }
  const hidden = await createRepo(db, { ...names, visibility: 'private', now: 1 })
  await createBuild(db, { ...first, repo_id: hidden.id, number: 1, message: 'secret plan' })
  ids = { web: repo.id, hidden: hidden.id }
})
afterAll(() => app.close())

const read = async (repos: string, as: Person = 'rae') => app.answer(`/api/user/builds/last?repos=${repos}`, { as })
const list = async (repos: string, as: Person = 'rae') => {
  const [status, answer] = await read(repos, as)
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer as RepoLastBuilds[]
}

it('are the twelve with the highest numbers, the newest first, and only what a strip shows of them', async () => {
  const [web] = await list(`${ids.web}`)
  expect(web?.id).toBe(ids.web)
  expect(web?.builds.map(({ number }) => number)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
  const [newest] = web?.builds ?? []
  expect(newest).toMatchObject({ number: 15, status: 'failure', message: 'm'.repeat(200), target: 'main' })
  expect(newest).not.toHaveProperty('author_email')
})

it('name nothing of a repository that the person may not read, as of one that is not there', async () => {
  expect(await list(`${ids.hidden},${ids.web},987654`)).toEqual(await list(`${ids.web}`))
  expect(JSON.stringify(await list(`${ids.hidden}`))).toBe('[]')
  const all = await list(`${ids.hidden},${ids.web}`, 'boss')
  expect(new Set(all.map(({ id }) => id))).toEqual(new Set([ids.web, ids.hidden]))
  expect(await list(`${ids.web}`, 'otto'), 'a private repository of others').toEqual([])
  const otto = (await app.answer('/api/user', { as: 'otto' }))[1] as { id: number }
  await setPermissions(
    app.bench.db,
    { userId: otto.id, repoId: ids.hidden },
    { read: true, write: false, admin: false },
    1,
  )
  expect((await list(`${ids.hidden},${ids.web}`, 'otto')).map(({ id }) => id)).toEqual([ids.hidden])
  await deletePermissions(app.bench.db, otto.id, ids.hidden)
  expect(await list(`${ids.hidden}`, 'otto')).toEqual([])
})

it.each(['', 'acme/web', '1,', '1;2', '-1', '1e3', '1 or 1=1', '9'.repeat(16), ','.repeat(200)])(
  'are refused for %j',
  async (repos) => {
    const [status] = await read(encodeURIComponent(repos))
    expect(status).toBe(400)
  },
)

it('are asked for a hundred repositories at most', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ids.web + index).join()
  expect((await list(many(100)))[0]?.id).toBe(ids.web)
  expect(await read(many(101))).toEqual([400, { message: 'Request 1 to 100 repositories' }])
})
