import { repoWithBuild } from '@flightdeck/api/shapes'

import { client } from '../../api/client.ts'
import { checkSession, isSignedOut } from '../../api/query-client.ts'
import { mayVisit } from '../../api/session.ts'
import { createStore } from '../../browser/store.ts'
import { createInbox } from './inbox.ts'
import { refetchUnfinished, refetchShown } from './refetch.ts'
import type { BuildEventMessage } from './merge-lists.ts'
import { joinTabs, type TabMessage } from './tabs.ts'

/**
 * `off` before the first connection and when no one is signed in; `back` for a moment after `lost`.
 */
export type Connection = 'off' | 'live' | 'lost' | 'back'
export const connection = createStore<Connection>('off')

/** A disconnection shorter than this is not shown. */
const lossGraceMs = 1_500
const minWaitMs = 500
const maxWaitMs = 5_000
/** After a connection of this duration, the backoff is reset. */
const stableAfterMs = 5_000
const reconnectedShownMs = 3_000
/** After this time a page has its data; running builds are refetched once. */
const refetchDelayMs = 1_000
/**
 * Pings arrive every 30 s (docs/api §4.1). After two missed pings and a margin, the connection
 * counts as dead.
 */
const heartbeatTimeoutMs = 65_000
/**
 * A joining tab says hello within this time of its first read; the events it may have missed are
 * repeated.
 */
const repeatWindowMs = 5_000
const maxRepeatedMessages = 50
/** A first connection that took this long missed what happened after the first reads. */
const slowStartMs = 3_000

/** An invalid event is skipped, so that the valid ones of the same batch are merged. */
const parse = (text: string): BuildEventMessage | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return repoWithBuild(value) ? (value as BuildEventMessage) : undefined
  } catch {
    return undefined
  }
}

/**
 * The only connection to `/api/stream` (architecture.md, flow 3), shared by all tabs if the browser
 * supports it.
 */
