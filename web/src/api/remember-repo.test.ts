import type { Repo } from '@flightdeck/api'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { reposQuery, queryOf } from './queries.ts'
import { rememberRepo } from './remember-repo.ts'

const repo = (fields: Partial<Repo>) => ({ namespace: 'acme', name: 'web', active: false, ...fields }) as Repo
const permissions = { read: true, write: true, admin: true }

test('activating keeps the permissions, which the response does not have', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(queryOf('getRepo', 'acme', 'web').queryKey, repo({ permissions }))
  rememberRepo(queryClient, repo({}), repo({ active: true }))
  expect(queryClient.getQueryData(queryOf('getRepo', 'acme', 'web').queryKey)).toMatchObject({
    active: true,
    permissions,
  })
})

test('the list is updated too, but only this repository', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(reposQuery().queryKey, [repo({}), repo({ name: 'other' })])
  rememberRepo(queryClient, repo({}), { active: true })
  expect(queryClient.getQueryData(reposQuery().queryKey)?.map((item) => item.active)).toEqual([true, false])
})

/** A query whose response the test supplies, and the resulting cache entry. */
const startRequest = (queryClient: QueryClient, queryKey: readonly unknown[]) => {
  let answer = (_value: unknown): void => undefined
  const response = new Promise((resolve) => (answer = resolve))
  const done = queryClient.fetchQuery({ queryKey, queryFn: () => response })
  return async (value: unknown): Promise<unknown> => {
    answer(value)
    await done
    return queryClient.getQueryData(queryKey)
  }
}

for (const first of [true, false])
  test(`a read that was sent before and answers after does not put the old values back${first ? ', the first one neither' : ''}`, async () => {
    const queryClient = new QueryClient()
    const repoKey = queryOf('getRepo', 'acme', 'web').queryKey
    const list = reposQuery().queryKey
    if (!first) {
      queryClient.setQueryData(repoKey, repo({ permissions }))
      queryClient.setQueryData(list, [repo({})])
    }
    const answerOne = startRequest(queryClient, repoKey)
    const answerList = startRequest(queryClient, list)
    rememberRepo(queryClient, repo({}), { active: true, timeout: 30 })
    rememberRepo(queryClient, repo({}), { timeout: 60 })
    const late = repo({ permissions, timeout: 10, counter: 7 })
    const learned = { active: true, timeout: 60, permissions, counter: 7 }
    expect(await answerOne(late)).toMatchObject(learned)
    expect(await answerList([late, repo({ name: 'other' })])).toMatchObject([learned, { active: false }])
  })

test('a read that is sent later replaces the data', async () => {
  const queryClient = new QueryClient()
  const { queryKey } = queryOf('getRepo', 'acme', 'web')
  queryClient.setQueryData(queryKey, repo({ permissions }))
  const answerEarly = startRequest(queryClient, queryKey)
  rememberRepo(queryClient, repo({}), { active: true })
  expect(await answerEarly(repo({}))).toMatchObject({ active: true })
  expect(await startRequest(queryClient, queryKey)(repo({ active: false }))).toMatchObject({ active: false })
})

test('a failed read stays failed, and the merged data stays', async () => {
  const queryClient = new QueryClient()
  const { queryKey } = queryOf('getRepo', 'acme', 'web')
  queryClient.setQueryData(queryKey, repo({ permissions }))
  const done = queryClient.fetchQuery({ queryKey, queryFn: () => Promise.reject(new Error('no')), retry: false })
  rememberRepo(queryClient, repo({}), { active: true })
  await expect(done).rejects.toThrow('no')
  expect(queryClient.getQueryState(queryKey)).toMatchObject({ status: 'error', data: { active: true } })
})
