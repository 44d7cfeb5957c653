/**
 * The tabs of one browser share one connection to `/api/stream`. Browsers allow six to one host over HTTP/1.1, all tabs
 * together: with one for each tab the seventh would never load. The tab that holds the lock leads and tells the others.
 */
export type Word =
  | { kind: 'message'; data: string }
  /** From the leader; `standing` answers one that joins. */
  | { kind: 'opened' | 'standing' | 'cut' }
  /** From a tab that joins, or whose person came back, to the leader. */
  | { kind: 'hello' | 'hurry' }

export interface TabsListener {
  /** This tab holds the connection from now on. */
  onLead: () => void
  onWord: (word: Word) => void
}

const name = 'flightdeck-live'

const isWord = (value: unknown): value is Word => typeof value === 'object' && value !== null && 'kind' in value

/** Locks exist on HTTPS and on localhost only. */
export const canShare = (): boolean => 'locks' in navigator && typeof BroadcastChannel === 'function'

/** Waits for the lead; answers how to speak to the other tabs, and how to leave. */
export const joinTabs = ({ onLead, onWord }: TabsListener) => {
  const channel = new BroadcastChannel(name)
  const waiting = new AbortController()
  let release: (() => void) | undefined
  let left = false
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isWord(data)) onWord(data)
  })
  const held = navigator.locks.request(name, { signal: waiting.signal }, () => {
    if (left) return undefined
    return new Promise<void>((done) => {
      release = done
      onLead()
    })
  })
  // Aborted by `leave`.
  held.catch(() => undefined)
  return {
    say: (word: Word): void => channel.postMessage(word),
    leave: (): void => {
      left = true
      waiting.abort()
      release?.()
      channel.close()
    },
  }
}