const createLive = () => {
  const inbox = createInbox()
  let source: EventSource | undefined
  let heartbeatTimer: ReturnType<typeof setTimeout> | undefined
  let timers: ReturnType<typeof setTimeout>[] = []
  let waitMs = minWaitMs
  let wasOpen = false
  let openedAt = 0
  let startedAt = 0
  let isSessionChecked = false
  let tabs: ReturnType<typeof joinTabs> | undefined
  let started = false
  let isLeader = false
  /** The leader's recent messages, oldest first. */
  let recentMessages: { at: number; data: string }[] = []

  const schedule = (milliseconds: number, action: () => void): void => {
    timers.push(setTimeout(action, milliseconds))
  }
  const clearTimers = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }

  const onOpen = (): void => {
    clearTimers()
    openedAt = Date.now()
    isSessionChecked = false
    const isReconnect = wasOpen
    wasOpen = true
    const wasLost = connection.get() === 'lost'
    connection.set(wasLost ? 'back' : 'live')
    if (wasLost) schedule(reconnectedShownMs, () => connection.set('live'))
    if (isLeader) tabs?.post({ kind: 'opened' })
    // Refetch only with a session: the stream itself also works for a guest.
    if (isReconnect) void checkSession().then(() => (isSignedOut() && !mayVisit()) || refetchShown())
    else if (Date.now() - startedAt > slowStartMs) refetchShown()
    else {
      const since = openedAt
      schedule(refetchDelayMs, () => refetchUnfinished(since))
    }
  }

  /**
   * The session may have ended; the stream can't show that (architecture.md, "signed out"). Checked
   * once per disconnection.
   */
  const checkSessionOnce = (): void => {
    if (isSessionChecked) return
    isSessionChecked = true
    void checkSession().then(({ answered }) => {
      isSessionChecked = answered
    })
  }

  const onFailure = (silent = false): void => {
    clearTimeout(heartbeatTimer)
    source?.close()
    source = undefined
    if (openedAt === 0) checkSessionOnce()
    if (silent || (openedAt > 0 && Date.now() - openedAt >= stableAfterMs)) waitMs = minWaitMs
    openedAt = 0
    tabs?.post({ kind: 'cut' })
    schedule(lossGraceMs, () => connection.set('lost'))
    if (silent) open()
    // With jitter: all pages lose a server that restarts at the same moment.
    else schedule(waitMs * (1 - Math.random() / 2), open)
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }

  const restartHeartbeatTimer = (): void => {
    clearTimeout(heartbeatTimer)
    heartbeatTimer = setTimeout(() => onFailure(true), heartbeatTimeoutMs)
  }

  const open = (): void => {
    source?.close()
    openedAt = 0
    source = new EventSource(client.streamUrl('/api/stream'), { withCredentials: true })
    source.addEventListener('open', onOpen)
    source.addEventListener('error', () => onFailure())
    // An `EventSource` hides comments, and Drone's ping is one, so Flightdeck also sends an event
    // with this name.
    source.addEventListener('ping', restartHeartbeatTimer)
    source.addEventListener('message', ({ data }) => {
      restartHeartbeatTimer()
      forward(String(data))
      receive(String(data))
    })
    restartHeartbeatTimer()
  }

  const forward = (data: string): void => {
    const now = Date.now()
    recentMessages = [
      ...recentMessages.slice(1 - maxRepeatedMessages).filter(({ at }) => now - at < repeatWindowMs),
      { at: now, data },
    ]
    tabs?.post({ kind: 'message', data })
  }

  /**
   * For a tab that has just joined. Other tabs have these events already; merging is idempotent.
   */
  const repeatMessages = (): void => {
    for (const { at, data } of recentMessages)
      if (Date.now() - at < repeatWindowMs) tabs?.post({ kind: 'message', data })
  }

  const receive = (data: string): void => {
    const message = parse(data)
    if (message) inbox.add(message)
  }

  const connectNow = (): void => {
    if (source) return
    clearTimers()
    schedule(lossGraceMs, () => connection.set('lost'))
    open()
  }

  /** A page that is visible or online again does not wait for the timer. */
  const reconnectIfVisible = (): void => {
    if (document.visibilityState === 'hidden') {
      // Without a shared connection, a hidden tab closes its own: the browser allows only six per
      // host.
      if (!tabs) close()
    } else if (isLeader) connectNow()
    else if (connection.get() === 'lost') tabs?.post({ kind: 'hurry' })
  }

  const close = (): void => {
    clearTimers()
    clearTimeout(heartbeatTimer)
    source?.close()
    source = undefined
  }

  const becomeLeader = (): void => {
    isLeader = true
    clearTimers()
    if (tabs || document.visibilityState !== 'hidden') open()
  }

  /** The leader responds to messages; the others follow the leader. */
  const onTabMessage = (message: TabMessage): void => {
    if (isLeader) {
      if (message.kind === 'hurry') connectNow()
      if (message.kind === 'hello') {
        tabs?.post({ kind: openedAt > 0 ? 'standing' : 'cut' })
        repeatMessages()
      }
    } else if (message.kind === 'message') receive(message.data)
    else if (message.kind === 'opened' || (message.kind === 'standing' && !wasOpen)) onOpen()
    else if (message.kind === 'cut') {
      schedule(lossGraceMs, () => connection.set('lost'))
      // Browsers may delay the timers of a hidden leader by up to a minute.
      schedule(maxWaitMs, reconnectIfVisible)
    }
  }

  return {
    /**
     * Connects for one user, whose reads started at `since` (milliseconds): tabs of other users
     * have their own connection.
     */
    start: (person: string, since: number): void => {
      if (started) return
      started = true
      startedAt = since
      inbox.open()
      tabs = joinTabs(person, { onLead: becomeLeader, onMessage: onTabMessage })
      if (tabs) tabs.post({ kind: 'hello' })
      else becomeLeader()
      addEventListener('online', reconnectIfVisible)
      document.addEventListener('visibilitychange', reconnectIfVisible)
    },
    stop: (): void => {
      close()
      tabs?.leave()
      tabs = undefined
      started = false
      isLeader = false
      wasOpen = false
      recentMessages = []
      waitMs = minWaitMs
      inbox.close()
      connection.set('off')
      removeEventListener('online', reconnectIfVisible)
      document.removeEventListener('visibilitychange', reconnectIfVisible)
    },
  }
}

export const live = createLive()
