/**
 * Bounds the memory of bodies that are being received: each has its own limit, but thousands could
 * arrive slowly at the same time.
 */
import { Refusal } from '../lib/refusal.ts'

export interface ReceivedBody {
  bytes: number
  /** Set while it is being read. */
  refuse?: ((refusal: Refusal) => void) | undefined
}

/** Counts the bytes of all bodies; the oldest one that is being read makes room for others. */
export function createBodyLimit(maxBytes: number, message = 'Too many large requests at once') {
  const bodies = new Set<ReceivedBody>()
  let bytes = 0
  const remove = (body: ReceivedBody): void => {
    if (bodies.delete(body)) bytes -= body.bytes
  }
  return {
    begin(): ReceivedBody {
      const body: ReceivedBody = { bytes: 0 }
      bodies.add(body)
      return body
    },
    add(body: ReceivedBody, more: number): void {
      if (!bodies.has(body)) return
      body.bytes += more
      bytes += more
      for (const oldest of bodies) {
        if (bytes <= maxBytes) return
        if (!oldest.refuse) continue
        remove(oldest)
        oldest.refuse(new Refusal(503, message, 5))
      }
    },
    remove,
  }
}
export type BodyLimit = ReturnType<typeof createBodyLimit>

/**
 * The bytes of a stream as they arrive. The caller adds those that it keeps; a body that is dropped
 * to make room ends with the refusal.
 */
export async function* droppableBody(
  body: ReadableStream<Uint8Array>,
  received: ReceivedBody,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let refusal: Refusal | undefined
  const drop = () => void reader.cancel().catch(() => {})
  received.refuse = (reason) => {
    refusal = reason
    drop()
  }
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (refusal) throw refusal
      if (done) return
      yield value
    }
  } finally {
    received.refuse = undefined
    drop()
  }
}
