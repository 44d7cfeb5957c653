import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction, openStore, type Store } from './open.ts'
import { prepareQuery } from './prepared.ts'
import { createUser } from './users.ts'

let store: Store
beforeEach(() => {
  store = openStore(':memory:')
})
afterEach(() => store.close())

const newUser = (login: string) => ({ login, email: `${login}@example.com`, created: 1 })

test('a prepared query is built once and runs with the values of each call', async () => {
  let built = 0
  const find = prepareQuery((db, { login, after }: { login: string; after: number }) => {
    built += 1
    return db.selectFrom('users').select('user_login').where('user_login', '=', login).where('user_id', '>', after)
  })
  for (const login of ['ada', 'bob']) await createUser(store.db, newUser(login))
  expect(await find(store.db, { login: 'ada', after: 0 })).toEqual([{ user_login: 'ada' }])
  expect(await find(store.db, { login: 'bob', after: 0 })).toEqual([{ user_login: 'bob' }])
  expect(await find(store.db, { login: 'bob', after: 2 })).toEqual([])
  expect(built).toBe(1)
})

test('a prepared query runs in the given transaction, even if it was built elsewhere', async () => {
  const count = prepareQuery((db, { login }: { login: string }) =>
    db.selectFrom('users').select('user_id').where('user_login', '=', login),
  )
  const work = inTransaction(store.db, async (tx) => {
    await createUser(tx, newUser('ada'))
    expect(await count(tx, { login: 'ada' })).toHaveLength(1)
    throw new Error('roll back')
  })
  await expect(work).rejects.toThrow('roll back')
  expect(await count(store.db, { login: 'ada' })).toEqual([])
})

test('a plugin sees a query that was built before the plugin was added', async () => {
  const find = prepareQuery((db, { login }: { login: string }) =>
    db.selectFrom('users').select('user_id').where('user_login', '=', login),
  )
  await find(store.db, { login: 'ada' })
  const seen: string[] = []
  const watched = store.db.withPlugin({
    transformQuery({ node }) {
      seen.push(node.kind)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await createUser(store.db, newUser('ada'))
  expect(await find(watched, { login: 'ada' })).toHaveLength(1)
  expect(await find(watched, { login: 'bob' })).toHaveLength(0)
  expect(seen).toEqual(['SelectQueryNode', 'SelectQueryNode'])
})
