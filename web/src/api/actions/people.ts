/** Users and their invitations (for administrators), and the user's own account. */
import type { CreatedUser, Invitation, User, UserInput, UserWithToken } from '@flightdeck/api'

import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'
import { tokenQuery, userQuery } from '../queries.ts'
import { queryClient } from '../query-client.ts'

const users = [keyOf('listUsers')]
const subjectOf = (login: string): string => `user ${login}`

/** `keep` receives values that are only shown once, wherever the administrator is by then. */
export const createUser = (keep: (answer: CreatedUser, input: UserInput) => void): Action<UserInput, CreatedUser> => ({
  name: 'create',
  subject: 'users',
  send: (input) => client.createUser(input),
  updateCache: keep,
  stale: users,
  done: 'New user has been created successfully',
  failed: 'Unable to create new user',
})

export const updateUser = (login: string): Action<boolean, unknown> => ({
  name: 'update',
  subject: subjectOf(login),
  send: (admin) => client.updateUser(login, { admin }),
  stale: users,
  done: 'User settings have been updated',
  // Specification §8: the text is "also used for a failed update".
  failed: 'Unable to create new user',
})

export const deleteUser = (login: string): Action<void, unknown> => ({
  name: 'delete',
  subject: subjectOf(login),
  send: () => client.deleteUser(login),
  stale: users,
  done: 'User has been deleted successfully',
  failed: 'Unable to delete user',
})

export const resetPassword = (
  login: string,
  keep: (answer: Invitation) => void,
): Action<{ keepToken: boolean }, Invitation> => ({
  name: 'reset',
  subject: subjectOf(login),
  send: ({ keepToken }) => ownClient.inviteUser(login, { keep_token: keepToken }),
  updateCache: keep,
  stale: users,
  failed: 'Unable to reset the password',
})

export interface PasswordChange {
  old: string
  password: string
  /** Otherwise the token is replaced too: anyone who had the password may also have the token. */
  keepToken: boolean
}

export const changePassword: Action<PasswordChange, unknown> = {
  name: 'password',
  subject: 'own password',
  send: ({ old, password, keepToken }) =>
    ownClient.changePassword({ old_password: old, password, keep_token: keepToken }),
  stale: [tokenQuery().queryKey, keyOf('listAccessTokens'), keyOf('listSessions')],
  done: 'Password has been changed',
  atField: () => true,
}

/** Servers without the user's email ask for it after the first sign-in (docs/api §3.5). */
export const setEmail: Action<string, User> = {
  name: 'email',
  subject: 'own email',
  send: (email) => client.updateOwnUser({ email }),
  updateCache: (answer) => queryClient.setQueryData(userQuery().queryKey, answer),
  atField: () => true,
}

export const replaceToken: Action<void, UserWithToken> = {
  name: 'replace',
  subject: 'own token',
  send: () => client.createToken({ rotate: true }),
  updateCache: (answer) => queryClient.setQueryData(tokenQuery().queryKey, answer),
  done: 'Your token has been replaced',
  failed: 'Unable to replace the token',
}

/** Sets the first password, by invitation: no user is signed in, and a full page load follows. */
export const takeInvitation = (value: string): Action<string, unknown> => ({
  name: 'take',
  subject: 'invitation',
  send: (password) => ownClient.takeInvitation({ invitation: value, password }),
  atField: () => true,
})
