import { afterAll, beforeAll, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { addFavorite } from '../../store/favorites.ts'
import { createRepo } from '../../store/repos.ts'
import { deletePermissions, setPermissions } from '../../store/permissions.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

const favorites = async (as: Person) =>
  ((await app.answer('/api/user', { as }))[1] as { favorites?: string[] }).favorites ?? []
const change = (as: Person, method: 'PUT' | 'DELETE', slug = 'acme/web') =>
  app.answer(`/api/user/favorites/${slug}`, { as, method })

it('are each person’s own', async () => {
  expect(await change('rae', 'PUT')).toEqual([204, ''])
  expect(await change('rae', 'PUT'), 'twice is once').toEqual([204, ''])
  expect(await favorites('rae')).toEqual(['acme/web'])
  expect(await favorites('ann')).toEqual([])
  expect(await change('ann', 'DELETE'), 'of one that is none').toEqual([204, ''])
  expect(await favorites('rae')).toEqual(['acme/web'])
  expect(await change('rae', 'DELETE')).toEqual([204, ''])
  expect(await favorites('rae')).toEqual([])
})

it('name nothing that the person may not read, and come back with the right', async () => {
  const { db, repo } = app.bench
  expect(await change('otto', 'PUT')).toEqual([404, { message: 'Not Found' }])
  expect(await change('otto', 'PUT', 'acme/none')).toEqual([404, { message: 'Not Found' }])
  const otto = (await app.answer('/api/user', { as: 'otto' }))[1] as { id: number }
  const row = { userId: otto.id, repoId: repo.id }
  await setPermissions(db, row, { read: true, write: false, admin: false }, 1)
  await change('otto', 'PUT')
  await deletePermissions(db, otto.id, repo.id)
  expect(await favorites('otto')).toEqual([])
  await setPermissions(db, row, { read: true, write: false, admin: false }, 1)
  expect(await favorites('otto')).toEqual(['acme/web'])
  await deletePermissions(db, otto.id, repo.id)
})

it('an administrator without a role on the repository keeps favorites', async () => {
  await change('boss', 'PUT')
  expect(await favorites('boss')).toEqual(['acme/web'])
})

it('end at two hundred', async () => {
  const { db, user, repo } = app.bench
  for (let index = 0; index < 200; index += 1) {
    const name = `r${index}`
    const { id } = await createRepo(db, {
      uid: name,
      namespace: 'many',
      name,
      path: name,
      default_branch: 'main',
      visibility: 'private',
      now: 1,
    })
    await addFavorite(db, user.id, id, 200)
  }
  expect(await change('ann', 'PUT')).toEqual([400, { message: 'You can have at most 200 favorites' }])
  expect(await addFavorite(db, user.id, repo.id, 200)).toBe(false)
})
