/** Streams a request to the upstream server and its response back. */
import { PassThrough, Readable, type Transform } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { minBytes, packing } from './body-encoding.ts'
import { answerHeaders, requestHeaders, type Client, type Credential, type Sides } from './proxy-headers.ts'
import { acceptsGzip } from './reply.ts'
import type { Upstream } from './upstream.ts'
import { webStream } from '../lib/web-stream.ts'

export interface Forwarding extends Client, Credential {
  /**
   * Resets the client's connection when the upstream's breaks: a normal end would look like the
   * complete response.
   */
  cut: () => void
  /** Reads along what the client sends. */
  onBody?: ((chunk: Buffer) => void) | undefined
}

const worthPacking = /^(application\/json|text\/(?!event-stream))/

/** Reading of the request and the response stops when either side disconnects. */
export async function forward(
  upstream: Upstream,
  publicUrl: string,
  request: Request,
  { cut, onBody, ...client }: Forwarding,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const sides: Sides = { publicUrl, origin: upstream.origin }
  const body = bodyOf(request)
  if (onBody) body?.on('data', onBody)
  const response = await upstream.send({
    method: request.method,
    target: pathname + search,
    headers: requestHeaders(request.headers, sides, client),
    body,
    signal: request.signal,
  })
  const status = response.statusCode ?? 502
  const headers = answerHeaders(response.headers, sides, client.proto === 'https')
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    response.resume()
    return new Response(null, { status, headers })
  }
  const onAbort = () => response.destroy()
  request.signal.addEventListener('abort', onAbort, { once: true })
  response.once('close', () => request.signal.removeEventListener('abort', onAbort))
  const output = packs(request, headers) ? packed(headers) : new PassThrough()
  return new Response(webStream(join(response, output, cut)), { status, headers })
}

/** `null` for a call that announces none. */
function bodyOf({ body, headers }: Request): Readable | null {
  if (!headers.has('content-length') && !headers.has('transfer-encoding')) return null
  return body && Readable.fromWeb(body as NodeStream)
}

function packs(request: Request, headers: Headers): boolean {
  if (headers.has('content-encoding') || !worthPacking.test(headers.get('content-type') ?? '')) return false
  if (Number(headers.get('content-length') ?? minBytes) < minBytes) return false
  return acceptsGzip(request.headers.get('accept-encoding'))
}

/** Ends in both directions, also where one side breaks off. */
function join(response: Readable, output: Transform, cut: () => void): Readable {
  const broken = () => {
    // The error is expected if the reader is gone. Reading ends with the connection, too.
    if (!output.destroyed) cut()
  }
  response.once('error', broken)
  response.once('aborted', broken)
  output.once('close', () => response.destroy())
  return response.pipe(output)
}

function packed(headers: Headers): Transform {
  headers.set('Content-Encoding', 'gzip')
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  // Another representation has another tag (RFC 9110 §8.8.3); a weak one still fits.
  const tag = headers.get('etag')
  if (tag !== null && !tag.startsWith('W/')) headers.set('ETag', `W/${tag}`)
  return createGzip(packing)
}
