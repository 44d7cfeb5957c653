import type { Repo } from '@flightdeck/api'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { reposQuery, queryOf } from './queries.ts'
import { rememberRepo } from './remember-repo.ts'

const repo = (fields: Partial<Repo>) => ({ namespace: 'acme', name: 'web', active: false, ...fields }) as Repo
const permissions = { read: true, write: true, admin: true }

test('activating keeps the permissions, which the answer does not have', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(queryOf('getRepo', 'acme', 'web').queryKey, repo({ permissions }))
  rememberRepo(queryClient, repo({}), repo({ active: true }))
  expect(queryClient.getQueryData(queryOf('getRepo', 'acme', 'web').queryKey)).toMatchObject({
    active: true,
    permissions,
  })
})

test('the list learns it too, and only about this repository', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(reposQuery().queryKey, [repo({}), repo({ name: 'other' })])
  rememberRepo(queryClient, repo({}), { active: true })
  expect(queryClient.getQueryData(reposQuery().queryKey)?.map((item) => item.active)).toEqual([true, false])
})
