import { finished, type Readable } from 'node:stream'

/**
 * Wraps a Node stream as a response body; a client that stops reading destroys it. Not
 * `Readable.toWeb`: data that it requested before the client disconnected arrives later and throws
 * an exception that cannot be caught ("Controller is already closed").
 */
export function webStream(from: Readable): ReadableStream<Uint8Array> {
  let over = false
  return new ReadableStream<Uint8Array>(
    {
      start(to) {
        finished(from, { writable: false }, (error) => {
          if (over) return
          over = true
          if (error) to.error(error)
          else to.close()
        })
        // Later errors must not be unhandled either.
        from.on('error', () => undefined)
        from.on('data', (bytes: Uint8Array) => {
          if (over) return
          to.enqueue(bytes)
          if ((to.desiredSize ?? 0) <= 0) from.pause()
        })
        from.pause()
      },
      pull: () => void from.resume(),
      cancel: () => {
        over = true
        from.destroy()
      },
    },
    { highWaterMark: from.readableObjectMode ? 0 : from.readableHighWaterMark, size: (bytes) => bytes.byteLength },
  )
}
