import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Repo } from '@flightdeck/api'
import { deleteLatest } from '../store/latest.ts'
import type { Db } from '../store/open.ts'
import { deleteRef, listRefs, setRef } from '../store/refs.ts'
import { findRepo, listActiveRepoPaths } from '../store/repos.ts'
import type { GitReader } from './git-types.ts'
import { compareRefs, type RefChange } from './refs/changes.ts'
import { hookOf } from './refs/hook.ts'
import { readRefs } from './refs/read.ts'
import { markerRef, recordRefs } from './refs/record.ts'
import { signatureOf } from './refs/signature.ts'
import { findGitDir } from './repositories/git-dir.ts'
import type { Hook } from './types.ts'

/** A change is seen within one round; 5 s are promised. */
const roundMilliseconds = 1500
/** A round is cut into slices, so that ten thousand repositories do not hold up everything else at once. */
const slices = 15

export interface RefWatcherOptions {
  db: Db
  git: GitReader
  /** Unix seconds. */
  now: () => number
  /** Starts the build. A failure is logged, not repeated: the same commit would fail again for ever. */
  onHook(repo: Repo, hook: Hook): Promise<void>
  log(message: string): void
  round?: number
}

export interface RefWatcher {
  stop(): Promise<void>
}

interface Watched {
  id: number
  path: string
  /** What `readRefs` named; empty until the first reading. */
  files: string[]
  signature: string
  /** What was last said about it. */
  complaint: string
}

const unseen = { files: [], signature: '', complaint: '' }

/** Starts builds for new commits and tags (architecture.md "repositories"). */
export function watchRefs(options: RefWatcherOptions): RefWatcher {
  const { db, git, now } = options
  const watched = new Map<number, Watched>()
  const stopping = new AbortController()
  const stopped = stopping.signal
  const running = run()

  async function run(): Promise<void> {
    while (!stopped.aborted) {
      await round().catch((error: unknown) => options.log(`the refs could not be looked at: ${describe(error)}`))
    }
  }

  async function round(): Promise<void> {
    const began = Date.now()
    const pause = (options.round ?? roundMilliseconds) / slices
    const list = await refreshList().catch((error: unknown) => {
      options.log(`the active repositories could not be listed: ${describe(error)}`)
      return [...watched.values()]
    })
    for (let slice = 0; slice < slices && !stopped.aborted; slice += 1) {
      const from = Math.floor((list.length * slice) / slices)
      for (const entry of list.slice(from, Math.floor((list.length * (slice + 1)) / slices))) {
        await look(entry).then(
          () => complain(entry, ''),
          (error: unknown) => complain(entry, `the refs could not be read: ${describe(error)}`),
        )
      }
      const rest = began + pause * (slice + 1) - Date.now()
      await delay(Math.max(1, rest), undefined, { signal: stopped }).catch(() => {})
    }
  }

  /** Once, not in every round. */
  function complain(entry: Watched, message: string): void {
    if (message && message !== entry.complaint) options.log(`${entry.path}: ${message}`)
    entry.complaint = message
  }

  async function refreshList(): Promise<Watched[]> {
    const active = await listActiveRepoPaths(db)
    const ids = new Set(active.map(({ id }) => id))
    for (const id of watched.keys()) if (!ids.has(id)) watched.delete(id)
    for (const { id, path } of active) {
      if (watched.get(id)?.path !== path) watched.set(id, { id, path, ...unseen })
    }
    return [...watched.values()]
  }

  async function look(entry: Watched): Promise<void> {
    if (entry.files.length > 0 && signatureOf(entry.files).text === entry.signature) return
    const { id, path } = entry
    const gitDir = await findGitDir(path)
    if (!gitDir) return
    // As it is now: only the few that changed are read whole.
    const repo = await findRepo(db, id)
    if (!repo?.active) return
    // Activation records the refs; where that is missing, nothing counts as new. The times are taken before the refs:
    // what changes in between is then noticed by the next look.
    const listed = await readRefs(gitDir.commonDir)
    const files = [join(gitDir.gitDir, 'HEAD'), ...listed.watched]
    const { text, settled } = signatureOf(files)
    const { refs } = await readRefs(gitDir.commonDir)
    const seen = await listRefs(db, repo.id)
    if (seen.size === 0) await recordRefs(db, repo.id, path, now())
    else {
      seen.delete(markerRef)
      for (const change of compareRefs(seen, refs)) await apply(repo, path, change)
    }
    entry.files = files
    entry.signature = settled ? text : ''
  }

  async function apply(repo: Repo, path: string, change: RefChange): Promise<void> {
    if (stopped.aborted) return
    if (change.after === '') {
      await deleteRef(db, repo.id, change.ref)
      // wire.md §5.3: a deleted branch, or a pull request that is over, loses its entry in the index of latest builds.
      const branch = /^refs\/heads\/(.+)$/.exec(change.ref)?.[1]
      if (branch) await deleteLatest(db, repo.id, 'branch', branch)
      const pull = /^refs\/pull\/(\d+)\/head$/.exec(change.ref)?.[1]
      if (pull) await deleteLatest(db, repo.id, 'pull', pull)
      return
    }
    try {
      const hook = await hookOf(git, repo, path, change)
      if (hook) await options.onHook(repo, hook)
    } catch (error) {
      options.log(`${repo.slug}: no build for ${change.ref} at ${change.after}: ${describe(error)}`)
    }
    // After the build exists: who dies in between starts it again rather than never.
    await setRef(db, repo.id, change.ref, change.after, now())
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
