/**
 * What a user can do after a refused sign-in, by the server's error message (docs/api/forge.md,
 * "Signing in").
 */
import type { ConnectedForge } from '../../api/forge.ts'

const explained = new Map([
  // Drone's message for a wrong name or password does not say what to do.
  ['Unauthorized', 'Wrong username or password.'],
  ['User registration is disabled', 'Ask an administrator to add you first.'],
  ['User must be a member of an approved organization', 'Ask to join one of these organizations, then sign in again.'],
  ['Machine account login is forbidden', 'Machine accounts use a token.'],
])

const notBegun = 'This sign-in was not started in this browser'

/** OAuth's error code, and the texts of forges. */
const isDenied = (answer: string): boolean => /\bdenied\b|access_denied/i.test(answer)

/** The sentence below the server's own message; `undefined` if that is enough. */
export const explainRefusal = (message: string, forge: ConnectedForge | undefined): string | undefined => {
  const known = explained.get(message)
  if (known !== undefined) return known
  if (message.startsWith(notBegun)) return 'Start again, and finish in the same browser within 15 minutes.'
  if (!forge || !message.startsWith(`${forge.title}: `)) return undefined
  return isDenied(message)
    ? `You did not allow Flightdeck to use your ${forge.title} account. To sign in, try again and allow it.`
    : `${forge.title} did not complete the sign-in. Try again; if it fails again, ask your Flightdeck administrator.`
}
