import type { User } from '@flightdeck/api'
import { afterEach, expect, test } from 'vitest'

import { userQuery } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { syncRepos } from './sync.ts'

const { queryKey } = userQuery()
const user = { login: 'ada', syncing: false } as User

/**
 * A request sent before the sync starts; the test supplies the response, and all its effects are
 * complete afterwards.
 */
const startSync = () => {
  let answer = (): void => undefined
  const response = new Promise<User>((resolve) => (answer = () => resolve(user)))
  const done = queryClient.fetchQuery({ queryKey, queryFn: () => response, staleTime: 0 }).catch(() => undefined)
  return async (): Promise<void> => {
    answer()
    await response
    await done
  }
}

afterEach(() => queryClient.clear())

test('a user requested before a sync does not end the sync that has started meanwhile', async () => {
  queryClient.setQueryData(queryKey, user)
  const answer = startSync()
  syncRepos.updateCache?.(undefined, undefined)
  await answer()
  expect(queryClient.getQueryState(queryKey)).toMatchObject({ data: { syncing: true }, fetchStatus: 'idle' })
})

test('the signed-in user is read if unknown', async () => {
  const answer = startSync()
  syncRepos.updateCache?.(undefined, undefined)
  await answer()
  expect(queryClient.getQueryData(queryKey)).toEqual(user)
})
