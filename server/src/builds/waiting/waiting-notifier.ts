/**
 * Tells readers that a reason has changed although the build has not: a place became free for somebody else, a runner came
 * or went, the queue was paused. What waits for something else now is told soon; who has only moved up in the line is told
 * now and then, each in turn, since a thousand move up whenever one leaves.
 */
import type { BuildLook, QueueLook } from './waiting-reasons.ts'
import { logError } from '../../lib/log.ts'

export interface WaitingClockOptions {
  look: () => Promise<QueueLook>
  /** Nothing waits, and nothing has come since that was seen: then there is nothing to look at. */
  isIdle?: () => boolean
  onLook?: (listener: (look: QueueLook) => void) => void
  /** Tells all readers how the build stands. */
  tell: (buildId: number, repoId: number) => Promise<void>
  everyMs?: number
}

/** Builds that are told in one go. */
const maxChanged = 100
const maxMoved = 20
/** For each build that has only moved up. */
const movedMs = 2_000

interface Told {
  kinds: string
  texts: string
  at: number
}

const kindsOf = (build: Pick<BuildLook, 'reasons'> | undefined): string =>
  (build?.reasons ?? []).map(({ reason }) => reason).join()

export function createWaitingCheck(
  { look, isIdle, onLook, tell }: WaitingClockOptions,
  now: () => number = () => performance.now(),
) {
  const told = new Map<number, Told>()
  // Between two checks a page may have read, and shows, what was true for a moment only: then what was told before is news.
  onLook?.(({ builds }) => {
    for (const [id, before] of told) {
      const kinds = kindsOf(builds.get(id))
      if (kinds !== '' && kinds !== before.kinds) told.delete(id)
    }
  })
  return async (): Promise<void> => {
    if (isIdle?.()) {
      told.clear()
      return
    }
    const { builds } = await look()
    for (const id of told.keys()) if (!builds.get(id)?.reasons.length) told.delete(id)
    const changed: (readonly [number, number, Told])[] = []
    const moved: (readonly [number, number, Told])[] = []
    for (const [id, { reasons, repoId }] of builds) {
      if (reasons.length === 0) continue
      const before = told.get(id)
      // A queue that grows behind a stage does not change its position.
      const kinds = kindsOf({ reasons })
      const texts = reasons.map(({ text }) => text).join('\n')
      if (before?.texts === texts) continue
      const entry = [id, repoId, { kinds, texts, at: now() }] as const
      if (before?.kinds !== kinds) changed.push(entry)
      else if (now() - before.at >= movedMs) moved.push(entry)
    }
    moved.sort(([a], [b]) => (told.get(a)?.at ?? 0) - (told.get(b)?.at ?? 0))
    for (const [id, repoId, entry] of [...changed.slice(0, maxChanged), ...moved.slice(0, maxMoved)]) {
      told.set(id, entry)
      await tell(id, repoId)
    }
  }
}

export function startWaitingClock(options: WaitingClockOptions): { stop(): void } {
  const check = createWaitingCheck(options)
  let working = false
  let stopped = false
  /** Said once, not twice a second. */
  let failing = false
  const timer = setInterval(() => {
    if (working) return
    working = true
    check()
      .then(
        () => {
          failing = false
        },
        (error: unknown) => {
          // At the end of the server the database goes away under the last look.
          if (!failing && !stopped) logError('Waiting reasons could not be published', error)
          failing = true
        },
      )
      .finally(() => {
        working = false
      })
  }, options.everyMs ?? 500)
  timer.unref()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
