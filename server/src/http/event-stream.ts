/** The framing of both kinds of streams (wire.md §4.1): what is common to them, and what a slow reader may cost. */

const encoder = new TextEncoder()
export const ping = encoder.encode(': ping\n\n')
export const endOfStream = encoder.encode('event: error\ndata: eof\n\n')
export const buildFrame = (json: string): Uint8Array => encoder.encode(`data: ${json}\n\n`)
export const lineFrames = (lines: readonly string[]): Uint8Array =>
  encoder.encode(lines.map((line) => `data: ${line}\n\n\n`).join(''))

/** Bytes that may wait for a slow reader before the stream is cut; he connects again and reads the present state. */
export const mostWaiting = 4 * 1024 * 1024

export interface Sink {
  /** False once the reader has gone. */
  write(bytes: Uint8Array): boolean
  /** Resolves when the reader took enough of what was written, or has gone. */
  ready(): Promise<void>
  close(): void
}

/** Answers an event stream; `produce` runs until it returns or `signal` aborts, which is when the reader goes. */
export function eventStream(
  pingMs: number,
  produce: (sink: Sink, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Response {
  const gone = new AbortController()
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          if (gone.signal.aborted) return
          gone.abort()
          controller.close()
        }
        const write = (bytes: Uint8Array): boolean => {
          if (gone.signal.aborted) return false
          controller.enqueue(bytes)
          timer?.refresh()
          return true
        }
        const sink: Sink = {
          write,
          close,
          ready: () =>
            (controller.desiredSize ?? 0) > 0 || gone.signal.aborted
              ? Promise.resolve()
              : new Promise<void>((resolve) => {
                  wake = resolve
                }),
        }
        gone.signal.addEventListener('abort', () => {
          clearInterval(timer)
          wake()
        })
        write(ping)
        timer = setInterval(() => write(ping), pingMs)
        // A stream must not keep a server alive that is about to end.
        timer.unref()
        produce(sink, gone.signal).catch(onError).finally(close)
      },
      pull: () => wake(),
      cancel: () => gone.abort(),
    },
    { highWaterMark: 256 * 1024, size: (chunk) => chunk.byteLength },
  )
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no', Connection: 'keep-alive' },
  })
}
