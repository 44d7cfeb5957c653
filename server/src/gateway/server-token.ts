/** One token for all clients of this gateway: a wall, or a single person. */
import { Refusal } from '../lib/refusal.ts'

export interface ServerToken {
  token: string
  allowWrites: boolean
}

const reads = /^(GET|HEAD|OPTIONS)$/
const onlyShown = 'This Flightdeck is read-only (started without --allow-writes)'

/** Throws for actions that are not allowed to anonymous clients. */
export function checkAllowed({ allowWrites }: ServerToken, method: string, pathname: string): void {
  if (reads.test(method)) return
  if (!allowWrites) throw new Refusal(403, onlyShown)
  // It would be answered with the token itself, or with a new one in its place.
  const [, first, ...segments] = decoded(pathname).toLowerCase().split(/\/+/)
  if (first === 'api' && (segments[0] === 'user' || segments[0] === 'users') && segments.includes('token')) {
    throw new Refusal(403, 'The shared token is never shown; change it on the Drone server')
  }
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

const ofRepo = /^\/api\/repos\/[^/]+\/[^/]+$/

/**
 * Removes the permissions by which pages choose their buttons: with read-only access there are no
 * write, admin, sign-out or token controls.
 */
export function ofShared({ allowWrites }: Pick<ServerToken, 'allowWrites'>) {
  const none = { read: true, write: false, admin: false }
  const user = allowWrites ? { shared_token: 'writes' } : { shared_token: 'reads', admin: false }
  return (pathname: string, text: string): string => {
    const isUser = pathname === '/api/user'
    if (!isUser && (allowWrites || !ofRepo.test(pathname))) return text
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    return `${JSON.stringify({ ...value, ...(isUser ? user : { permissions: none }) })}\n`
  }
}
