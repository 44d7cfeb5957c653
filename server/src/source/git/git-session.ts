import type { GitReader } from '../../interfaces/git.ts'
import { chunksOf } from '../text-chunks.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { readLooseFile, readLooseObject, readLooseRef } from './loose-objects.ts'
import { isName, shaPattern } from './object-names.ts'
import type { GitObjects } from './objects.ts'
import { parseRawCommit } from './raw-commit.ts'
import type { GitResult } from './run-git.ts'
import { secondsOf } from './git-time.ts'
import { ownObjects } from './repository-view.ts'

const lineFeed = 10

/** Returns the same results as the `GitReader` that it wraps, for one repository. */
export interface GitSession extends GitReader {
  /** Maps what the refs point at (a commit or a tag) to the commit time, in Unix seconds. */
  commitTimes(): Promise<Map<string, number>>
  end(): void
}

interface SessionParts {
  repoPath: string
  objects: GitObjects
  run: (...args: string[]) => Promise<GitResult>
}

/** Throws if the repository uses the objects of another one. */
async function ownCommonDir(repoPath: string): Promise<string | null> {
  const found = await findGitDir(repoPath)
  if (found) await ownObjects(found.commonDir)
  return found?.commonDir ?? null
}

/**
 * Reads files directly where possible, otherwise through the running process. If neither works,
 * `reader` returns the result or the error. The running process ends before another starts, so
 * limiting sessions limits processes.
 */
export function openSession(reader: GitReader, { repoPath, objects, run }: SessionParts): GitSession {
  const withReader = <T>(read: () => Promise<T>): Promise<T> => {
    objects.end()
    return read()
  }
  let commonDir: Promise<string | null> | undefined
  /** Reads a loose object, which needs no process. */
  async function loose<T>(read: (folder: string) => T | null): Promise<T | null> {
    commonDir ??= ownCommonDir(repoPath).catch(() => null)
    const folder = await commonDir
    return folder === null ? null : read(folder)
  }

  return {
    ...reader,
    async resolve(path, name) {
      const exact = name.startsWith('refs/') || shaPattern.test(name)
      if (path !== repoPath || !exact || !isName(name)) return withReader(() => reader.resolve(path, name))
      // Avoids waiting for the process, which competes with running steps for processors.
      const own = await loose((folder) => {
        const sha = shaPattern.test(name) ? name : readLooseRef(folder, name)
        return sha !== null && readLooseObject(folder, sha)?.type === 'commit' ? sha : null
      })
      if (own !== null) return own
      const found = await objects.read(`${name}^{commit}`)
      return found?.type === 'commit' ? found.id : withReader(() => reader.resolve(path, name))
    },
    async commit(path, sha) {
      const isReadable = path === repoPath && shaPattern.test(sha)
      const own = isReadable ? await loose((folder) => readLooseObject(folder, sha)) : null
      const found = own ?? (isReadable ? await objects.read(sha) : null)
      const commit = found?.type === 'commit' ? parseRawCommit(sha, found.bytes) : null
      return commit ?? withReader(() => reader.commit(path, sha))
    },
    async readFile(path, sha, file) {
      const name = file.replace(/^(\.?\/)+/, '')
      const isReadable = path === repoPath && name !== '' && shaPattern.test(sha)
      const own = isReadable ? await loose((folder) => readLooseFile(folder, sha, name)) : null
      if (own) return own.toString('utf8')
      const found = isReadable ? await objects.read(`${sha}:${name}`) : null
      return found?.type === 'blob' ? found.bytes.toString('utf8') : withReader(() => reader.readFile(path, sha, file))
    },
    changes: (path, sha, signal) => withReader(() => reader.changes(path, sha, signal)),
    async commitTimes() {
      // Omits the names, because their length is unlimited.
      const format = '%(objectname) %(committerdate:unix) %(*committerdate:unix)'
      const { stdout } = await withReader(() =>
        run('for-each-ref', `--format=${format}`, 'refs/heads', 'refs/tags', 'refs/pull'),
      )
      const times = new Map<string, number>()
      for await (const lines of chunksOf(stdout, lineFeed)) {
        for (const line of lines) {
          const [id = '', own, ofTag = ''] = line.split(' ')
          if (id) times.set(id, secondsOf(own || ofTag))
        }
      }
      return times
    },
    end: () => objects.end(),
  }
}
