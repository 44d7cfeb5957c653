import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Repo } from '@flightdeck/api'
import { deleteLatest } from '../../store/latest.ts'
import type { Db } from '../../store/open.ts'
import { advanceRef, deleteRefs, listRefs, markerRef, setRefs } from '../../store/refs.ts'
import { findRepo } from '../../store/repos.ts'
import type { Git } from '../git/git.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import type { Hook, HookSource } from '../../interfaces/hook.ts'
import { isPassing } from '../../store/writes.ts'
import { compareRefs, type RefChange, type RefChanges } from './ref-changes.ts'
import { hookOf } from './ref-hooks.ts'
import { maxBuilt, newestOf } from './newest-refs.ts'
import { listRefFiles, readRefs } from './read-refs.ts'
import { recordRefs } from './record-refs.ts'
import { longSignatureOf } from './signature.ts'
import { errorMessage } from '../../lib/error-message.ts'

/**
 * Builds per check. The remaining ones wait for the next check, after the checks of other
 * repositories.
 */
const maxBuildsPerCheck = 5
/**
 * A check that takes longer ends after its current build, because each call of git can last until
 * its timeout.
 */
const maxCheckMs = 5_000
/**
 * With this many changes a push may still be running, so they are read after the refs have stopped
 * changing.
 */
const manyChanges = 10
const maxUnsettledMs = 10_000

/** What is known about the refs of one repository. */
export interface RefState {
  id: number
  path: string
  /**
   * Files and folders whose modification times make up `signature`; empty before the first check.
   */
  files: string[]
  /**
   * Empty if the next check must read the refs, for example because the times are too recent to be
   * trusted.
   */
  signature: string
  /** The times of `files` at the last check, even if they are too recent for `signature`. */
  times: string
  /** Changes that have no build yet. */
  pending: RefChange[]
  note?: string | undefined
  /**
   * When the refs started to change without a pause, by `performance.now()`; 0 if they do not
   * change at present.
   */
  unsettledSince: number
  /** How long the last read took; 100,000 refs are read one by one. */
  readMs: number
}

export const newRefState = (id: number, path: string): RefState => ({
  id,
  path,
  files: [],
  signature: '',
  times: '',
  pending: [],
  unsettledSince: 0,
  readMs: 0,
})

export interface CheckOptions {
  db: Db
  git: Git
  /** Returns Unix seconds. */
  now: () => number
  /** Starts the build. */
  onHook: (repo: Repo, hook: Hook, source: HookSource) => Promise<unknown>
  log: (message: string) => void
  isStopped: () => boolean
  maxCheckMs?: number
}

/**
 * Reads the refs of a repository if they have changed, and starts some of the builds for new refs.
 * Returns whether another check is needed for the remaining changes. Throws if the repository
 * cannot be read.
 */
export async function checkRefs(options: CheckOptions, entry: RefState): Promise<boolean> {
  const session = options.git.session(entry.path)
  try {
    if (entry.pending.length === 0) {
      const startedAt = performance.now()
      await findChanges(options, entry, session).finally(() => (entry.readMs = performance.now() - startedAt))
    }
    const end = performance.now() + (options.maxCheckMs ?? maxCheckMs)
    const isOver = () => performance.now() > end
    for (let count = 0; count < maxBuildsPerCheck && entry.pending.length > 0 && !(count > 0 && isOver()); count += 1) {
      // Read the repository again for each build, so that a repository that is disabled in the
      // meantime stops at once.
      const repo = await findRepo(options.db, entry.id)
      if (options.isStopped() || !repo?.active) {
        entry.pending = []
        return false
      }
      const [change] = entry.pending
      if (change) await build(options, { repo, entry, change, session })
      entry.pending.shift()
    }
    return entry.pending.length > 0
  } catch (error) {
    // The next check finds the remaining changes again, because the stored refs still differ.
    entry.pending = []
    entry.signature = ''
    throw error
  } finally {
    session.end()
  }
}

