/** Named tokens and sessions of the own account: only our own server has them. */
import type { AccessToken, CreatedAccessToken } from '@flightdeck/api'

import type { Action } from './action.ts'
import { keyOf, type Key } from './keys.ts'
import { ownClient } from './own-client.ts'
import { queryClient } from './query-client.ts'

const readAgain = (queryKey: Key) => () => void queryClient.invalidateQueries({ queryKey })

/** `keep` gets the value, which is in this answer and in no other. */
export const createAccessToken = (
  keep: (created: CreatedAccessToken) => void,
): Action<{ name: string; expires: number }, CreatedAccessToken> => ({
  name: 'create',
  subject: 'access tokens',
  send: (body) => ownClient.createAccessToken(body),
  learn: (created) => {
    readAgain(keyOf('listAccessTokens'))()
    keep(created)
  },
  atField: () => true,
})

export const revokeAccessToken = ({ id, name }: AccessToken): Action<void, unknown> => ({
  name: 'revoke',
  subject: `access token ${id}`,
  send: () => ownClient.deleteAccessToken(String(id)),
  learn: readAgain(keyOf('listAccessTokens')),
  done: `${name} has been revoked`,
  failed: 'Unable to revoke the token',
})

export const endSession = (id: number): Action<void, unknown> => ({
  name: 'end',
  subject: `session ${id}`,
  send: () => ownClient.deleteSession(String(id)),
  learn: readAgain(keyOf('listSessions')),
  done: 'Signed out there',
  failed: 'Unable to sign out there',
})

export const endOtherSessions: Action<void, unknown> = {
  name: 'end others',
  subject: 'sessions',
  send: () => ownClient.deleteOtherSessions(),
  learn: readAgain(keyOf('listSessions')),
  done: 'Signed out everywhere else',
  failed: 'Unable to sign out everywhere else',
}
