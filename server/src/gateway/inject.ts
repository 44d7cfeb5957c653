import { Transform } from 'node:stream'

export interface Injectable {
  /** What the server sends goes through it. */
  stream: Transform
  /** Adds an event of ours, between two of the server's. */
  inject: (data: string) => void
}

const end = Buffer.from('\n\n')
/** A reader who takes nothing is told nothing more: he reads the present state when he connects again. */
const mostWaiting = 1024 * 1024

/** An event stream into which events can be put (docs/api §4.1). */
export function injectable(): Injectable {
  /** The last bytes that were sent: an event ends with an empty line. */
  let tail = end
  let waiting: Buffer[] = []
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      this.push(chunk)
      tail = Buffer.from(Buffer.concat([tail, chunk]).subarray(-2))
      flush()
      done()
    },
  })
  function flush(): void {
    if (waiting.length === 0 || !tail.equals(end) || stream.readableEnded || stream.destroyed) return
    for (const frame of waiting) stream.push(frame)
    waiting = []
    size = 0
  }
  return {
    stream,
    inject(data) {
      const frame = Buffer.from(`data: ${data}\n\n`)
      if (size + frame.length > mostWaiting || stream.readableLength > mostWaiting) return
      waiting.push(frame)
      size += frame.length
      flush()
    },
  }
}
