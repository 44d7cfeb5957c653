/** For tests: a client of an event stream. */
import { expect } from 'vitest'

export interface EventReader {
  /** The `data` of unnamed events. */
  data: string[]
  text: () => string
  /** The state of the stream. */
  state: () => 'open' | 'ended' | 'cut'
  leave: () => void
}

export async function readEvents(
  request: (path: string, init?: RequestInit) => Promise<Response>,
  headers: Record<string, string> = {},
  path = '/api/stream',
): Promise<EventReader> {
  const closing = new AbortController()
  const response = await request(path, { headers, signal: closing.signal })
  const reader = response.body?.getReader() ?? expect.fail('no body')
  const data: string[] = []
  const decoder = new TextDecoder()
  let text = ''
  let buffered = ''
  let state: ReturnType<EventReader['state']> = 'open'
  const reading = async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const more = decoder.decode(value, { stream: true })
      text += more
      buffered += more
      // Does not scan long texts again with each chunk.
      if (!more.endsWith('\n') && !more.includes('\n\n')) continue
      const frames = buffered.split('\n\n')
      buffered = frames.pop() ?? ''
      for (const frame of frames) if (frame.trimStart().startsWith('data: ')) data.push(frame.trimStart().slice(6))
    }
  }
  reading().then(
    () => (state = 'ended'),
    () => (state = 'cut'),
  )
  return { data, text: () => text, state: () => state, leave: () => closing.abort() }
}
