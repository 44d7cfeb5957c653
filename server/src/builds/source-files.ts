/**
 * A file of a build's commit, around a line that a log mentions, with the authors of those lines.
 */
import { type Repo, type SourceAuthors, type SourceFile } from '@flightdeck/api'
import { pathInCommit } from '@flightdeck/api/log-paths'
import type { NamedLine, StepKey } from '../interfaces/ci.ts'
import type { Authors, FoundFile } from '../interfaces/sources.ts'
import { countEntries, createLruCache } from '../lib/cache.ts'
import { Refusal } from '../lib/refusal.ts'
import { findBuildByNumber } from '../store/builds.ts'
import { findRepoInternals } from '../store/repos.ts'
import { required, type CiContext } from './context.ts'
import { findLastSuccessfulRun } from './last-successful-run.ts'
import type { FairSemaphore } from './fair-semaphore.ts'

/** Lines before and after the requested one. */
const around = 40
/** Maximum characters of a line. */
const maxWide = 1_000
/** Maximum size of all cached results. */
const maxBytes = 8 * 1024 * 1024
/** Maximum number of remembered timeouts. */
const maxTooSlow = 200
/** Seconds before git is run again for a request that timed out. */
const restSeconds = 60

export interface SourceFiles {
  file(repo: Repo, number: number, named: NamedLine, signal?: AbortSignal): Promise<SourceFile>
  authors(key: StepKey, named: NamedLine, signal?: AbortSignal): Promise<SourceAuthors>
}

const missing = () => new Refusal(404, 'This path is not in the commit')

interface Lines {
  from: number
  to: number
  total: number
  /** The number of the first line. */
  start: number
}

const lineFeed = 10

/**
 * A line beyond the end counts as the last. Scans bytes: one search per line took 65 ms for two
 * million empty lines.
 */
export function linesAround(bytes: Buffer, line: number): Lines {
  let ends = 0
  for (const byte of bytes) if (byte === lineFeed) ends += 1
  // No line follows a final line end.
  const total = Math.max(1, bytes.at(-1) === lineFeed ? ends : ends + 1)
  const middle = Math.min(Math.max(1, line), total)
  const from = Math.max(1, middle - around)
  let start = 0
  for (let before = from - 1; before > 0; start += 1) if (bytes[start] === lineFeed) before -= 1
  return { from, to: Math.min(total, middle + around), total, start }
}

function textOf(bytes: Buffer, { from, to, start }: Lines): string[] {
  const lines: string[] = []
  for (let at = start; lines.length <= to - from;) {
    const end = bytes.indexOf(10, at)
    const last = end === -1 ? bytes.length : end
    // A character has at most four bytes.
    const text = bytes.toString('utf8', at, Math.min(last, at + 4 * maxWide)).replace(/\r$/, '')
    lines.push(text.length > maxWide ? `${text.slice(0, maxWide)}…` : text)
    if (end === -1) break
    at = end + 1
  }
  return lines
}

/** Like git, treats a file with a NUL near its start as binary. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_000).includes(0)

type SourceContext = Pick<CiContext, 'db' | 'git' | 'now'>

/** Two semaphores: reading a file is fast, git blame can take seconds. */
export function createSourceFiles(
  ci: SourceContext,
  gates: { files: FairSemaphore; authors: FairSemaphore },
): SourceFiles {
  const cache = createLruCache<Authors>({ maxSize: maxBytes })
  /** The time of the next attempt, in Unix seconds. */
  const tooSlow = createLruCache<number>({ maxSize: maxTooSlow, sizeOf: countEntries })

  async function open(repo: Repo, number: number): Promise<{ folder: string; sha: string }> {
    const build = required(await findBuildByNumber(ci.db, repo.id, number))
    const { path: folder } = required(await findRepoInternals(ci.db, repo.id))
    // The commit may have been removed from the repository.
    const sha = build.after && (await ci.git.resolve(folder, build.after))
    if (!sha) throw missing()
    return { folder, sha }
  }

  type Found = FoundFile | { kind: 'several'; paths: string[] }

  async function find(
    repo: Repo,
    { folder, sha }: { folder: string; sha: string },
    printed: string,
    signal?: AbortSignal,
  ): Promise<Found> {
    const path = pathInCommit(printed, repo.slug)
    if (path === undefined) throw missing()
    const { sources } = ci.git
    const exact = await sources.find(folder, sha, [path], signal)
    if (exact) return exact
    // Tools that run in a subfolder name files relative to it.
    const [only, ...others] = await sources.endingIn(folder, sha, path, signal)
    if (only !== undefined && others.length > 0) return { kind: 'several', paths: [only, ...others] }
    const found = only === undefined ? null : await sources.find(folder, sha, [only], signal)
    if (!found) throw missing()
    return found
  }

  async function readOnce(key: string, question: () => Promise<Authors | null>): Promise<Authors> {
    const none: Authors = { lines: [], commits: [] }
    const cached = cache.get(key)
    if (cached) return cached
    if ((tooSlow.get(key) ?? 0) > ci.now()) return none
    const answer = await question()
    // Copied: a substring of git's output keeps the whole output in memory, which a pusher can make
    // megabytes.
    if (answer) cache.set(key, structuredClone(answer))
    else tooSlow.set(key, ci.now() + restSeconds)
    return answer ?? none
  }

  /** A failure after the caller has disconnected is ignored. */
  const run = <T>(gate: FairSemaphore, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    gate.run(work).catch((error: unknown) => {
      throw signal?.aborted ? new Refusal(503, 'The client disconnected') : error
    })

  return {
    file: (repo, number, { path, line }, signal) =>
      run(
        gates.files,
        async () => {
          const opened = await open(repo, number)
          const found = await find(repo, opened, path, signal)
          const commit = opened.sha
          if (found.kind === 'several') return { kind: 'several', paths: found.paths, commit }
          if (found.kind !== 'file') return { kind: found.kind, path: found.path, commit }
          if (isBinary(found.bytes)) return { kind: 'binary', path: found.path, commit }
          const lines = linesAround(found.bytes, line)
          const { from, total } = lines
          return {
            kind: 'text',
            path: found.path,
            commit,
            from,
            total,
            lines: textOf(found.bytes, lines),
          }
        },
        signal,
      ),

    authors: (key, { path, line }, signal) =>
      run(
        gates.authors,
        async () => {
          const { repo } = key
          const { folder, sha } = await open(repo, key.number)
          const found = await find(repo, { folder, sha }, path, signal)
          if (found.kind !== 'file' || isBinary(found.bytes)) throw missing()
          const { from, to } = linesAround(found.bytes, line)
          const at = { path: found.path, from, to }
          const baseline = await findLastSuccessfulRun(ci, key)
          const answer = await readOnce(`${repo.id} ${sha} ${from} ${to} ${found.path}`, () =>
            ci.git.sources.authors(folder, sha, at, signal),
          )
          const needsList = baseline !== null && answer.lines.length > 0
          const newer = needsList
            ? await ci.git.sources.listAfter(folder, baseline.build.after, sha, signal)
            : undefined
          return {
            path: found.path,
            ...(baseline && {
              since: { build: baseline.build.number, commit: baseline.build.after },
            }),
            from,
            lines: answer.lines,
            commits: answer.commits.map((commit) => {
              const after = newer?.shas.has(commit.sha)
              return {
                ...commit,
                ...(after !== undefined && (after || newer?.all) && { after }),
              }
            }),
          }
        },
        signal,
      ),
  }
}
