import { lstatSync, statSync, type BigIntStats } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLruCache } from '../../lib/cache.ts'
import type { GitDir } from '../repositories/git-dir.ts'

/**
 * A file that changed less than this before a check can change again with the same time, because
 * the clock of a file system is coarse.
 */
const racyMs = 1000
/**
 * The maximum size of cached checks: about 1,000 repositories of 300 folders, or 30,000 of a few
 * folders.
 */
const maxBytes = 64 * 1024 * 1024

/**
 * The paths that determine the result of a check: the repository's folders, their owners, and its
 * alternates.
 */
const pathsOf = (repoPath: string, { gitDir, commonDir }: GitDir): string[] => [
  dirname(repoPath),
  repoPath,
  join(repoPath, '.git'),
  gitDir,
  ...['HEAD', 'commondir', 'config'].map((name) => join(gitDir, name)),
  commonDir,
  ...['config', 'shallow', 'refs', 'packed-refs', 'info', 'objects/info/alternates'].map((name) =>
    join(commonDir, name),
  ),
]

const textOf = ({ dev, ino, uid, ctimeNs }: BigIntStats): string => `${dev} ${ino} ${uid} ${ctimeNs},`

/**
 * Identity and change time of these files. Users cannot set the change time. Synchronous, because a
 * `stat` of a cached entry takes a few microseconds, a tenth of what another thread costs.
 */
function stateOf(paths: readonly string[]): { text: string; newest: number } {
  const options = { bigint: true, throwIfNoEntry: false } as const
  let text = ''
  let newest = 0n
  for (const path of paths) {
    const found = lstatSync(path, options)
    const target = found?.isSymbolicLink() ? statSync(path, options) : undefined
    for (const each of [found, target]) {
      text += each ? textOf(each) : ','
      if (each && each.ctimeNs > newest) newest = each.ctimeNs
    }
  }
  return { text, newest: Number(newest / 1_000_000n) }
}

/** Caches the check of a repository until its files change. */
export interface TrustCache<T> {
  /** The result of the last check, if nothing has changed since. */
  get(repoPath: string): T | undefined
  /**
   * Call before a check; the returned function caches the check's result with the folders that it
   * found.
   */
  begin(repoPath: string, gitDir: GitDir): (answer: T, folders: readonly string[]) => void
  clear(): void
}

export function createTrustCache<T>(now: () => number = Date.now, maxSize = maxBytes): TrustCache<T> {
  const entries = createLruCache<{ paths: string[]; text: string; answer: T }>({ maxSize })
  return {
    get(repoPath) {
      const entry = entries.get(repoPath)
      if (!entry) return undefined
      if (stateOf(entry.paths).text === entry.text) return entry.answer
      entries.delete(repoPath)
      return undefined
    },
    begin(repoPath, gitDir) {
      const ownPaths = pathsOf(repoPath, gitDir)
      const startedAt = now()
      const before = stateOf(ownPaths)
      return (answer, folders) => {
        // Changes since then have a newer time, so the current state of the folders can be used.
        const after = stateOf(folders)
        if (Math.max(before.newest, after.newest) > startedAt - racyMs) return
        const paths = [...ownPaths, ...folders]
        const text = before.text + after.text
        entries.set(repoPath, { paths, text, answer })
      }
    },
    clear: () => entries.clear(),
  }
}
