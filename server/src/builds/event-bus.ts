import type { Repo, RepoWithBuild } from '@flightdeck/api'
import { serializeBuild } from '../lib/serialize-json.ts'
import { nextTurn } from '../lib/event-loop.ts'
import { Refusal } from '../lib/refusal.ts'
import type { BuildEventMessage, EventBus } from '../interfaces/events.ts'
import { narrower } from '../store/visibility.ts'
import { createRecentEvents } from './recent-events.ts'

/** A page draws no faster; a build of 150 pipelines changes hundreds of times a second and is 90 kB each time. */
const defaultMergeMs = 100
/** Before those are forgotten that were told long ago. */
const maxTold = 500

export interface BusOptions {
  /** Changes of one build within this time are told as one. 0: each by itself, for tests of what is published. */
  mergeMs?: number
}

interface Change {
  read: () => Promise<RepoWithBuild>
  /** The repository's when the build changed. */
  visibility: Repo['visibility'] | undefined
}

/** Readers that come at once, as after a restart, share one answer. */
const shared = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined
  return () => (answer ??= ask())
}

/**
 * Tells how builds stand: the first change at once, and what follows within a moment as one event with the latest state,
 * which is read only then: a thousand steps that are skipped are read and encoded ten times a second, not a thousand times.
 * All events keep the order of what was published last; a build that changes while others are told keeps its place, and is
 * told as it is then. Each is encoded once, and all subscribers get the same text (architecture.md "events").
 */
export function createEventBus({ mergeMs = defaultMergeMs }: BusOptions = {}): EventBus {
  const recent = createRecentEvents<() => Promise<BuildEventMessage>>()
  const listeners = new Set<(message: BuildEventMessage) => void>()
  /** By build, the oldest first. */
  const waiting = new Map<number, Change>()
  /** When each build was told last; forgotten when the time to merge is over. */
  const told = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  /** Those that waited are being told. */
  let telling: Promise<void> | undefined
  let stopped = false

  function forget(): void {
    const now = performance.now()
    for (const [id, time] of told) if (now - time >= mergeMs) told.delete(id)
  }

  async function tell(id: number, change: Change): Promise<void> {
    if (told.size >= maxTold) forget()
    told.set(id, performance.now())
    if (listeners.size === 0) return
    const message = await messageOf(id, change)
    for (const listener of listeners) {
      try {
        listener(message)
      } catch (error) {
        // One broken reader must not cost the others their event.
        console.error('A listener of the event bus failed:', error)
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

  /** What one reader has missed by a moment. What is told anew meanwhile reaches it anyway, and must not be taken back. */
  async function catchUp(listener: (message: BuildEventMessage) => void): Promise<void> {
    for (const { id, told: message } of recent.list()) {
      if (!recent.isLatest(id, message) || waiting.has(id)) continue
      try {
        const missed = await message()
        if (!listeners.has(listener) || stopped) return
        if (recent.isLatest(id, message)) listener(missed)
      } catch (error) {
        failed(id, error)
      }
    }
  }

  function failed(id: number, error: unknown): void {
    // A build that was deleted meanwhile has nothing to tell.
    if (!(error instanceof Refusal && error.status === 404)) console.error(`Build ${id} could not be told:`, error)
  }

  async function tellAll(): Promise<void> {
    forget()
    // What comes meanwhile waits for the next time.
    const ids = [...waiting.keys()]
    for (const id of ids) {
      const change = waiting.get(id)
      waiting.delete(id)
      if (!change || stopped) continue
      try {
        await tell(id, change)
      } catch (error) {
        failed(id, error)
      }
      // Each may be large.
      await nextTurn()
    }
    telling = undefined
    wake(mergeMs)
  }

  function wake(after: number): void {
    if (stopped || timer || telling || waiting.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      telling = tellAll()
    }, after)
    timer.unref()
  }

  return {
    async publish(id, read, later = read, visibility) {
      if (stopped) return
      const laterChange = { read: later, visibility }
      recent.note(
        id,
        shared(() => messageOf(id, laterChange)),
      )
      const since = performance.now() - (told.get(id) ?? -Infinity)
      // Also behind others that wait: who hears of two builds hears of them in their order.
      if (since >= mergeMs && waiting.size === 0 && !telling) {
        await tell(id, { read, visibility })
        return
      }
      waiting.delete(id)
      waiting.set(id, laterChange)
      wake(since < mergeMs ? mergeMs - since : mergeMs)
    },
    subscribe(listener, { missed = false } = {}) {
      // A wrapper of its own, so that the same function can subscribe twice and leave once.
      const own = (message: BuildEventMessage) => listener(message)
      listeners.add(own)
      if (missed) void catchUp(own)
      return () => {
        listeners.delete(own)
      }
    },
    subscribers: () => listeners.size,
    async stop() {
      stopped = true
      clearTimeout(timer)
      waiting.clear()
      await telling
    },
  }
}
