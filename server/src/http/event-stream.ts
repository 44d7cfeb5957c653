/**
 * The framing of both kinds of streams (docs/api §4.1): what is common to them, and what a slow
 * reader may cost.
 */

import { behindBytes, frameOf, streamResponse, type Frame, type StreamConnection } from '../lib/stream-connection.ts'
import type { Call } from './context.ts'

export const pingFrame = frameOf(': ping\n\n')
/**
 * Not part of Drone's API: `EventSource` hides comments, so this is a named message, which other
 * clients ignore.
 */
export const visiblePing = frameOf(': ping\n\nevent: ping\ndata: ping\n\n')
/**
 * "End of stream": clients do not reconnect after it. A server that stops only cuts its streams.
 */
export const endOfStream = Buffer.from('event: error\ndata: eof\n\n')
/**
 * Turns rows of a log file (`log-rows.ts`) into frames. Rows are not parsed, so logs of a million
 * lines stay cheap for each reader.
 */
export const lineFrames = (rows: Uint8Array): Uint8Array => {
  // Latin-1: one character per byte.
  const text = Buffer.from(rows.buffer, rows.byteOffset, rows.length).toString('latin1')
  const first = text.startsWith('[') ? 1 : 2
  return Buffer.from(`data: ${text.slice(first).replaceAll('\n,', '\n\n\ndata: ')}\n\n\n`, 'latin1')
}

/**
 * Bytes that may wait for a slow reader. Beyond it the stream is cut: the reader connects again and
 * reads the present state.
 */
const maxBytes = 8 * 1024 * 1024

export interface Sink {
  /** Without effect once the client has disconnected. */
  write(frame: Frame): void
  /** Resolves when the client has read enough of the pending data, or has disconnected. */
  ready(): Promise<void>
  /** Ends the stream without a final message. */
  end: () => void
}

/**
 * Responds with an event stream; `produce` runs until it returns, or until `signal` aborts because
 * the client disconnected.
 */
export function eventStream(
  bindings: Call['env'],
  pingMs: number,
  produce: (sink: Sink, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Response {
  return streamResponse(bindings, (connection) => {
    const { closeSignal } = connection
    const send = (frame: Frame) => {
      connection.write(frame)
      if (connection.waitingBytes() > maxBytes) connection.cut()
    }
    const timer = setInterval(() => send(pingFrame), pingMs)
    // A stream must not keep a server alive that is about to end.
    timer.unref()
    closeSignal.addEventListener('abort', () => clearInterval(timer), { once: true })
    const sink: Sink = {
      write(frame) {
        timer.refresh()
        send(frame)
      },
      async ready() {
        while (!closeSignal.aborted && connection.waitingBytes() > behindBytes) await drained(connection)
      },
      end: connection.end,
    }
    send(pingFrame)
    produce(sink, closeSignal).catch(onError).finally(connection.end)
  })
}

/** Or until the client has disconnected. */
const drained = (connection: StreamConnection): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      connection.closeSignal.removeEventListener('abort', done)
      resolve()
    }
    connection.closeSignal.addEventListener('abort', done, { once: true })
    connection.onceDrained(done)
  })
