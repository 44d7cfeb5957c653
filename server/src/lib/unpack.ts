import type { TransformOptions } from 'node:stream'
import { createGunzip, type ZlibOptions } from 'node:zlib'
import type { SavedLog } from '../interfaces/logs.ts'

const pieceBytes = 32 * 1024

/**
 * Decompresses a saved log as fast as its reader reads, and no faster: nothing is read or allocated
 * before it is requested. Not `DecompressionStream`, which reads thousands of chunks ahead and
 * would keep all of it in memory for a reader that reads nothing.
 */
export function plainBody({ body, encoding }: SavedLog): ReadableStream<Uint8Array> {
  if (encoding !== 'gzip') return body
  const packed = body.getReader()
  let unpacker: Unpacker | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(to) {
        unpacker ??= createUnpacker(packed)
        try {
          const bytes = await unpacker.next()
          if (bytes) to.enqueue(bytes)
          else to.close()
        } catch (error) {
          unpacker.end()
          await packed.cancel(error)
          throw error
        }
      },
      async cancel(reason) {
        unpacker?.end()
        await packed.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

interface Unpacker {
  /** `null` at the end; throws where the file is broken. */
  next(): Promise<Uint8Array | null>
  /** Frees its memory. */
  end(): void
}

/** Not a pipe, which reads several pieces ahead. */
function createUnpacker(packed: ReadableStreamDefaultReader<Uint8Array>): Unpacker {
  // One chunk waits at most.
  const options: ZlibOptions & TransformOptions = { chunkSize: pieceBytes, readableHighWaterMark: 1 }
  const gunzip = createGunzip(options)
  let fault: Error | undefined
  let isTaking = false
  let changed = (): void => {}
  const onChange = (): void => changed()
  gunzip.on('readable', onChange).on('end', onChange).on('close', onChange)
  gunzip.on('error', (error) => {
    fault = error
    changed()
  })
  async function feed(): Promise<void> {
    const { done, value } = await packed.read()
    if (done) {
      gunzip.end()
      return
    }
    isTaking = true
    gunzip.write(value, () => {
      isTaking = false
      changed()
    })
  }
  return {
    async next() {
      for (;;) {
        if (fault) throw fault
        const bytes = gunzip.read() as Uint8Array | null
        if (bytes) return bytes
        if (gunzip.readableEnded || gunzip.destroyed) return null
        if (isTaking || gunzip.writableEnded) await new Promise<void>((resolve) => (changed = resolve))
        else await feed()
      }
    },
    end: () => void gunzip.destroy(),
  }
}
