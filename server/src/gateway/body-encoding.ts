/**
 * A response in the cache: compressed while it arrives, so that megabytes are neither kept nor
 * compressed twice.
 */
import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { createGzip, gzip, type Gzip } from 'node:zlib'
import { drainResponse } from './upstream.ts'

export interface Body {
  /** Computed from the text, so it does not depend on the compression. */
  etag: string
  type: string
  /** One of the two: short ones are plain. */
  plain: Buffer | null
  packed: Buffer | null
  /** Other headers of the answer. */
  headers: Record<string, string>
}

const shortBytes = 64 * 1024
/** Below it packing costs more than it saves. */
export const minBytes = 1024
/**
 * Quick rather than small: the list of 10,000 repositories is 13 MiB, and 1 after this. It is done
 * in other threads.
 */
export const packing = { level: 1 }
export const pack = promisify(gzip)

/**
 * Reads a complete JSON response. `null` if it is not JSON, is larger than `maxBytes`, or is
 * truncated; throws when the server disconnects. `onChunk` receives each chunk.
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<Body | null> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'set-cookie': cookies } = response.headers
  const isPlainJson = response.statusCode === 200 && type.startsWith('application/json') && !encoding && !cookies
  if (!isPlainJson) {
    drainResponse(response)
    return null
  }
  const text = createText()
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (!(await text.add(chunk, maxBytes))) return null
      onChunk(chunk)
    }
    return await text.end(type, passed(response))
  } finally {
    text.close()
    response.destroy()
  }
}

const tagOf = (hash: Hash): string => `W/"${hash.digest('base64url')}"`

/** The person that the answer belongs to, if the server names it, and the server's time. */
const passed = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && (name === 'date' || name.startsWith('x-flightdeck-')) ? [[name, value]] : [],
    ),
  )

/** The same response with another text. */
export function encodeBody(body: Body, text: string): Body {
  const plain = Buffer.from(text)
  return { ...body, plain, packed: null, etag: tagOf(createHash('sha256').update(plain)) }
}

function createText() {
  const hash: Hash = createHash('sha256')
  const chunks: Buffer[] = []
  const packed: Buffer[] = []
  let size = 0
  let zip: Gzip | null = null
  const ends = createEnds()

  async function write(chunk: Buffer): Promise<void> {
    if (!zip) return
    if (!zip.write(chunk)) await once(zip, 'drain')
  }
  return {
    async add(chunk: Buffer, maxBytes: number): Promise<boolean> {
      size += chunk.length
      if (size > maxBytes) return false
      hash.update(chunk)
      ends.add(chunk)
      if (zip) await write(chunk)
      else chunks.push(chunk)
      if (!zip && size > shortBytes) {
        zip = createGzip(packing)
        zip.on('data', (part: Buffer) => packed.push(part))
        await write(Buffer.concat(chunks.splice(0)))
      }
      return true
    },
    async end(type: string, headers: Body['headers']): Promise<Body | null> {
      if (!ends.match()) return null
      const etag = tagOf(hash)
      if (!zip) return { etag, type, plain: Buffer.concat(chunks), packed: null, headers }
      const ended = once(zip, 'end')
      zip.end()
      await ended
      return { etag, type, plain: null, packed: Buffer.concat(packed), headers }
    },
    close: () => void zip?.destroy(),
  }
}

/** Checks that a list or object is closed. A proxy in between may have truncated it silently. */
function createEnds() {
  let first = ''
  let last = ''
  return {
    add(chunk: Buffer): void {
      const text = chunk.subarray(0, 64).toString('latin1').trim()
      if (first === '') first = text.charAt(0)
      const end = chunk.subarray(-64).toString('latin1').trim()
      if (end !== '') last = end.slice(-1)
    },
    match: () => (first === '[' && last === ']') || (first === '{' && last === '}') || first === 'n',
  }
}
