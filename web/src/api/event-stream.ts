/**
 * Reads an event stream as bytes, including comments, which an `EventSource` hides: pings are
 * comments (docs/api §4.1), and only with pings can an idle stream be told from a dead connection.
 */
export interface StreamListener {
  /** Aborted by the reader; no callback is called afterwards. */
  signal: AbortSignal
  onOpen: () => void
  /**
   * Returns a reason to end the stream if the data contains one: `over` at its end, `cut` if the
   * server reports an error.
   */
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => 'over' | 'cut' | undefined
}

/**
 * `refused` before its first byte; `cut` in the middle; `silent` if even the pings stopped; `over`
 * if it is complete.
 */
export type StreamEnd = 'refused' | 'cut' | 'silent' | 'over'

/**
 * Pings arrive every 30 s (docs/api §4.1). After two missed pings and a margin, the connection
 * counts as dead.
 */
const silentMs = 65_000

/**
 * Some servers send each event separately, ten thousand a second, in bursts. Events are passed on
 * after a pause of `lullMs`, or after `maxGatherMs` at most.
 */
const lullMs = 2
const maxGatherMs = 10

/**
 * Milliseconds for which a busy stream is read before a pause. Most browsers join the messages that
 * arrive during the pause, so neither their processes nor this thread wakes up for each event.
 * Large chunks are joined already.
 */
const goMs = 1
const restMs = 8
const largeBytes = 4096

/** Returns a function that says whether it is time for a pause. */
const pacing = () => {
  let heardAt = -Infinity
  let restedAt = -Infinity
  return {
    wantsRest(bytes: number): boolean {
      const now = performance.now()
      const isQuick = now - heardAt < lullMs
      heardAt = now
      return isQuick && bytes < largeBytes && now - restedAt >= goMs
    },
    async rest(): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, restMs))
      heardAt = restedAt = performance.now()
    },
  }
}

/**
 * Passes data on: immediately if it arrives alone, in batches if it arrives in quick succession.
 */
const gathering = (use: (bytes: Uint8Array<ArrayBuffer>) => void) => {
  let parts: Uint8Array<ArrayBuffer>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let firstAt = 0
  let heardAt = -Infinity
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const [first] = parts
    if (!first) return
    const bytes = parts.length === 1 ? first : joined(parts)
    parts = []
    use(bytes)
  }
  const lookForLull = (): void => {
    const rest = heardAt + lullMs - performance.now()
    if (rest <= 0) flush()
    else timer = setTimeout(lookForLull, Math.ceil(rest))
  }
  return {
    add(bytes: Uint8Array<ArrayBuffer>): void {
      const now = performance.now()
      const isAlone = now - heardAt >= maxGatherMs
      heardAt = now
      if (parts.length === 0) firstAt = now
      parts.push(bytes)
      // The timer alone is not enough: timers are delayed while chunks arrive without a pause.
      if (isAlone || now - firstAt >= maxGatherMs) flush()
      else timer ??= setTimeout(lookForLull, lullMs)
    },
    flush,
    drop(): void {
      clearTimeout(timer)
      parts = []
    },
  }
}

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A file server without this endpoint can respond with its page. */
const isStream = ({ ok, headers }: Response): boolean =>
  ok && /^(text\/event-stream|$)/i.test(headers.get('content-type') ?? '')

export const readEventStream = async (
  url: string,
  { signal, onOpen, onBytes }: StreamListener,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<StreamEnd> => {
  const connection = new AbortController()
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  const stop = () => {
    connection.abort()
    // In some browsers, aborting doesn't reach a response that is complete but unread: the pending
    // read would never resolve.
    reader?.cancel().catch(() => {})
  }
  let end: StreamEnd = 'refused'
  let silent = false
  let result: StreamEnd | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimeout = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silent = true
      stop()
    }, silentMs)
  }
  const pieces = gathering((bytes) => {
    restartTimeout()
    if (signal.aborted || result) return
    result = onBytes(bytes)
    if (result) stop()
  })
  signal.addEventListener('abort', stop)
  restartTimeout()
  try {
    const headers = { Accept: 'text/event-stream' }
    const init: RequestInit = { headers, credentials: 'include', cache: 'no-store', signal: connection.signal }
    const response = await fetch(url, init)
    reader = isStream(response) ? response.body?.getReader() : undefined
    if (!reader || connection.signal.aborted) return end
    end = 'cut'
    onOpen()
    const pace = pacing()
    for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
      pieces.add(part.value)
      if (result) break
      if (!pace.wantsRest(part.value.length)) continue
      pieces.flush()
      await pace.rest()
    }
    pieces.flush()
  } catch {
    // The connection was cut: `end` has the position.
    pieces.flush()
  } finally {
    pieces.drop()
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // An unread response must not keep one of the few connections.
    stop()
  }
  return result ?? (silent ? 'silent' : end)
}
