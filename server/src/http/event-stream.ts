/** The framing of both kinds of streams (docs/api §4.1): what is common to them, and what a slow reader may cost. */

const encoder = new TextEncoder()
export const ping = encoder.encode(': ping\n\n')
/** Beyond Drone's: a browser's `EventSource` shows no comment, but a message of a name of its own, which others pass over. */
export const visiblePing = encoder.encode(': ping\n\nevent: ping\ndata: ping\n\n')
/** "Nothing more will come": a client stays away after it. A server that ends just cuts its streams. */
export const endOfStream = encoder.encode('event: error\ndata: eof\n\n')
export const buildFrame = (json: string): Uint8Array => encoder.encode(`data: ${json}\n\n`)
/** Of rows of a log file (`log-rows.ts`), a frame each. No row is parsed: whoever prints a million lines has readers, too. */
export const lineFrames = (rows: Uint8Array): Uint8Array => {
  // Each byte a character, whatever it says.
  const text = Buffer.from(rows.buffer, rows.byteOffset, rows.length).toString('latin1')
  const first = text.startsWith('[') ? 1 : 2
  return Buffer.from(`data: ${text.slice(first).replaceAll('\n,', '\n\n\ndata: ')}\n\n\n`, 'latin1')
}

/** What may wait for a slow reader. Beyond it the stream is cut: the reader connects again and reads the present state. */
const maxEvents = 1_000
const maxBytes = 8 * 1024 * 1024
/** Below it a reader counts as quick. */
const highWaterMark = 64 * 1024

export interface Sink {
  /**
   * Before an event whose bytes come later: counts it. Drone's time to the next ping begins anew with it, also for who does
   * not get the event: to that reader a busy server looks like a dead one. Here only what is written counts.
   */
  reserve(): void
  /** `null`: the reader does not get this one. Without effect once the reader has gone. */
  write(bytes: Uint8Array | null): void
  /** Resolves when the reader took enough of what was written, or has gone. */
  ready(): Promise<void>
  /** Ends the stream without another word. */
  end: () => void
}

/** Answers an event stream; `produce` runs until it returns, or until `signal` tells that the reader has gone. */
export function eventStream(
  pingMs: number,
  produce: (sink: Sink, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  laterPing = ping,
): Response {
  const gone = new AbortController()
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const leave = () => {
    clearInterval(timer)
    gone.abort()
    wake()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let reserved = 0
        const waiting = () => highWaterMark - (controller.desiredSize ?? highWaterMark)
        const end = () => {
          if (gone.signal.aborted) return
          leave()
          controller.close()
        }
        const cut = () => {
          leave()
          controller.error(new Error('the reader is too slow'))
        }
        const send = (bytes: Uint8Array) => {
          if (gone.signal.aborted) return
          controller.enqueue(bytes)
          if (waiting() > maxBytes) cut()
        }
        timer = setInterval(() => send(laterPing), pingMs)
        // A stream must not keep a server alive that is about to end.
        timer.unref()
        const sink: Sink = {
          reserve() {
            reserved += 1
            if (reserved > maxEvents && !gone.signal.aborted) cut()
          },
          write(bytes) {
            reserved = Math.max(0, reserved - 1)
            if (!bytes) return
            timer?.refresh()
            send(bytes)
          },
          async ready() {
            while (!gone.signal.aborted && (controller.desiredSize ?? 1) <= 0) {
              await new Promise<void>((resolve) => {
                wake = resolve
              })
            }
          },
          end,
        }
        send(ping)
        produce(sink, gone.signal).catch(onError).finally(end)
      },
      pull: () => wake(),
      cancel: leave,
    },
    { highWaterMark, size: (chunk) => chunk.byteLength },
  )
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', Connection: 'keep-alive' },
  })
}
