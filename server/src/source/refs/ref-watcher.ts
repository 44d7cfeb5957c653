import { setTimeout as delay } from 'node:timers/promises'
import { listActiveRepoPaths } from '../../store/repos.ts'
import { isLocal } from './file-systems.ts'
import { followRefs, newlyFollowed, type Followed, type FollowOptions } from './follow-refs.ts'
import { createNotices } from './file-watcher.ts'
import { mayHaveChanged, pathsAtOnce, signatureOf } from './signature.ts'
import { createFairQueue } from './fair-queue.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** A change is seen within one round; 5 s are promised. Most are seen at once, by a notice of the file system. */
const roundMs = 4500
/** A repository that gives notice is read in each twelfth round all the same: a notice may be lost. */
const roundsWithNotices = 12
/** Callers say which repositories are active (`refresh`); the list is read again every three minutes all the same. */
const roundsWithList = 40
/** A round is cut into slices, so that ten thousand repositories do not hold up everything else at once. */
const slices = 45
/** To wake up costs as much as some looks do: so many slices at once where there is little to look at. */
const maxSlicesAtOnce = 5
const looksAtOnce = 100
/** A push changes more than one file. */
const pauseMs = 15
/** Between two turns of a repository that gives notice all the time; and of so many times what a look at it takes, one is a look. */
const restMs = 150
const looksIn = 5
/** After so many a change shows in the times of files for certain (`signature.ts`). */
const settledMs = 1100
/** Repositories that are read at once, each by one git process at most. */
const atOnce = 4

export interface RefWatcherOptions extends Omit<FollowOptions, 'isStopped'> {
  round?: number
  /** Milliseconds after which a change that may not have shown is looked for. */
  settled?: number
  /** Milliseconds between two turns of one that gives notice all the time. */
  rest?: number
  /** Folders that are watched at once; 0: none. */
  notices?: number
}

export interface RefWatcher {
  /** The active repositories are others now. */
  refresh(): void
  stop(): Promise<void>
}

