import { repoWithBuild } from '@flightdeck/api/shapes'

import { client } from '../../api/client.ts'
import { checkSession, isSignedOut } from '../../api/query-client.ts'
import { mayVisit } from '../../api/session.ts'
import { createStore } from '../../browser/store.ts'
import { createInbox } from './inbox.ts'
import { refetchUnfinished, refetchShown } from './refetch.ts'
import type { BuildEventMessage } from './merge-lists.ts'
import { joinTabs, type Word } from './tabs.ts'

/**
 * `off` before the first connection and when no one is signed in; `back` for a moment after `lost`.
 */
export type Connection = 'off' | 'live' | 'lost' | 'back'
export const connection = createStore<Connection>('off')

/** A disconnection shorter than this is not shown. */
const quietFor = 1_500
const firstWait = 500
const maxWaitMs = 5_000
/** After a connection of this duration, the backoff is reset. */
const steadyAfter = 5_000
const backFor = 3_000
/** After this time a page has its data; running builds are refetched once. */
const settled = 1_000
/**
 * Pings arrive every 30 s (docs/api §4.1). After two missed pings and a margin, the connection
 * counts as dead.
 */
const silentFor = 65_000
/**
 * A joining tab says hello within this time of its first read; the events it may have missed are
 * repeated.
 */
const repeatedFor = 5_000
const maxRepeated = 50
/** A first connection that took this long missed what happened after the first reads. */
const slowStart = 3_000

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
  let silence: ReturnType<typeof setTimeout> | undefined
  let timers: ReturnType<typeof setTimeout>[] = []
  let wait = firstWait
  let wasOpen = false
  let openedAt = 0
  let startedAt = 0
  let asked = false
  let tabs: ReturnType<typeof joinTabs> | undefined
  let started = false
  let leads = false
  /** The leader's recent messages, oldest first. */
  let said: { at: number; data: string }[] = []

  const later = (milliseconds: number, action: () => void): void => {
    timers.push(setTimeout(action, milliseconds))
  }
  const clearTimers = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }

  const opened = (): void => {
    clearTimers()
    openedAt = Date.now()
    asked = false
    const again = wasOpen
    wasOpen = true
    const wasLost = connection.get() === 'lost'
    connection.set(wasLost ? 'back' : 'live')
    if (wasLost) later(backFor, () => connection.set('live'))
    if (leads) tabs?.say({ kind: 'opened' })
    // Refetch only with a session: the stream itself also works for a guest.
    if (again) void checkSession().then(() => (isSignedOut() && !mayVisit()) || refetchShown())
    else if (Date.now() - startedAt > slowStart) refetchShown()
    else {
      const stood = openedAt
      later(settled, () => refetchUnfinished(stood))
    }
  }

  /**
   * The session may have ended; the stream can't show that (architecture.md, "signed out"). Checked
   * once per disconnection.
   */
  const askOnce = (): void => {
    if (asked) return
    asked = true
    void checkSession().then(({ answered }) => {
      asked = answered
    })
  }

  const failed = (silent = false): void => {
    clearTimeout(silence)
    source?.close()
    source = undefined
    if (openedAt === 0) askOnce()
    if (silent || (openedAt > 0 && Date.now() - openedAt >= steadyAfter)) wait = firstWait
    openedAt = 0
    tabs?.say({ kind: 'cut' })
    later(quietFor, () => connection.set('lost'))
    if (silent) open()
    // With jitter: all pages lose a server that restarts at the same moment.
    else later(wait * (1 - Math.random() / 2), open)
    wait = Math.min(wait * 2, maxWaitMs)
  }

  const hear = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => failed(true), silentFor)
  }

  const open = (): void => {
    source?.close()
    openedAt = 0
    source = new EventSource(client.streamUrl('/api/stream'), { withCredentials: true })
    source.addEventListener('open', opened)
    source.addEventListener('error', () => failed())
    // An `EventSource` hides comments, and Drone's ping is one, so Flightdeck also sends an event
    // with this name.
    source.addEventListener('ping', hear)
    source.addEventListener('message', ({ data }) => {
      hear()
      notify(String(data))
      take(String(data))
    })
    hear()
  }

  const notify = (data: string): void => {
    const now = Date.now()
    said = [...said.slice(1 - maxRepeated).filter(({ at }) => now - at < repeatedFor), { at: now, data }]
    tabs?.say({ kind: 'message', data })
  }

  /**
   * For a tab that has just joined. Other tabs have these events already; merging is idempotent.
   */
  const repeat = (): void => {
    for (const { at, data } of said) if (Date.now() - at < repeatedFor) tabs?.say({ kind: 'message', data })
  }

  const take = (data: string): void => {
    const message = parse(data)
    if (message) inbox.add(message)
  }

  const openNow = (): void => {
    if (source) return
    clearTimers()
    later(quietFor, () => connection.set('lost'))
    open()
  }

  /** A page that is visible or online again does not wait for the timer. */
  const hurry = (): void => {
    if (document.visibilityState === 'hidden') {
      // Without a shared connection, a hidden tab closes its own: the browser allows only six per
      // host.
      if (!tabs) close()
    } else if (leads) openNow()
    else if (connection.get() === 'lost') tabs?.say({ kind: 'hurry' })
  }

  const close = (): void => {
    clearTimers()
    clearTimeout(silence)
    source?.close()
    source = undefined
  }

  const lead = (): void => {
    leads = true
    clearTimers()
    if (tabs || document.visibilityState !== 'hidden') open()
  }

  /** The leader responds to messages; the others follow the leader. */
  const heard = (word: Word): void => {
    if (leads) {
      if (word.kind === 'hurry') openNow()
      if (word.kind === 'hello') {
        tabs?.say({ kind: openedAt > 0 ? 'standing' : 'cut' })
        repeat()
      }
    } else if (word.kind === 'message') take(word.data)
    else if (word.kind === 'opened' || (word.kind === 'standing' && !wasOpen)) opened()
    else if (word.kind === 'cut') {
      later(quietFor, () => connection.set('lost'))
      // Browsers may delay the timers of a hidden leader by up to a minute.
      later(maxWaitMs, hurry)
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
      tabs = joinTabs(person, { onLead: lead, onWord: heard })
      if (tabs) tabs.say({ kind: 'hello' })
      else lead()
      addEventListener('online', hurry)
      document.addEventListener('visibilitychange', hurry)
    },
    stop: (): void => {
      close()
      tabs?.leave()
      tabs = undefined
      started = false
      leads = false
      wasOpen = false
      said = []
      wait = firstWait
      inbox.close()
      connection.set('off')
      removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
    },
  }
}

export const live = createLive()
