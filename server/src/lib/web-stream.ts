import { finished, type Readable } from 'node:stream'

/**
 * A stream of Node as the body of an answer; whoever stops to read it destroys it. Not `Readable.toWeb`: what that had asked for
 * before its reader went away comes after it, and is an exception that nobody can catch ("Controller is already closed").
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
        // Later ones, too, are no exceptions.
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
