/**
 * Notifies subscribers when a waiting reason changes although the build does not: another stage
 * took or freed a slot, a runner appeared or disappeared, the queue was paused. A different kind of
 * reason is published soon; a changed queue position is published at intervals, in turn, since a
 * thousand positions change whenever one stage leaves.
 */
import type { WaitingBuild, QueueSnapshot } from './waiting-reasons.ts'
import { createBackgroundTask } from '../../lib/background-task.ts'
import { logError } from '../../lib/log.ts'

export interface WaitingClockOptions {
  readSnapshot: () => Promise<QueueSnapshot>
  /** True if no stage waits and nothing changed since the last check, which is then skipped. */
  isIdle?: () => boolean
  onSnapshot?: (listener: (snapshot: QueueSnapshot) => void) => void
  /** Publishes the build's state to all subscribers. */
  publish: (buildId: number, repoId: number) => Promise<void>
  everyMs?: number
}

/** Builds that are published per check. */
const maxChanged = 100
const maxMoved = 20
/** For each build that has only moved up. */
const movedMs = 2_000

interface Published {
  kinds: string
  texts: string
  at: number
}

const kindsOf = (build: Pick<WaitingBuild, 'reasons'> | undefined): string =>
  (build?.reasons ?? []).map(({ reason }) => reason).join()

export function createWaitingCheck(
  { readSnapshot, isIdle, onSnapshot, publish }: WaitingClockOptions,
  now: () => number = () => performance.now(),
) {
  const published = new Map<number, Published>()
  // Between two checks a page may have read a short-lived state: discard what was published, so the
  // current state is sent again.
  onSnapshot?.(({ builds }) => {
    for (const [id, before] of published) {
      const kinds = kindsOf(builds.get(id))
      if (kinds !== '' && kinds !== before.kinds) published.delete(id)
    }
  })
  return async (stopping?: AbortSignal): Promise<void> => {
    if (isIdle?.()) {
      published.clear()
      return
    }
    const { builds } = await readSnapshot()
    for (const id of published.keys()) if (!builds.get(id)?.reasons.length) published.delete(id)
    const changed: (readonly [number, number, Published])[] = []
    const moved: (readonly [number, number, Published])[] = []
    for (const [id, { reasons, repoId }] of builds) {
      if (reasons.length === 0) continue
      const before = published.get(id)
      // A queue that grows behind a stage does not change its position.
      const kinds = kindsOf({ reasons })
      const texts = reasons.map(({ text }) => text).join('\n')
      if (before?.texts === texts) continue
      const entry = [id, repoId, { kinds, texts, at: now() }] as const
      if (before?.kinds !== kinds) changed.push(entry)
      else if (now() - before.at >= movedMs) moved.push(entry)
    }
    moved.sort(([a], [b]) => (published.get(a)?.at ?? 0) - (published.get(b)?.at ?? 0))
    for (const [id, repoId, entry] of [...changed.slice(0, maxChanged), ...moved.slice(0, maxMoved)]) {
      if (stopping?.aborted) return
      published.set(id, entry)
      await publish(id, repoId)
    }
  }
}

/** `stop` resolves when the current check has ended. */
export function startWaitingClock(options: WaitingClockOptions): { stop(): Promise<void> } {
  const check = createWaitingCheck(options)
  /** Logged once, not twice a second. */
  let failing = false
  const task = createBackgroundTask({
    async run(stopping) {
      await check(stopping)
      failing = false
    },
    onError(error) {
      if (!failing) logError('Waiting reasons could not be published', error)
      failing = true
    },
  })
  const timer = setInterval(() => void task.start(), options.everyMs ?? 500)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return task.stop()
    },
  }
}
