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
import { maxAtOnce, newestOf } from './newest-refs.ts'
import { listRefFiles, readRefs } from './read-refs.ts'
import { recordRefs } from './record-refs.ts'
import { longSignatureOf } from './signature.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** Builds of one turn: then it is the turn of the others. */
const buildsPerTurn = 5
/** A turn that has taken so long is over as soon as its build is: git may answer about each only when its time is up. */
const turnMs = 5_000
/** From so many on, a push may be still going on: they are looked at when the repository has come to rest. */
const manyChanges = 10
const longestRestMs = 10_000

/** A repository that is followed. */
export interface Followed {
  id: number
  path: string
  /** What `signature` was made of; empty until the first look. */
  files: string[]
  signature: string
  /** The times of `files` at the last look, also where `signature` does not trust them. */
  times: string
  /** Changes that are still to be dealt with. */
  left: RefChange[]
  note?: string | undefined
  /** Since when it has not come to rest; 0 if it has. */
  restless: number
  /** Milliseconds that the last look took: a hundred thousand refs are read one by one. */
  lookTime: number
  /** Whatever changes is told by a notice, and nothing has since the last look. */
  isTold: boolean
}

export const newlyFollowed = (id: number, path: string): Followed => ({
  id,
  path,
  files: [],
  signature: '',
  times: '',
  left: [],
  restless: 0,
  lookTime: 0,
  isTold: false,
})

export interface FollowOptions {
  db: Db
  git: Git
  /** Unix seconds. */
  now: () => number
  /** Starts the build. */
  onHook: (repo: Repo, hook: Hook, source: HookSource) => Promise<unknown>
  log: (message: string) => void
  isStopped: () => boolean
  /** Milliseconds after which a turn has taken long; for tests. */
  turn?: number
}

/** One turn of a repository; answers whether it wants another. Throws where it could not be looked at. */
export async function followRefs(options: FollowOptions, entry: Followed): Promise<boolean> {
  const session = options.git.session(entry.path)
  try {
    if (entry.left.length === 0) {
      const began = performance.now()
      await look(options, entry, session).finally(() => (entry.lookTime = performance.now() - began))
    }
    const end = performance.now() + (options.turn ?? turnMs)
    const isLong = () => performance.now() > end
    for (let count = 0; count < buildsPerTurn && entry.left.length > 0 && !(count > 0 && isLong()); count += 1) {
      // As it is now: it may have been switched off meanwhile, and then stops at once.
      const repo = await findRepo(options.db, entry.id)
      if (options.isStopped() || !repo?.active) {
        entry.left = []
        return false
      }
      const [change] = entry.left
      if (change) await build(options, { repo, entry, change, session })
      entry.left.shift()
    }
    return entry.left.length > 0
  } catch (error) {
    // Looked at anew the next time: what was not dealt with is still different from what is stored.
    entry.left = []
    entry.signature = ''
    throw error
  } finally {
    session.end()
  }
}

type Session = ReturnType<Git['session']>

/** Finds out what is new. */
async function look(options: FollowOptions, entry: Followed, session: Session): Promise<void> {
  const { db, now } = options
  if (entry.files.length > 0 && (await longSignatureOf(entry.files)).text === entry.signature) return
  const gitDir = await findGitDir(entry.path)
  const repo = gitDir && (await findRepo(db, entry.id))
  if (!gitDir || !repo?.active) return
  // The times are taken before the refs: what changes in between is then noticed by the next look.
  const files = [join(gitDir.gitDir, 'HEAD'), ...(await listRefFiles(gitDir.commonDir)).watched]
  const { text, settled } = await longSignatureOf(files)
  const refs = await readRefs(gitDir.commonDir)
  const seen = await listRefs(db, entry.id)
  // The first look learns what is there. Activation looks at once, so that everything after it counts as new.
  if (!seen.delete(markerRef)) await recordRefs(db, entry.id, entry.path, now())
  else {
    // Of a mirror of GitLab: a folder has pull requests as `refs/pull`.
    for (const ref of refs.keys()) if (ref.startsWith('refs/merge-requests/')) refs.delete(ref)
    const changes = await compareRefs(seen, refs)
    const count = changes.present.length + changes.gone.length
    if (count >= manyChanges && !settled && !hasWaited(entry)) return
    await plan(options, { repo, entry, changes, session })
  }
  entry.restless = 0
  entry.files = files
  entry.signature = settled ? text : ''
  entry.times = text
}

/** Whether it has been waited for long enough. */
function hasWaited(entry: Followed): boolean {
  entry.restless ||= performance.now()
  return performance.now() - entry.restless > longestRestMs
}

interface Found {
  repo: Repo
  entry: Followed
  changes: RefChanges
  session: Session
}

async function plan({ db, log, now }: FollowOptions, { repo, entry, changes, session }: Found): Promise<void> {
  const { present, gone } = changes
  await forget(db, repo.id, gone)
  entry.note = undefined
  entry.left = present
  if (present.length <= maxAtOnce) return
  const { built, skipped, note } = await newestOf(present, await session.commitTimes())
  // First these: who dies after it builds the others, and only those.
  await setRefs(db, repo.id, namesOf(skipped), now())
  entry.note = note
  entry.left = built
  log(`${repo.slug}: ${note}`)
}

function* namesOf(changes: readonly RefChange[]): Generator<readonly [name: string, sha: string]> {
  for (const { ref, after } of changes) yield [ref, after]
}

/** docs/api §5.3: a deleted branch, or a pull request that is over, loses its entry in the index of latest builds. */
async function forget(db: Db, repoId: number, refs: readonly string[]): Promise<void> {
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
  { db, log, now, onHook }: FollowOptions,
  { repo, entry, change, session }: { repo: Repo; entry: Followed; change: RefChange; session: Session },
): Promise<void> {
  const take = (tx: Db) => advanceRef(tx, repo.id, change, now())
  try {
    const hook = await hookOf(session, repo, entry.path, change)
    if (hook) await onHook(repo, { ...hook, ...(entry.note && { note: entry.note }) }, { git: session, take })
  } catch (error) {
    if (isPassing(error)) throw error
    // Not repeated: the same commit would fail again for ever.
    const reason = errorMessage(error)
    log(`${repo.slug}: no build for ${change.ref} at ${change.after}: ${reason}`)
  }
  // Where there was no build; else it is done already, with the build, so that who dies in between neither loses nor repeats it.
  await take(db)
}
