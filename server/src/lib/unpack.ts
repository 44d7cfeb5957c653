import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { SavedLog } from '../interfaces/logs.ts'
import { webStream } from './web-stream.ts'

const pieceBytes = 32 * 1024

/**
 * What a saved log says, unpacked as fast as its reader takes it, and no faster. Not `DecompressionStream`: it takes in thousands
 * of pieces before it lets the file wait, so that all of it is held for a reader that reads nothing.
 */
export function plainBody({ body, encoding }: SavedLog): ReadableStream<Uint8Array> {
  if (encoding !== 'gzip') return body
  const unpacked = createGunzip({ chunkSize: pieceBytes })
  // A fault comes out at the end that is read.
  pipeline(Readable.fromWeb(body), unpacked, () => {})
  return webStream(unpacked)
}