/** Starts builds for new commits and tags (architecture.md "repositories"). */
export function watchRefs(options: RefWatcherOptions): RefWatcher {
  const watched = new Map<number, Followed>()
  /** What was last said about each. */
  const complaints = new Map<number, string>()
  const stopping = new AbortController()
  const stopped = stopping.signal
  const turns = createFairQueue(atOnce, turn)
  const { notices: most } = options
  const notices = createNotices<Followed>({ onChange: soon, onLost: judge, ...(most !== undefined && { most }) })
  /** When each has its next turn by itself, and when its last one was. */
  const alarms = new Map<Followed, NodeJS.Timeout>()
  /** Of these the turn only looks again, and gives way to a notice. */
  const late = new WeakSet<Followed>()
  const turned = new WeakMap<Followed, number>()
  /** It has given no notice since its last turn: whatever comes now need not wait for what this one costs. */
  const rested = new WeakSet<Followed>()
  /** Where everything that changes is told. */
  const local = new WeakMap<Followed, boolean>()
  let refreshing: Promise<unknown> = Promise.resolve()
  let asked: NodeJS.Timeout | undefined
  let rounds = 0
  let slicesAtOnce = 1
  const shortestRest = options.rest ?? restMs
  /** The list could not be read. */
  let stale = false
  const running = run()

  /** Something has changed. Many notices of one push, or of who never rests, are one turn. */
  function soon(entry: Followed): void {
    if (alarms.has(entry) && !late.has(entry)) return
    const since = performance.now() - (turned.get(entry) ?? -Infinity)
    wake(entry, Math.max(pauseMs, restOf(entry) - since))
  }
  const restOf = ({ lookTime }: Followed): number => Math.max(shortestRest, Math.min(looksIn * lookTime, roundMs))
  function wake(entry: Followed, after: number): void {
    clearTimeout(alarms.get(entry))
    late.delete(entry)
    if (stopped.aborted || watched.get(entry.id) !== entry) return
    const timer = setTimeout(() => {
      alarms.delete(entry)
      // What has changed since its turn began is not seen in it.
      if (turns.has(entry)) return wake(entry, restOf(entry))
      // One that takes long to look at rests all the same.
      if (late.has(entry) && restOf(entry) === shortestRest) rested.add(entry)
      turns.add(entry)
    }, after)
    timer.unref()
    alarms.set(entry, timer)
  }

  function judge(entry: Followed): void {
    entry.isTold = entry.signature !== '' && notices.has(entry) && local.get(entry) === true
  }

  /** Watches what the turn has found there, and looks whether something has changed before it did. */
  async function arm(entry: Followed, before: string): Promise<void> {
    const changed = entry.signature !== before || entry.signature === ''
    if (!changed && notices.has(entry)) return
    if (isNew(entry) || watched.get(entry.id) !== entry) return
    if (!local.has(entry)) local.set(entry, await isLocal(entry.path))
    if (stopped.aborted) return
    const isWatched = notices.set(entry, entry.files, before !== '')
    if (isWatched && entry.files.length <= pathsAtOnce && signatureOf(entry.files).text !== entry.times) soon(entry)
    // Not settled: times of files that change now may look as they did.
    if (entry.signature !== '' || alarms.has(entry)) return
    wake(entry, Math.min(options.round ?? settledMs, options.settled ?? settledMs))
    late.add(entry)
  }

  async function run(): Promise<void> {
    while (!stopped.aborted) {
      await round().catch((error: unknown) => options.log(`the refs could not be checked: ${errorMessage(error)}`))
    }
  }

  async function turn(entry: Followed): Promise<boolean> {
    if (rested.delete(entry)) turned.delete(entry)
    else turned.set(entry, performance.now())
    const before = entry.signature
    try {
      const more = await followRefs({ ...options, isStopped: () => stopped.aborted }, entry)
      complaints.delete(entry.id)
      if (!more) await arm(entry, before)
      return more
    } catch (error) {
      complain(entry, `the refs could not be read: ${errorMessage(error)}`)
      return false
    } finally {
      judge(entry)
    }
  }

  async function round(): Promise<void> {
    const began = Date.now()
    const pause = (options.round ?? roundMs) / slices
    if (stale || rounds % roundsWithList === 0) await refresh()
    const list = [...watched.values()]
    rounds += 1
    const placeOf = (slice: number) => Math.floor((list.length * slice) / slices)
    for (let slice = 0; slice < slices && !stopped.aborted;) {
      const next = Math.min(slices, slice + slicesAtOnce)
      const looks = lookAt(list.slice(placeOf(slice), placeOf(next)))
      slicesAtOnce = Math.max(1, Math.min(maxSlicesAtOnce, Math.floor(((next - slice) * looksAtOnce) / looks)))
      slice = next
      const rest = began + pause * slice - Date.now()
      await delay(Math.max(1, rest), undefined, { signal: stopped }).catch(() => {})
    }
  }

  /** Repositories that give notice of everything are skipped, save now and then. Returns how many were read. */
  function lookAt(some: readonly Followed[]): number {
    let looks = 0
    for (const entry of some) {
      if ((entry.isTold && (entry.id + rounds) % roundsWithNotices !== 0) || turns.has(entry)) continue
      looks += 1
      if (mayHaveChanged(entry)) turns.add(entry)
    }
    return looks
  }

  function refresh(): Promise<unknown> {
    refreshing = refreshing.then(refreshList).then(
      // Repositories that were never read come first, not behind those whose slice comes sooner.
      (list) => {
        stale = false
        for (const entry of list.filter(isNew)) turns.add(entry)
      },
      (error: unknown) => {
        stale = true
        options.log(`the active repositories could not be listed: ${errorMessage(error)}`)
      },
    )
    return refreshing
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
      forget(id)
      complaints.delete(id)
    }
    for (const { id, path } of active) {
      if (watched.get(id)?.path === path) continue
      forget(id)
      watched.set(id, newlyFollowed(id, path))
    }
    return [...watched.values()]
  }

  function forget(id: number): void {
    const entry = watched.get(id)
    if (!entry) return
    watched.delete(id)
    notices.drop(entry)
    clearTimeout(alarms.get(entry))
    alarms.delete(entry)
  }

  return {
    refresh() {
      // Ten thousand that become active one after the other are not ten thousand lists.
      asked ??= setTimeout(() => {
        asked = undefined
        void refresh()
      }, restMs)
      asked.unref()
    },
    async stop() {
      stopping.abort()
      notices.stop()
      clearTimeout(asked)
      for (const timer of alarms.values()) clearTimeout(timer)
      await turns.stop()
      await running
    },
  }
}

const isNew = ({ files }: Followed): boolean => files.length === 0
