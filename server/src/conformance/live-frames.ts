/**
 * Reads an event stream as a client does (docs/api §4.1): frames end with an empty line, comments
 * are pings.
 */

export interface Frames {
  /** The texts after `data: `, in order. The last one is `eof` if the server ended the stream. */
  readonly seen: readonly string[]
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
  const seen: string[] = []
  const watchers = new Set<() => void>()
  let ended = false
  let rest = ''

  const take = (text: string): void => {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').find((row) => row.startsWith('data: '))
      if (data !== undefined) seen.push(data.slice('data: '.length))
    }
    for (const look of watchers) look()
  }
  const end = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      take(value)
    }
    ended = true
    for (const look of watchers) look()
  })()

  return {
    seen,
    end,
    until: (fits) =>
      new Promise((resolve, reject) => {
        let next = 0
        const look = () => {
          for (; next < seen.length; next++) {
            const data = seen[next] ?? ''
            if (!fits(data)) continue
            watchers.delete(look)
            return resolve(data)
          }
          if (ended) reject(new Error(`the stream ended without it, after ${seen.length} frames`))
        }
        watchers.add(look)
        look()
      }),
    leave: () => reader.cancel(),
  }
}
