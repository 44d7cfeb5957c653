import type { Repo, RepoWithBuild } from '@flightdeck/api'
import { serializeBuild } from '../lib/serialize-json.ts'
import { nextTurn } from '../lib/event-loop.ts'
import { Refusal } from '../lib/refusal.ts'
import type { BuildEventMessage, EventBus } from '../interfaces/events.ts'
import { narrower } from '../store/visibility.ts'
import { createRecentEvents } from './recent-events.ts'
import { logError } from '../lib/log.ts'

/**
 * A page draws no faster; a build of 150 pipelines changes hundreds of times a second and is 90 kB
 * each time.
 */
const maxPauseMs = 100
/**
 * Publishing takes at most a fifth of the time, for builds that cost less than the maximum pause.
 */
const pauseFactor = 4
/** When this many are known, expired pauses are removed. */
const maxPauses = 500

export interface BusOptions {
  /**
   * How long further changes of a build are merged into one event, in milliseconds, given the cost
   * of the last read and encode. Defaults to a small multiple of the cost, up to 100 ms. Always 0:
   * one event per change, for tests of what is published.
   */
  pauseMs?: (costMs: number) => number
}

const pauseByCost = (costMs: number): number => Math.min(maxPauseMs, costMs * pauseFactor)

interface Change {
  read: () => Promise<RepoWithBuild>
  /** The repository's when the build changed. */
  visibility: Repo['visibility'] | undefined
}

/** Clients that connect at the same time, as after a restart, share one result. */
const shareResult = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => (result ??= read())
}

/**
 * Publishes build states: the first change immediately, then at most one event with the latest
 * state per pause. The state is read when the event is sent, so a build with thousands of steps is
 * read and encoded ten times a second, not once per step. Events keep the order of publication; a
 * build that changes while it is queued keeps its position and is sent with its current state. Each
 * event is encoded once, and all subscribers share the text (architecture.md "events").
 */
export function createEventBus({ pauseMs = pauseByCost }: BusOptions = {}): EventBus {
  const recent = createRecentEvents<() => Promise<BuildEventMessage>>()
  /** With how many each passes it on to. */
  const listeners = new Map<(message: BuildEventMessage) => void, () => number>()
  /** By build, the oldest first. */
  const queued = new Map<number, Change>()
  /** When each build can be published again; expired entries are removed. */
  const pauses = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  /** Set while queued events are being published. */
  let publishing: Promise<void> | undefined
  let stopped = false

  function removeExpiredPauses(): void {
    const now = performance.now()
    for (const [id, until] of pauses) if (until <= now) pauses.delete(id)
  }

  async function publishNow(id: number, change: Change): Promise<void> {
    if (listeners.size === 0) return
    if (pauses.size >= maxPauses) removeExpiredPauses()
    const startedAt = performance.now()
    // Until the cost is known, further changes are queued.
    pauses.set(id, Infinity)
    let message: BuildEventMessage
    try {
      message = await messageOf(id, change)
    } finally {
      const now = performance.now()
      pauses.set(id, now + pauseMs(now - startedAt))
    }
    for (const listener of listeners.keys()) {
      try {
        listener(message)
      } catch (error) {
        // One broken reader must not cost the others their event.
        logError('A listener of the event bus failed', error)
      }
    }
  }

  async function messageOf(id: number, { read, visibility }: Change): Promise<BuildEventMessage> {
    const { build, ...repo } = await read()
    return {
      repoId: repo.id,
      buildId: id,
      slug: repo.slug,
      visibility: narrower(repo.visibility, visibility ?? repo.visibility),
      json: `${JSON.stringify(repo).slice(0, -1)},"build":${await serializeBuild(build, JSON.stringify)}}`,
    }
  }

  function failed(id: number, error: unknown): void {
    // A build that has been deleted has no state to publish.
    if (!(error instanceof Refusal && error.status === 404)) logError(`Build ${id} could not be published`, error)
  }

  async function publishQueued(): Promise<void> {
    removeExpiredPauses()
    // Changes that arrive meanwhile are published in the next round.
    const ids = [...queued.keys()]
    for (const id of ids) {
      const change = queued.get(id)
      queued.delete(id)
      if (!change || stopped) continue
      try {
        await publishNow(id, change)
      } catch (error) {
        failed(id, error)
      }
      // Each may be large.
      await nextTurn()
    }
    publishing = undefined
    schedulePublish()
  }

  /**
   * Milliseconds until the queued events can be published: they keep their order, so the longest
   * pause applies.
   */
  function remainingMs(): number {
    const until = Math.max(...[...queued.keys()].map((id) => pauses.get(id) ?? 0))
    const ms = Math.max(0, until - performance.now())
    // The pause is infinite while a build is being published.
    return Number.isFinite(ms) ? ms : maxPauseMs
  }

  function schedulePublish(): void {
    if (stopped || timer || publishing || queued.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      publishing = publishQueued()
    }, remainingMs())
    timer.unref()
  }

  return {
    async publish(id, read, later = read, visibility) {
      if (stopped) return
      const laterChange = { read: later, visibility }
      recent.add(
        id,
        shareResult(() => messageOf(id, laterChange)),
      )
      const isPaused = (pauses.get(id) ?? 0) > performance.now()
      // Queued behind other events, so that subscribers receive builds in order.
      if (!isPaused && queued.size === 0 && !publishing) {
        await publishNow(id, { read, visibility })
        return
      }
      queued.delete(id)
      queued.set(id, laterChange)
      schedulePublish()
    },
    subscribe(listener, readers = () => 1) {
      // A new wrapper, so that the same function can subscribe twice and unsubscribe once.
      const subscriber = (message: BuildEventMessage) => listener(message)
      listeners.set(subscriber, readers)
      return () => {
        listeners.delete(subscriber)
      }
    },
    async recent() {
      const found: { id: number; read: () => Promise<BuildEventMessage>; message: BuildEventMessage }[] = []
      for (const { id, event: read } of recent.list()) {
        if (stopped || !recent.isLatest(id, read) || queued.has(id)) continue
        try {
          found.push({ id, read, message: await read() })
        } catch (error) {
          failed(id, error)
        }
      }
      // Drops entries that a newer event has replaced meanwhile.
      return found.filter(({ id, read }) => recent.isLatest(id, read)).map(({ message }) => message)
    },
    subscribers: () => [...listeners.values()].reduce((sum, readers) => sum + readers(), 0),
    async stop() {
      stopped = true
      clearTimeout(timer)
      queued.clear()
      await publishing
    },
  }
}
