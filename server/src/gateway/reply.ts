/**
 * A held answer for one call: unchanged, packed or plain, as its reader wants it (RFC 9110 §12.5.3,
 * §13.1.2).
 */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { minBytes, pack, packing, type Body } from './body-encoding.ts'
import { webStream } from '../lib/web-stream.ts'

/** A weight of 0 says no. */
export const acceptsGzip = (header: string | null): boolean =>
  (header ?? '').split(',').some((part) => /^gzip\b/.test(part.trim()) && !/;\s*q=0(\.0*)?\s*$/.test(part))

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Tags hold no commas: ours are made of letters. */
const isSame = (header: string | null, etag: string): boolean =>
  header !== null && header.split(',').some((one) => opaque(one) === opaque(etag))

/**
 * `keep`: worth a place in the browser's memory, from which nothing is taken without a question.
 */
export async function reply(requestHeaders: Headers, body: Body, isCacheable: boolean): Promise<Response> {
  const headers = new Headers({
    ...body.headers,
    'Content-Type': body.type,
    ETag: body.etag,
    Vary: 'Accept-Encoding, Authorization, Cookie',
  })
  if (isCacheable) headers.set('Cache-Control', 'private, no-cache')
  if (isSame(requestHeaders.get('if-none-match'), body.etag)) {
    headers.delete('Content-Type')
    return new Response(null, { status: 304, headers })
  }
  const bytes = acceptsGzip(requestHeaders.get('accept-encoding')) ? await packedOf(body) : null
  if (bytes) headers.set('Content-Encoding', 'gzip')
  else if (!body.plain && body.packed) {
    const plain = Readable.from([body.packed]).pipe(createGunzip())
    return new Response(webStream(plain), { headers })
  }
  const whole = bytes ?? body.plain ?? Buffer.alloc(0)
  headers.set('Content-Length', String(whole.length))
  return new Response(new Uint8Array(whole.buffer as ArrayBuffer, whole.byteOffset, whole.length), { headers })
}

async function packedOf({ plain, packed }: Body): Promise<Buffer | null> {
  if (packed || !plain || plain.length < minBytes) return packed
  return pack(plain, packing)
}
