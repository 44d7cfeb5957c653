/** Hands a request to the other server and its answer back, both as they come (issue 14, point 1). */
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { answerHeaders, requestHeaders, type Client, type Sides } from './headers.ts'
import type { Upstream } from './upstream.ts'

export interface Forwarding extends Client {
  /** The person's own, instead of what the browser sent. */
  token: string | null
}

/** The cookie that holds the token of a person who signed in with one; it is never sent on. */
export const tokenCookie = '_flightdeck_'

const worthPacking = /^(application\/json|text\/(?!event-stream))/
const leastBytes = 1024

/** Reading of `request` and of the answer stop when either side goes away. */
export async function forward(
  upstream: Upstream,
  publicUrl: string,
  request: Request,
  { token, ...client }: Forwarding,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const sides: Sides = { publicUrl, origin: upstream.origin }
  const answer = await upstream.send({
    method: request.method,
    target: pathname + search,
    headers: requestHeaders(request.headers, sides, { ...client, token, ownCookie: tokenCookie }),
    body: request.body && Readable.fromWeb(request.body as NodeStream),
    signal: request.signal,
  })
  const status = answer.statusCode ?? 502
  const headers = answerHeaders(answer.headers, sides, client.proto === 'https')
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  const gone = () => answer.destroy()
  request.signal.addEventListener('abort', gone, { once: true })
  answer.once('close', () => request.signal.removeEventListener('abort', gone))
  const body = packs(request, headers) ? pack(answer, headers) : answer
  // A break in the middle is a break for the reader, too: Readable.toWeb hands the fault on.
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers })
}

function packs(request: Request, headers: Headers): boolean {
  if (headers.has('content-encoding') || !worthPacking.test(headers.get('content-type') ?? '')) return false
  if (Number(headers.get('content-length') ?? leastBytes) < leastBytes) return false
  return /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
}

function pack(answer: Readable, headers: Headers): Readable {
  headers.set('Content-Encoding', 'gzip')
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  // Another representation has another tag (RFC 9110 §8.8.3); a weak one still fits.
  const tag = headers.get('etag')
  if (tag !== null && !tag.startsWith('W/')) headers.set('ETag', `W/${tag}`)
  // Quick rather than small: the list of 10,000 repositories is 13 MiB, and 1 after this.
  const packed = createGzip({ level: 1 })
  answer.once('error', (error) => packed.destroy(error))
  answer.once('aborted', () => packed.destroy(new Error('the server broke off')))
  packed.once('close', () => answer.destroy())
  return answer.pipe(packed)
}
