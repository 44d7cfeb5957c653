/**
 * All requests to a forge: limited in time and size, never to another host, and every failure is a
 * `ForgeError`. The client libraries get it instead of the global `fetch`, which follows redirects
 * anywhere and reads without limit.
 */
import { checkValues } from '../../lib/json-check.ts'
import { timeoutSignal } from '../../lib/abort.ts'
import { ForgeError, type ForgeFailure } from '../driver.ts'

const defaultTimeoutMs = 15_000
/** A page of 100 repositories has some 700 kB. */
const maxAnswerBytes = 8_000_000
/** Larger answers are counted before they are parsed, which takes a turn of the event loop. */
const uncountedBytes = 64 * 1024
/** Elements, keys and nested objects: a page of 100 repositories has a tenth of that. */
const maxAnswerValues = 250_000
const maxRedirects = 3
/** What a forge asks for at most. */
const maxRetryAfterMs = 3_600_000

export interface ForgeEnd {
  /** For messages: `Gitea`. */
  title: string
  /** Calls go below this address and nowhere else. */
  base: string
}

export interface FetchLimits {
  signal?: AbortSignal | undefined
  /** Returns 4xx responses instead of throwing: OAuth reports its errors with them. */
  passRefusals?: boolean
  maxBytes?: number
  maxValues?: number
  /** For the whole answer, to its last byte. */
  timeoutMs?: number
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const failureOf = (status: number): ForgeFailure => {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 429) return 'rate-limited'
  return status >= 500 || status === 408 ? 'unavailable' : 'refused'
}

const wordsOf: Record<ForgeFailure, string> = {
  unauthorized: 'rejected the token',
  forbidden: 'refused access',
  'not-found': 'did not find it, or does not show it',
  'rate-limited': 'is rate limiting requests',
  unavailable: 'is unavailable',
  refused: 'refused the request',
  invalid: 'sent a response that Flightdeck can’t use',
}

/**
 * How long to wait, as `Retry-After` (seconds) or GitHub's and Gitea's reset time (Unix seconds)
 * say.
 */
const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : reset * 1_000 - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined
}

/** GitHub uses 403 for rate limits. */
const isRateLimit = ({ status, headers }: Response): boolean =>
  status === 429 || (status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')))

/** What the forge says, for people: one line, without the credential that it may repeat. */
const saidBy = (text: string, secrets: readonly string[]): string => {
  let message = text
  try {
    const body: unknown = JSON.parse(text)
    const { message: summary, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      unknown
    >
    const detail = summary ?? error
    message = typeof detail === 'string' ? detail : JSON.stringify(detail ?? '')
  } catch {
    // An HTML page has no useful one-line message.
    if (text.trimStart().startsWith('<')) message = ''
  }
  for (const secret of secrets) message = message.replaceAll(secret, '***')
  return message
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
}

const refusal = (end: ForgeEnd, response: Response, text: string, secrets: readonly string[]): ForgeError => {
  const failure = isRateLimit(response) ? 'rate-limited' : failureOf(response.status)
  const message = saidBy(text, secrets)
  const retryAfterMs = retryAfterOf(response.headers)
  return new ForgeError(failure, `${end.title} ${wordsOf[failure]} (${response.status}${message && `: ${message}`}).`, {
    status: response.status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** The response's text. Reading stops at the limit, whatever the headers say. */
const readText = async (
  end: ForgeEnd,
  response: Response,
  { maxBytes = maxAnswerBytes, maxValues = maxAnswerValues }: FetchLimits,
): Promise<string> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes)
      throw new ForgeError('invalid', `${end.title} sent a response of more than ${maxBytes} bytes.`)
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  if (bytes > uncountedBytes) {
    await checkValues(whole, maxValues).catch(() => {
      throw new ForgeError('invalid', `${end.title} sent a response with too many values.`)
    })
  }
  return whole.toString('utf8')
}

/** Is it below the forge's own address? */
export const isBelow = (base: string, address: URL): boolean => {
  const { origin, pathname } = new URL(base)
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`
  return address.origin === origin && `${address.pathname}/`.startsWith(folder)
}

/** The credentials of a request, which no message may repeat. */
const secretsOf = (init: RequestInit | undefined): string[] => {
  const headers = new Headers(init?.headers)
  const values = [headers.get('authorization')?.replace(/^\S+ /, ''), headers.get('private-token')]
  return values.filter((value): value is string => value !== undefined && value !== null && value.length > 3)
}

const send = async (end: ForgeEnd, url: URL, init: RequestInit, left: number): Promise<Response> => {
  if (!isBelow(end.base, url)) throw new ForgeError('invalid', `${url.origin} is not an address of this ${end.title}.`)
  const response = await fetch(url, { ...init, redirect: 'manual' })
  if (!isRedirect(response.status)) return response
  await response.body?.cancel()
  const location = response.headers.get('location') ?? ''
  const next = location !== '' && URL.canParse(location, url) ? new URL(location, url) : undefined
  if (!next || !isBelow(end.base, next)) {
    const where = next ? next.origin : 'nowhere'
    throw new ForgeError('invalid', `${end.title} redirects to ${where}, which is not followed.`, {
      status: response.status,
    })
  }
  // Only reading may be repeated elsewhere.
  if (init.method !== undefined && init.method !== 'GET') {
    throw new ForgeError('not-found', `${end.title} has moved it.`, { status: response.status })
  }
  if (left === 0) throw new ForgeError('invalid', `${end.title} redirects in a loop.`)
  return send(end, next, init, left - 1)
}

/** Why the network failed, as Node names it: ` (ECONNREFUSED)`. */
const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

/** A `fetch` for one forge. `limits.signal` ends it early. */
export const boundedFetch =
  (end: ForgeEnd, limits: FetchLimits = {}): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs
    const deadline = timeoutSignal(timeoutMs)
    const signals = [deadline, limits.signal, init?.signal].filter((signal) => signal !== undefined && signal !== null)
    const request: RequestInit = { ...init, signal: AbortSignal.any(signals) }
    try {
      const response = await send(end, url, request, maxRedirects)
      const text = await readText(end, response, limits)
      const isPassed = limits.passRefusals === true && response.status < 500 && !isRateLimit(response)
      if (!response.ok && !isPassed) throw refusal(end, response, text, secretsOf(init))
      const hasBody = ![204, 205, 304].includes(response.status)
      return new Response(hasBody ? text : null, { status: response.status, headers: response.headers })
    } catch (error) {
      if (error instanceof ForgeError) throw error
      if (deadline.aborted)
        throw new ForgeError('unavailable', `${end.title} did not respond within ${timeoutMs / 1_000} s.`)
      throw new ForgeError('unavailable', `${end.title} cannot be reached${codeOf(error)}.`)
    }
  }
