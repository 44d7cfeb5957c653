/** Our own requests to the other server, in the name of a person who views the answer. */
import { createHash } from 'node:crypto'
import { textOf, type Upstream } from './upstream.ts'

/** A person, identified by credentials; a response goes to the same credentials only. */
export interface Person {
  /** Names the person in memory, without being the credentials. */
  key: string
  headers: Record<string, string>
}

/**
 * `null` for a guest. What is given counts in this order, as it does at the server (docs/api §3.1).
 */
export function personOf({
  authorization,
  cookie,
}: {
  authorization?: string | null
  cookie?: string | null
}): Person | null {
  const session = cookie?.split(/; */).find((one) => one.startsWith('_session_='))
  const credentials = authorization ?? session
  if (!credentials) return null
  const credentialHeaders: Record<string, string> = authorization ? { authorization } : { cookie: credentials }
  return { key: createHash('sha256').update(credentials).digest('base64url'), headers: credentialHeaders }
}

export class UpstreamUnavailable extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

const maxBytes = 16 * 1024 * 1024

/**
 * Throws `UpstreamUnavailable` for every other status than 200, and a `Refusal` where the server
 * cannot be reached.
 */
export async function requestAs(upstream: Upstream, person: Person, target: string): Promise<unknown> {
  const response = await upstream.get(target, person.headers)
  if (response.statusCode !== 200) {
    response.resume()
    throw new UpstreamUnavailable(response.statusCode ?? 0)
  }
  const text = await textOf(response, maxBytes)
  if (text === null) throw new UpstreamUnavailable(413)
  return JSON.parse(text) as unknown
}
