/** Named tokens and sessions of the user's own account (Flightdeck only). */
import type { AccessToken, CreatedAccessToken, CreatedWallLink, WallLink } from '@flightdeck/api'

import type { Action } from './action.ts'
import { keyOf } from './keys.ts'
import { ownClient, ownQueryOf } from './own-client.ts'
import { queryClient } from './query-client.ts'

const tokens = [keyOf('listAccessTokens')]
const sessions = [keyOf('listSessions')]

/** `keep` receives the token's value, which only this response has. */
export const createAccessToken = (
  keep: (created: CreatedAccessToken) => void,
): Action<{ name: string; expires: number }, CreatedAccessToken> => ({
  name: 'create',
  subject: 'access tokens',
  send: (body) => ownClient.createAccessToken(body),
  updateCache: (created) => {
    const { token: _value, ...listed } = created
    queryClient.setQueryData(ownQueryOf('listAccessTokens').queryKey, (known) => known && [...known, listed])
    keep(created)
  },
  stale: tokens,
  atField: () => true,
})

export const revokeAccessToken = ({ id, name }: AccessToken): Action<void, unknown> => ({
  name: 'revoke',
  subject: `access token ${id}`,
  send: () => ownClient.deleteAccessToken(String(id)),
  stale: tokens,
  done: `${name} has been revoked`,
  failed: 'Unable to revoke the token',
})

const wallLinks = [keyOf('listWallLinks')]

/** `keep` receives the link's value, which only this response has. */
export const createWallLink = (
  keep: (created: CreatedWallLink) => void,
): Action<{ name: string; expires: number; repos: string[] }, CreatedWallLink> => ({
  name: 'create',
  subject: 'wall links',
  send: (body) => ownClient.createWallLink(body),
  updateCache: keep,
  stale: wallLinks,
  atField: () => true,
})

export const revokeWallLink = ({ id, name }: WallLink): Action<void, unknown> => ({
  name: 'revoke',
  subject: `wall link ${id}`,
  send: () => ownClient.deleteWallLink(String(id)),
  stale: wallLinks,
  done: `${name} has been revoked`,
  failed: 'Unable to revoke the link',
})

export const endSession = (id: number): Action<void, unknown> => ({
  name: 'end',
  subject: `session ${id}`,
  send: () => ownClient.deleteSession(String(id)),
  stale: sessions,
  done: 'Session ended',
  failed: 'Unable to end the session',
})

export const endOtherSessions: Action<void, unknown> = {
  name: 'end others',
  subject: 'sessions',
  send: () => ownClient.deleteOtherSessions(),
  stale: sessions,
  done: 'Signed out everywhere else',
  failed: 'Unable to sign out everywhere else',
}
