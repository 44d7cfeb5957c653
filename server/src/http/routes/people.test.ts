import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const path = '/api/repos/acme/web/people'
const logins = async (query = '', as: Person = 'ann') => {
  const [status, people] = await app.answer(path + query, { as })
  expect(status).toBe(200)
  return (people as { login: string }[]).map(({ login }) => login)
}

it('an administrator of the repository chooses from people without access', async () => {
  expect(await logins()).toEqual(['boss', 'otto', 'robot'])
  expect(await logins('?text=OT')).toEqual(['otto', 'robot'])
  expect(await logins('?text=%25')).toEqual([])
  await app.answer('/api/repos/acme/web/collaborators/otto', { as: 'ann', method: 'PUT', json: { read: true } })
  await app.answer('/api/users/robot', { as: 'boss', method: 'PATCH', json: { active: false } })
  expect(await logins()).toEqual(['boss'])
})

it.each(['rae', 'wes', 'otto'] as const)('%s, who does not administer it, finds nobody', async (as) => {
  expect(await app.answer(path, { as })).toEqual([404, { message: 'Not Found' }])
})
