/**
 * A stream of events to one reader. The bytes are written directly to the socket: a web stream
 * costs three buffers and several promises per reader and event. Without a socket, as in tests of
 * the app alone, they become the body of a response.
 */
import type { ServerResponse } from 'node:http'

/**
 * Bytes for many readers, made once: as they are, and as one chunk of HTTP/1.1 (RFC 9112 §7.1).
 * They share their memory.
 */
export interface Frame {
  readonly bytes: Uint8Array
  readonly chunk: Uint8Array
}

export function frameOf(content: Uint8Array | string): Frame {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const head = Buffer.from(`${bytes.length.toString(16)}\r\n`)
  const chunk = Buffer.concat([head, bytes, Buffer.from('\r\n')])
  return { bytes: chunk.subarray(head.length, head.length + bytes.length), chunk }
}

export interface StreamConnection {
  /** How many bytes the reader has not taken yet. */
  waitingBytes: () => number
  /**
   * Without effect once the stream is over. A frame without bytes would end the body, and is left
   * out.
   */
  write: (frame: Frame) => void
  /**
   * Calls `listener` once, as soon as the client has read the pending data. Never called after the
   * stream has ended.
   */
  onceDrained: (listener: () => void) => void
  /** Ends the stream: the reader sees that this was all. */
  end: () => void
  /** Breaks the connection, which no reader takes for an end. */
  cut: () => void
  /** Aborted when the stream is over, ended by the reader or by the server. */
  closeSignal: AbortSignal
}

/** What the listener hands to an app with each request (`listener/socket-handoff.ts`). */
export interface SocketHandoff {
  /** The listener can hand the connection over. */
  canHandOff?: true | undefined
  /** Set by the app: takes the connection after the head of its answer was sent. */
  takeConnection?: ((outgoing: ServerResponse) => void) | undefined
  /**
   * Set by the app and called for each further request with the same head. Returns whether that
   * request gets the same response without a new authorization.
   */
  repeat?: (() => boolean) | undefined
}

/** With less pending data a client counts as fast, and further data is written. */
export const behindBytes = 64 * 1024

/**
 * The shared reason of all aborts. Otherwise each abort creates an error with a stack trace, which
 * takes as long as the rest of closing a stream.
 */
const streamIsOver = new Error('the stream is over')

function directConnection(outgoing: ServerResponse): StreamConnection {
  const { socket, chunkedEncoding } = outgoing
  const closing = new AbortController()
  // Checked for each event; the signal's own property is more expensive than everything else here.
  let isOver = false
  const leave = () => {
    isOver = true
    closing.abort(streamIsOver)
  }
  outgoing.once('close', leave)
  if (!socket || outgoing.destroyed) leave()
  return {
    closeSignal: closing.signal,
    waitingBytes: () => socket?.writableLength ?? 0,
    write({ bytes, chunk }) {
      if (!isOver && bytes.length > 0) socket?.write(chunkedEncoding ? chunk : bytes)
    },
    onceDrained(listener) {
      socket?.once('drain', () => isOver || listener())
    },
    end() {
      if (isOver) return
      leave()
      outgoing.end()
    },
    cut() {
      if (isOver) return
      leave()
      socket?.destroy()
    },
  }
}

function webBody(start: (connection: StreamConnection) => void): ReadableStream<Uint8Array> {
  const closing = new AbortController()
  let drained = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        start({
          closeSignal: closing.signal,
          waitingBytes: () => behindBytes - (controller.desiredSize ?? behindBytes),
          write({ bytes }) {
            if (!closing.signal.aborted && bytes.length > 0) controller.enqueue(bytes)
          },
          onceDrained(listener) {
            drained = () => {
              drained = () => {}
              if (!closing.signal.aborted) listener()
            }
          },
          end() {
            if (closing.signal.aborted) return
            closing.abort()
            controller.close()
          },
          cut() {
            if (closing.signal.aborted) return
            closing.abort()
            controller.error(new Error('the stream was cut'))
          },
        })
      },
      pull: () => drained(),
      cancel: () => closing.abort(),
    },
    { highWaterMark: behindBytes, size: (bytes) => bytes.byteLength },
  )
}

interface Bindings extends SocketHandoff {
  outgoing?: ServerResponse | undefined
}

/**
 * An answer that is a stream of events. `start` is called when its head was sent; never where the
 * answer is refused in the end, as after a change of rights. `repeat`: see `SocketHandoff`.
 */
export function streamResponse(
  bindings: Bindings | undefined,
  start: (connection: StreamConnection) => void,
  repeat?: () => boolean,
): Response {
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', Connection: 'keep-alive' }
  // The response to a pipelined request has no socket yet.
  if (!bindings?.canHandOff || !bindings.outgoing?.socket) return new Response(webBody(start), { headers })
  bindings.takeConnection = (outgoing) => start(directConnection(outgoing))
  bindings.repeat = repeat
  return new Response(null, { headers })
}
