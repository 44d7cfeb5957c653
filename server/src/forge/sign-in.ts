/** Sign-in with the forge: the checks of the browser's callback, and of membership. */
import { createHash, randomBytes } from 'node:crypto'
import type { User } from '@flightdeck/api'
import type { SignedIn } from '../interfaces/forge.ts'
import { Refusal } from '../lib/refusal.ts'
import { isSameSecret } from '../lib/same-secret.ts'
import { findForgeAccount, findForgeAccountByLogin } from '../store/forge-accounts.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, type ForgeToken } from './driver.ts'
import { admit, wasNamed, type Admission } from './people.ts'

/** Long enough for a user to find the password on the forge's page. */
const maxSignInMs = 15 * 60_000

/** Sign-ins that one browser can have started: it may have several tabs. */
const maxAttempts = 4

/**
 * What the browser keeps of a sign-in, sealed: it proves that the answer belongs to this browser,
 * and holds PKCE's verifier.
 */
interface Attempt {
  state: string
  verifier: string
  at: number
}

const notBegun = 'This sign-in was not started in this browser, or took too long. Try again.'

export interface SignIn {
  begin(cookie?: string): { url: string; cookie: string }
  finish(
    answer: { cookie: string; state: string; code: string },
    signal?: AbortSignal,
  ): Promise<SignedIn & { cookie: string }>
  withPassword(login: string, password: string, signal?: AbortSignal): Promise<SignedIn>
  /** Whether the person may still sign in, by the organizations. */
  isStillMember(userId: number): Promise<boolean>
}

export function createSignIn(
  forge: ForgeContext,
  { admission, onNew }: { admission: Admission; onNew: (user: User) => void },
): SignIn {
  const { db, box, driver, now, publicUrl, stopped } = forge
  const redirectUri = `${publicUrl}/login`
  const { signIn } = driver

  function open(cookie: string): Attempt[] {
    try {
      const attempts = JSON.parse(box.decrypt(cookie)) as Attempt[]
      return attempts.filter(({ at }) => Date.now() - at < maxSignInMs)
    } catch {
      return []
    }
  }
  const seal = (attempts: readonly Attempt[]): string =>
    attempts.length > 0 ? box.encrypt(JSON.stringify(attempts)) : ''

  async function isMember(token: ForgeToken, signal: AbortSignal): Promise<boolean> {
    if (admission.access !== 'members') return true
    const organizations = new Set((await driver.organizations(token, signal)).map((name) => name.toLowerCase()))
    return admission.organizations.some((name) => organizations.has(name.toLowerCase()))
  }

  async function enter(token: ForgeToken, signal: AbortSignal): Promise<SignedIn> {
    const person = await driver.currentUser(token, signal)
    if (person.id === '' || person.login === '')
      throw new ForgeError('invalid', `${driver.title} did not identify the user.`)
    const facts = { person, token: forge.tokens.seal(token), isMember: await isMember(token, signal) }
    const admitted = await admit(db, admission, facts, now())
    if ('user' in admitted) onNew(admitted.user)
    return admitted
  }

  /** Shows the user what failed at the forge. */
  async function explainFailures(work: () => Promise<SignedIn>): Promise<SignedIn> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ForgeError) return { refused: error.message }
      throw error
    }
  }
  const either = (signal?: AbortSignal): AbortSignal => (signal ? AbortSignal.any([signal, stopped]) : stopped)

  return {
    begin(cookie = '') {
      if (signIn.kind !== 'oauth') throw new Refusal(404, 'Not Found')
      const state = randomBytes(24).toString('base64url')
      const verifier = randomBytes(48).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const attempts = [...open(cookie), { state, verifier, at: Date.now() }].slice(-maxAttempts)
      return { url: signIn.authorizeUrl({ state, redirectUri, challenge }), cookie: seal(attempts) }
    },
    async finish({ cookie, state, code }, signal) {
      const attempts = open(cookie)
      const began = attempts.find((each) => isSameSecret(state, each.state))
      // A callback with an unknown state does not end other sign-ins.
      if (signIn.kind !== 'oauth' || !began) return { refused: notBegun, cookie: seal(attempts) }
      const others = seal(attempts.filter((each) => each !== began))
      if (code === '') return { refused: `${driver.title} did not send a code`, cookie: others }
      const signedIn = await explainFailures(async () => {
        const token = await signIn.exchange({ code, redirectUri, verifier: began.verifier }, either(signal))
        return enter(token, either(signal))
      })
      return { ...signedIn, cookie: others }
    },
    async withPassword(login, password, signal) {
      if (signIn.kind !== 'password') return { refused: 'Unauthorized' }
      return explainFailures(async () => {
        // One name for each server: two of them must not replace each other's tokens.
        const tokenName = `flightdeck ${new URL(publicUrl).host}`
        // Gogs cannot remove a token: without the one that is known, each sign-in would leave
        // another.
        const lastToken = forge.tokens.open((await findForgeAccountByLogin(db, login))?.token ?? '')
        const person = { login, password, tokenName, ...(lastToken && { known: lastToken }) }
        const token = await signIn.signIn(person, either(signal))
        return enter(token, either(signal))
      })
    },
    async isStillMember(userId) {
      if (admission.access !== 'members') return true
      const account = await findForgeAccount(db, userId)
      if (!account || (await wasNamed(db, admission, account.uid))) return true
      return forge.tokens.use(userId, (token) => isMember(token, stopped))
    },
  }
}
