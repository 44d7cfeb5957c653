/**
 * All tabs of a browser share one connection to `/api/stream`. Over HTTP/1.1, browsers allow six
 * per host for all tabs together: with one per tab, the seventh would never load. The tab that
 * holds the lock is the leader and forwards messages to the others.
 */
export type TabMessage =
  | { kind: 'message'; data: string }
  /** From the leader; `standing` is the response to a tab that joins. */
  | { kind: 'opened' | 'standing' | 'cut' }
  /** Sent to the leader by a tab that joins, or that the user returns to. */
  | { kind: 'hello' | 'hurry' }

export interface TabsListener {
  /** This tab holds the connection from now on. */
  onLead: () => void
  onMessage: (message: TabMessage) => void
}

const isTabMessage = (value: unknown): value is TabMessage =>
  typeof value === 'object' && value !== null && 'kind' in value

/** Locks exist only on HTTPS and localhost; a browser that blocks storage can refuse both. */
const lockAndChannel = (name: string): { locks: LockManager; channel: BroadcastChannel } | undefined => {
  try {
    const { locks } = navigator
    return 'request' in locks ? { locks, channel: new BroadcastChannel(name) } : undefined
  } catch {
    return undefined
  }
}

/**
 * Waits to become the leader among this person's tabs; returns functions to send messages and to
 * leave. Undefined if tabs cannot share.
 */
export const joinTabs = (person: string, { onLead, onMessage }: TabsListener) => {
  const channelName = `flightdeck-live ${person}`
  const shared = lockAndChannel(channelName)
  if (!shared) return undefined
  const { locks, channel } = shared
  const waiting = new AbortController()
  let release: (() => void) | undefined
  let hasLeft = false
  const becomeLeader = () => {
    if (hasLeft) return undefined
    return new Promise<void>((done) => {
      release = done
      onLead()
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isTabMessage(data)) onMessage(data)
  })
  // Aborted by `leave`, or refused: then each tab is its own leader.
  locks.request(channelName, { signal: waiting.signal }, becomeLeader).catch(() => becomeLeader())
  return {
    post: (message: TabMessage): void => {
      if (!hasLeft) channel.postMessage(message)
    },
    leave: (): void => {
      hasLeft = true
      waiting.abort()
      release?.()
      channel.close()
    },
  }
}