type Session = ReturnType<Git['session']>

/** Compares the refs with those of the last check, and sets `pending`. */
async function findChanges(options: CheckOptions, entry: RefState, session: Session): Promise<void> {
  const { db, now } = options
  if (entry.files.length > 0 && (await longSignatureOf(entry.files)).text === entry.signature) return
  const gitDir = await findGitDir(entry.path)
  const repo = gitDir && (await findRepo(db, entry.id))
  if (!gitDir || !repo?.active) return
  // Reads the times first and the refs second, so that the next check notices a change in between.
  const files = [join(gitDir.gitDir, 'HEAD'), ...(await listRefFiles(gitDir.commonDir)).watched]
  const { text, settled } = await longSignatureOf(files)
  const refs = await readRefs(gitDir.commonDir)
  const recorded = await listRefs(db, entry.id)
  // The first check only stores the refs. Enabling a repository runs it at once, so every later
  // change is new.
  if (!recorded.delete(markerRef)) await recordRefs(db, entry.id, entry.path, now())
  else {
    const changes = await compareRefs(recorded, refs)
    const count = changes.present.length + changes.removed.length
    if (count >= manyChanges && !settled && !hasWaitedLong(entry)) return
    await plan(options, { repo, entry, changes, session })
  }
  entry.unsettledSince = 0
  entry.files = files
  entry.signature = settled ? text : ''
  entry.times = text
}

/** Whether the refs have been changing for too long to wait for a pause. */
function hasWaitedLong(entry: RefState): boolean {
  entry.unsettledSince ||= performance.now()
  return performance.now() - entry.unsettledSince > maxUnsettledMs
}

interface Found {
  repo: Repo
  entry: RefState
  changes: RefChanges
  session: Session
}

async function plan({ db, log, now }: CheckOptions, { repo, entry, changes, session }: Found): Promise<void> {
  const { present, removed } = changes
  await discard(db, repo.id, removed)
  entry.note = undefined
  entry.pending = present
  if (present.length <= maxBuilt) return
  const { built, skipped, note } = await newestOf(present, await session.commitTimes())
  // Skipped refs are stored first, so that only the others are built after a crash.
  await setRefs(db, repo.id, namesOf(skipped), now())
  entry.note = note
  entry.pending = built
  log(`${repo.slug}: ${note}`)
}

function* namesOf(changes: readonly RefChange[]): Generator<readonly [name: string, sha: string]> {
  for (const { ref, after } of changes) yield [ref, after]
}

/**
 * docs/api §5.3: a deleted branch, or a closed pull request, loses its entry in the index of latest
 * builds.
 */
async function discard(db: Db, repoId: number, refs: readonly string[]): Promise<void> {
  for (const [index, ref] of refs.entries()) {
    if (index % 100 === 99) await nextTurn()
    const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
    if (branch) await deleteLatest(db, repoId, 'branch', branch)
    const pull = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1]
    if (pull) await deleteLatest(db, repoId, 'pull', pull)
  }
  await deleteRefs(db, repoId, refs)
}

async function build(
  { db, log, now, onHook }: CheckOptions,
  { repo, entry, change, session }: { repo: Repo; entry: RefState; change: RefChange; session: Session },
): Promise<void> {
  const take = (tx: Db) => advanceRef(tx, repo.id, change, now())
  try {
    const hook = await hookOf(session, repo, entry.path, change)
    if (hook) await onHook(repo, { ...hook, ...(entry.note && { note: entry.note }) }, { git: session, take })
  } catch (error) {
    if (isPassing(error)) throw error
    // No retry, because the same commit would fail again.
    const reason = errorMessage(error)
    log(`${repo.slug}: no build for ${change.ref} at ${change.after}: ${reason}`)
  }
  // For changes without a build. A build stores its ref in its own transaction, so a crash neither
  // loses nor repeats it.
  await take(db)
}
