import { setTimeout as delay } from 'node:timers/promises'
import { listActiveRepoPaths } from '../../store/repos.ts'
import { followRefs, newlyFollowed, type Followed, type FollowOptions } from './follow.ts'
import { pathsAtOnce, signatureOf } from './signature.ts'
import { createTurns } from './turns.ts'

/** A change is seen within one round; 5 s are promised. */
const roundMilliseconds = 1500
/** A round is cut into slices, so that ten thousand repositories do not hold up everything else at once. */
const slices = 15
/** Repositories that are read at once, each by one git process at most. */
const atOnce = 4

export interface RefWatcherOptions extends Omit<FollowOptions, 'isStopped'> {
  round?: number
}

export interface RefWatcher {
  stop(): Promise<void>
}

/** Starts builds for new commits and tags (architecture.md "repositories"). */
export function watchRefs(options: RefWatcherOptions): RefWatcher {
  const watched = new Map<number, Followed>()
  /** What was last said about each. */
  const complaints = new Map<number, string>()
  const stopping = new AbortController()
  const stopped = stopping.signal
  const turns = createTurns(atOnce, turn)
  const running = run()

  async function run(): Promise<void> {
    while (!stopped.aborted) {
      await round().catch((error: unknown) => options.log(`the refs could not be looked at: ${describe(error)}`))
    }
  }

  async function turn(entry: Followed): Promise<boolean> {
    try {
      const more = await followRefs({ ...options, isStopped: () => stopped.aborted }, entry)
      complaints.delete(entry.id)
      return more
    } catch (error) {
      complain(entry, `the refs could not be read: ${describe(error)}`)
      return false
    }
  }

  async function round(): Promise<void> {
    const began = Date.now()
    const pause = (options.round ?? roundMilliseconds) / slices
    const list = await refreshList().catch((error: unknown) => {
      options.log(`the active repositories could not be listed: ${describe(error)}`)
      return [...watched.values()]
    })
    // Who was never looked at stands in the line from the beginning, not behind those whose slice comes sooner.
    for (const entry of list.filter(isNew)) turns.add(entry)
    for (let slice = 0; slice < slices && !stopped.aborted; slice += 1) {
      const from = Math.floor((list.length * slice) / slices)
      for (const entry of list.slice(from, Math.floor((list.length * (slice + 1)) / slices))) {
        if (!isNew(entry) && !turns.has(entry) && mayHaveChanged(entry)) turns.add(entry)
      }
      const rest = began + pause * (slice + 1) - Date.now()
      await delay(Math.max(1, rest), undefined, { signal: stopped }).catch(() => {})
    }
  }

  function mayHaveChanged({ files, signature }: Followed): boolean {
    // Very many folders are looked at in a turn.
    if (signature === '' || files.length > pathsAtOnce) return true
    try {
      return signatureOf(files).text !== signature
    } catch {
      // The turn says why.
      return true
    }
  }

  /** Once, not in every round. */
  function complain({ id, path }: Followed, message: string): void {
    if (message !== complaints.get(id)) options.log(`${path}: ${message}`)
    complaints.set(id, message)
  }

  async function refreshList(): Promise<Followed[]> {
    const active = await listActiveRepoPaths(options.db)
    const ids = new Set(active.map(({ id }) => id))
    for (const id of watched.keys()) {
      if (ids.has(id)) continue
      watched.delete(id)
      complaints.delete(id)
    }
    for (const { id, path } of active) {
      if (watched.get(id)?.path !== path) watched.set(id, newlyFollowed(id, path))
    }
    return [...watched.values()]
  }

  return {
    async stop() {
      stopping.abort()
      await turns.stop()
      await running
    },
  }
}

const isNew = ({ files }: Followed): boolean => files.length === 0

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
