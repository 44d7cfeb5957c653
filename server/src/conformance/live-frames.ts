/**
 * Reads an event stream as a client does (docs/api §4.1): frames end with an empty line, comments
 * are pings.
 */

export interface Frames {
  /** The texts after `data: `, in order. The last one is `eof` if the server ended the stream. */
  readonly messages: readonly string[]
  /**
   * The first matching frame, received or still to come. Rejects if the stream ends without one.
   */
  until(fits: (data: string) => boolean): Promise<string>
  /** Resolves when the server ended the stream. */
  readonly end: Promise<void>
  leave(): Promise<void>
}

export function readFrames(response: Response): Frames {
  if (response.body === null) throw new Error('the answer has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const messages: string[] = []
  const watchers = new Set<() => void>()
  let ended = false
  let buffered = ''

  const take = (text: string): void => {
    const frames = (buffered + text).split('\n\n')
    buffered = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').find((row) => row.startsWith('data: '))
      if (data !== undefined) messages.push(data.slice('data: '.length))
    }
    for (const watch of watchers) watch()
  }
  const end = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      take(value)
    }
    ended = true
    for (const watch of watchers) watch()
  })()

  return {
    messages,
    end,
    until: (fits) =>
      new Promise((resolve, reject) => {
        let next = 0
        const check = () => {
          for (; next < messages.length; next++) {
            const data = messages[next] ?? ''
            if (!fits(data)) continue
            watchers.delete(check)
            return resolve(data)
          }
          if (ended) reject(new Error(`the stream ended without it, after ${messages.length} frames`))
        }
        watchers.add(check)
        check()
      }),
    leave: () => reader.cancel(),
  }
}
