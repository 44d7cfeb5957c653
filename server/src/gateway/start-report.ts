/** Reports the upstream server at startup: its version, and how users sign in. */
import { probe, findSignInTarget, type RedirectTarget } from './probe.ts'
import type { ServerToken } from './server-token.ts'
import { isToken } from './sign-in.ts'
import type { Upstream } from './upstream.ts'

export interface Found {
  /** It is a Drone server that can be used. */
  isReady: boolean
  /** What was found, in lines of the start. */
  work: string[]
  /** The problem, as a message for users. */
  problems: string[]
}

interface Front {
  publicUrl: string
  /** `publicUrl` was configured, not derived from the port. */
  isNamed: boolean
  serverToken: ServerToken | null
}

/** The server may be down now and up later, so its state is reported and does not end the start. */
export async function findServer(upstream: Upstream, front: Front): Promise<Found> {
  const { publicUrl, isNamed, serverToken } = front
  const { state, version, kind } = await probe(upstream)
  const work = [`server    ${upstream.origin}${version ? `, version ${version}` : ''}`]
  if (kind !== 'ok') {
    const then =
      kind === 'unreachable'
        ? '. Flightdeck keeps trying and reports here when it is available'
        : '. Flightdeck keeps checking and reports here when a Drone server is available'
    return { isReady: false, work, problems: [state + then] }
  }
  if (serverToken) {
    work.push('sign in   not needed: every request uses the server token')
    return { isReady: true, work, problems: await tokenNotes(upstream, serverToken) }
  }
  const end = await findSignInTarget(upstream, publicUrl).catch(() => 'here' as const)
  const byToken = `with a Drone token at ${publicUrl}/login/token`
  const isHere = end === 'here' || (end === 'unsaid' && isNamed)
  work.push(`sign in   ${isHere ? `as on the Drone server, or ${byToken}` : byToken}`)
  return { isReady: true, work, problems: signInNotes(end, publicUrl, isNamed) }
}

function signInNotes(end: RedirectTarget, publicUrl: string, isNamed: boolean): string[] {
  if (end === 'here') return []
  if (end === 'unsaid' && isNamed) {
    return [
      `after sign-in the Git host sends people to the address that is registered there; if that is not ${publicUrl}, they can sign in at ${publicUrl}/login/token`,
    ]
  }
  const why =
    end === 'unsaid'
      ? 'the Git host sends people to the address that is registered there'
      : "the Drone server's own sign-in redirects to its public address"
  return [`people sign in with a Drone token: ${why}, not to ${publicUrl} (--public-url)`]
}

async function tokenNotes(upstream: Upstream, { token, allowWrites }: ServerToken): Promise<string[]> {
  const isKnown = await isToken(upstream, token).catch(() => true)
  if (!isKnown)
    return ['the Drone server rejects the server token; check --server-token-file or FLIGHTDECK_SERVER_TOKEN']
  const may = allowWrites ? 'reads and changes things' : 'reads'
  return [`anyone who reaches this address ${may} as the owner of the server token`]
}

/** Milliseconds between two checks of a server that is not ready. */
const retryMs = { first: 500, max: 10_000 }

/**
 * Looks again until the server is ready, with backoff, and logs what was found then. On the way it
 * logs what is wrong only where that changes. Answers what ends it.
 */
export function announceServer(
  before: Found,
  find: () => Promise<Found>,
  log: (message: string) => void,
  { first, max } = retryMs,
): () => void {
  let wrong = before.problems.join()
  let pauseMs = first
  let timer = setTimeout(() => void check(), pauseMs)
  let isOver = false

  async function check(): Promise<void> {
    const { isReady, work, problems } = await find()
    if (isOver) return
    const message = problems.join()
    if (isReady) for (const line of [...work, ...problems.map((text) => `note      ${text}`)]) log(line)
    else if (message !== wrong) for (const text of problems) log(text)
    if (isReady) return
    wrong = message
    pauseMs = Math.min(pauseMs * 2, max)
    timer = setTimeout(() => void check(), pauseMs)
  }

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
