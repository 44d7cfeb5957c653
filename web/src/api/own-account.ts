/** Named tokens and sessions of the own account: only our own server has them. */
import { ApiError, type AccessToken, type CreatedAccessToken, type Session } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import type { Action } from './action.ts'
import { ask, isRecord } from './own.ts'
import { queryClient } from './query-client.ts'

/** Reads a list of our own server; an `ApiError` where an item does not fit. */
export const readList = async <T>(pathname: string, fits: (item: Record<string, unknown>) => boolean): Promise<T[]> => {
  const answer = await ask('GET', pathname)
  if (!Array.isArray(answer) || !answer.every((item) => isRecord(item) && fits(item)))
    throw new ApiError(200, 'Unexpected response from the server')
  return answer as T[]
}

const isToken = ({ id, name, expires, last_used: used }: Record<string, unknown>): boolean =>
  typeof name === 'string' && [id, expires, used].every((value) => typeof value === 'number')
const isSession = ({ id, agent, last_seen: seen }: Record<string, unknown>): boolean =>
  typeof agent === 'string' && [id, seen].every((value) => typeof value === 'number')

export const accessTokensQuery = () =>
  queryOptions({ queryKey: ['access tokens'], queryFn: () => readList<AccessToken>('/api/user/tokens', isToken) })
export const sessionsQuery = () =>
  queryOptions({ queryKey: ['sessions'], queryFn: () => readList<Session>('/api/user/sessions', isSession) })

const readAgain = (queryKey: readonly string[]) => () => void queryClient.invalidateQueries({ queryKey })

/** `keep` gets the value, which is in this answer and in no other. */
export const createAccessToken = (
  keep: (created: CreatedAccessToken) => void,
): Action<{ name: string; expires: number }, CreatedAccessToken> => ({
  name: 'create',
  subject: 'access tokens',
  send: async (body) => (await ask('POST', '/api/user/tokens', { body })) as CreatedAccessToken,
  learn: (created) => {
    readAgain(accessTokensQuery().queryKey)()
    keep(created)
  },
  atField: () => true,
})

export const revokeAccessToken = ({ id, name }: AccessToken): Action<void, unknown> => ({
  name: 'revoke',
  subject: `access token ${id}`,
  send: () => ask('DELETE', `/api/user/tokens/${id}`),
  learn: readAgain(accessTokensQuery().queryKey),
  done: `${name} has been revoked`,
  failed: 'Unable to revoke the token',
})

export const endSession = (id: number): Action<void, unknown> => ({
  name: 'end',
  subject: `session ${id}`,
  send: () => ask('DELETE', `/api/user/sessions/${id}`),
  learn: readAgain(sessionsQuery().queryKey),
  done: 'Signed out there',
  failed: 'Unable to sign out there',
})

export const endOtherSessions: Action<void, unknown> = {
  name: 'end others',
  subject: 'sessions',
  send: () => ask('DELETE', '/api/user/sessions'),
  learn: readAgain(sessionsQuery().queryKey),
  done: 'Signed out everywhere else',
  failed: 'Unable to sign out everywhere else',
}
