/**
 * Passwords: set by an invitation, changed by their owner, reset by an administrator. Extra routes,
 * which Drone does not have.
 */
import type { User } from '@flightdeck/api'
import { deleteUserAccessTokens } from '../../store/access-tokens.ts'
import { inTransaction } from '../../store/open.ts'
import { deleteUserSessions, findInvitation, takeInvitation } from '../../store/sessions.ts'
import { findPassword, setPassword } from '../../store/users.ts'
import { json, noContent } from '../responses.ts'
import { sessionOf } from '../authenticate.ts'
import { hashOfToken, newToken } from '../../people/sessions.ts'
import { decodeBody, hasBody } from '../bodies.ts'
import { addressOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { checkPassword, invite, replacePassword } from '../../people/invitations.ts'
import { hashPassword, isPassword } from '../../people/passwords.ts'
import { checkMaySignIn, signIn } from '../session-cookie.ts'
import { issueToken, sealToken } from '../../people/tokens.ts'
import { namedUser } from '../named-user.ts'

const noInvitation = () =>
  new Refusal(404, 'This invitation is no longer valid: it was already used, was replaced, or expired after 24 hours')

export function invitationRoutes(dependencies: Required<HttpDependencies>) {
  const { now, brake, passwordLine, devices, box } = dependencies
  const { db } = dependencies.store

  /** The value is in the body, never in an address: addresses are logged on the way. */
  async function invited(value: string): Promise<{ user: User; expires: number }> {
    const invitation = await findInvitation(db, hashOfToken(value), now())
    if (!invitation || !invitation.user.active) throw noInvitation()
    return invitation
  }

  const comer = (c: Call, { login }: User) => ({ login, address: addressOf(c, dependencies) })

  const notRight = () => new Refusal(400, 'The current password is not correct')
  /** Returns the hashes of both, if the old one is right. */
  async function exchange(c: Call, user: User, { old, password }: { old: string; password: string }) {
    const { login, address } = comer(c, user)
    const stored = await findPassword(db, user.id)
    const device = devices.signedIn(user.id)
    const { hash, penalty } = await passwordLine.runYielding({ login, address, device }, async () => ({
      penalty: brake.enter(login, address),
      hash: (await isPassword(old, stored)) ? await hashPassword(password) : null,
    }))
    if (hash === null || stored === null) {
      if (device !== undefined) devices.failed(device)
      await penalty()
      throw notRight()
    }
    brake.succeeded(login, address)
    return { hash, old: stored }
  }

  return {
    'POST /api/users/:user/invitation': async (c) => {
      const user = await namedUser(db, c)
      if (user.machine) throw new Refusal(400, 'Machine users can sign in only with a token')
      const { keep_token: keepToken = false } = (await hasBody(c))
        ? await decodeBody(c, 'reset', { keep_token: 'bool' })
        : {}
      // The old password may be in wrong hands, and the token with it: they end now, not when the
      // link is used.
      const invitation = await inTransaction(db, async (tx) => {
        await setPassword(tx, user.id, null)
        await deleteUserSessions(tx, user.id)
        if (!keepToken) {
          await issueToken(tx, box, user)
          await deleteUserAccessTokens(tx, user.id)
        }
        return invite(tx, user, dependencies)
      })
      return json(invitation)
    },
    'POST /api/invitation': async (c) => {
      const { invitation = '' } = await decodeBody(c, 'invitation', { invitation: 'string' })
      const { user, expires } = await invited(invitation)
      return json({ login: user.login, expires })
    },
    'PUT /api/invitation': async (c) => {
      checkMaySignIn(c, dependencies)
      const fields = { invitation: 'string', password: 'string' } as const
      const { invitation = '', password = '' } = await decodeBody(c, 'invitation', fields)
      const { user } = await invited(invitation)
      checkPassword(password)
      // First what may be refused for too many requests: an invitation is good once.
      const hash = await passwordLine.runYielding(comer(c, user), () => hashPassword(password))
      await inTransaction(db, async (tx) => {
        // True for only one of two concurrent requests.
        if (!(await takeInvitation(tx, hashOfToken(invitation), now()))) throw noInvitation()
        await replacePassword(tx, user, hash)
      })
      if (!(await signIn(dependencies, c, { user, hash }))) throw noInvitation()
      return c.body(null, 204)
    },
    'PUT /api/user/password': async (c) => {
      const user = userOf(c)
      const fields = { old_password: 'string', password: 'string', keep_token: 'bool' } as const
      const {
        old_password: old = '',
        password = '',
        keep_token: keepToken = false,
      } = await decodeBody(c, 'password', fields)
      checkPassword(password)
      const exchanged = await exchange(c, user, { old, password })
      const token = keepToken ? undefined : sealToken(box, newToken())
      const options = { old: exchanged.old, keepSession: await sessionOf(db, c, now()), token }
      // The password may have changed, or the account been closed, while it was checked.
      if (!(await replacePassword(db, user, exchanged.hash, options))) throw notRight()
      return noContent()
    },
  } satisfies Record<string, Handler>
}
