import type { SavedView } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const views = async (as: Person) => ((await app.answer('/api/user', { as }))[1] as { views?: SavedView[] }).views
const save = (as: Person, view: object) =>
  app.answer('/api/user/views', { as, method: 'PUT', body: JSON.stringify(view) })
const remove = (as: Person, query: string) => app.answer(`/api/user/views?${query}`, { as, method: 'DELETE' })
const red = { list: 'builds', name: 'Red', query: 'status=failure' }

it('are each person’s own, one of each list the default', async () => {
  expect(await save('rae', red)).toEqual([204, ''])
  expect(await save('rae', { ...red, list: 'feed', default: true })).toEqual([204, ''])
  expect(await save('rae', { ...red, name: ' Mine ', query: 'author=rae', default: true })).toEqual([204, ''])
  const mine = { list: 'builds', name: 'Mine', query: 'author=rae', default: true }
  const feed = { ...red, list: 'feed', default: true }
  expect(await views('rae')).toEqual([mine, { ...red, default: false }, feed])
  expect(await views('ann')).toBeUndefined()
  await save('rae', { ...red, query: 'status=error', default: true })
  expect(await views('rae')).toEqual([
    { ...mine, default: false },
    { ...red, query: 'status=error', default: true },
    feed,
  ])
  expect(await remove('ann', 'list=builds&name=Red')).toEqual([204, ''])
  expect(await remove('rae', 'list=builds&name=Red')).toEqual([204, ''])
  expect(await views('rae')).toEqual([{ ...mine, default: false }, feed])
})

it.each([
  [{ ...red, list: 'users' }, 'Invalid list: use builds, branches, deployments, pulls, feed'],
  [{ ...red, name: ' ' }, 'A name is required'],
  [{ ...red, name: 'x'.repeat(61) }, 'The name can have at most 60 characters, on one line'],
  [{ ...red, name: 'a\nb' }, 'The name can have at most 60 characters, on one line'],
  [{ ...red, query: '' }, 'The query must have 1 to 1000 characters, on one line'],
  [{ ...red, query: 'x'.repeat(1001) }, 'The query must have 1 to 1000 characters, on one line'],
])('refuse %j', async (view, message) => {
  expect(await save('wes', view)).toEqual([400, { message }])
  expect(await views('wes')).toBeUndefined()
})

it('end at fifty; those that exist can change', async () => {
  for (let index = 0; index < 50; index += 1) await save('wes', { ...red, name: `View ${index}` })
  expect(await save('wes', red)).toEqual([400, { message: 'You can have at most 50 views' }])
  expect(await save('wes', { ...red, name: 'View 7', query: 'text=x' })).toEqual([204, ''])
})
