import type { GitReader } from '../../interfaces/git.ts'
import { piecesOf } from '../text-chunks.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { readLooseFile, readLooseObject, readLooseRef } from './loose-objects.ts'
import { isName, shaPattern } from './object-names.ts'
import type { GitObjects } from './objects.ts'
import { parseRawCommit } from './raw-commit.ts'
import type { GitResult } from './run-git.ts'
import { secondsOf } from './git-time.ts'
import { ownObjects } from './repository-view.ts'

const lineFeed = 10

/** Answers like the `GitReader` that it was made of, for one repository. */
export interface GitSession extends GitReader {
  /** What the refs point at (a commit or a tag) → when that was committed, in unix seconds. */
  commitTimes(): Promise<Map<string, number>>
  end(): void
}

interface SessionParts {
  repoPath: string
  objects: GitObjects
  run: (...args: string[]) => Promise<GitResult>
}

/** Throws where the objects are not the repository's own. */
async function ownCommonDir(repoPath: string): Promise<string | null> {
  const found = await findGitDir(repoPath)
  if (found) await ownObjects(found.commonDir)
  return found?.commonDir ?? null
}

/**
 * Reads files directly where possible, then asks the running process; if neither works, `reader` finds the answer or the error. The
 * running process ends before another starts, so limiting sessions limits processes.
 */
export function openSession(reader: GitReader, { repoPath, objects, run }: SessionParts): GitSession {
  const plainly = <T>(ask: () => Promise<T>): Promise<T> => {
    objects.end()
    return ask()
  }
  let commonDir: Promise<string | null> | undefined
  /** Loose objects need no process at all. */
  async function loose<T>(read: (folder: string) => T | null): Promise<T | null> {
    commonDir ??= ownCommonDir(repoPath).catch(() => null)
    const folder = await commonDir
    return folder === null ? null : read(folder)
  }

  return {
    ...reader,
    async resolve(path, name) {
      const exact = name.startsWith('refs/') || shaPattern.test(name)
      if (path !== repoPath || !exact || !isName(name)) return plainly(() => reader.resolve(path, name))
      // The process would have to be waited for, behind all the steps that want a processor.
      const own = await loose((folder) => {
        const sha = shaPattern.test(name) ? name : readLooseRef(folder, name)
        return sha !== null && readLooseObject(folder, sha)?.type === 'commit' ? sha : null
      })
      if (own !== null) return own
      const found = await objects.read(`${name}^{commit}`)
      return found?.type === 'commit' ? found.id : plainly(() => reader.resolve(path, name))
    },
    async commit(path, sha) {
      const asked = path === repoPath && shaPattern.test(sha)
      const own = asked ? await loose((folder) => readLooseObject(folder, sha)) : null
      const found = own ?? (asked ? await objects.read(sha) : null)
      const commit = found?.type === 'commit' ? parseRawCommit(sha, found.bytes) : null
      return commit ?? plainly(() => reader.commit(path, sha))
    },
    async readFile(path, sha, file) {
      const name = file.replace(/^(\.?\/)+/, '')
      const asked = path === repoPath && name !== '' && shaPattern.test(sha)
      const own = asked ? await loose((folder) => readLooseFile(folder, sha, name)) : null
      if (own) return own.toString('utf8')
      const found = asked ? await objects.read(`${sha}:${name}`) : null
      return found?.type === 'blob' ? found.bytes.toString('utf8') : plainly(() => reader.readFile(path, sha, file))
    },
    changes: (path, sha, signal) => plainly(() => reader.changes(path, sha, signal)),
    async commitTimes() {
      // Without names, whose length is unlimited.
      const format = '%(objectname) %(committerdate:unix) %(*committerdate:unix)'
      const { stdout } = await plainly(() =>
        run('for-each-ref', `--format=${format}`, 'refs/heads', 'refs/tags', 'refs/pull'),
      )
      const times = new Map<string, number>()
      for await (const lines of piecesOf(stdout, lineFeed)) {
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
