/**
 * Reads from git what pages about a failed step show. Pushes decide how much there is, so each call
 * has limits.
 */
import type { Authors, SourceReader } from '../../interfaces/sources.ts'
import { parseBlame } from './blame.ts'
import { readChanges } from './changes.ts'
import { createCommitList, type CommitList } from './commit-list.ts'
import { namesEnding } from './names-ending.ts'
import { shaPattern } from './object-names.ts'
import { streamGit, type StreamEnd } from './run-git.ts'

const listTimeout = 4_000
const blameTimeout = 4_000
const fileTimeout = 5_000
const maxCommits = 50
const maxWithout = 1_000
const maxListed = 5_000
/** The maximum size of a file that is read. */
const maxFile = 2 * 1024 * 1024
const listBytes = 4 * 1024 * 1024
const treeBytes = 32 * 1024 * 1024
const maxFound = 10

interface Target {
  folder: string
  signal: AbortSignal | undefined
}
interface Limits {
  timeoutMs: number
  maxBytes: number
}
type GitOutput = StreamEnd & { bytes: Buffer }

const isSha = (...names: string[]): boolean => names.every((name) => shaPattern.test(name))

export function createSourceReader(
  viewOf: (repoPath: string) => Promise<string>,
  environment: Record<string, string>,
): SourceReader {
  const stream = (
    { folder, signal }: Target,
    args: readonly string[],
    limits: Limits,
    onData: (bytes: Buffer) => boolean,
  ): Promise<StreamEnd> =>
    streamGit(folder, ['--literal-pathspecs', ...args], environment, { ...limits, onData, ...(signal && { signal }) })

  async function runQuery(target: Target, args: readonly string[], limits: Limits): Promise<GitOutput> {
    const chunks: Buffer[] = []
    const end = await stream(target, args, limits, (bytes) => chunks.push(bytes) > 0)
    return { ...end, bytes: Buffer.concat(chunks) }
  }

  const open = async (repoPath: string, signal: AbortSignal | undefined): Promise<Target> => ({
    folder: await viewOf(repoPath),
    signal,
  })

  /** The file names are omitted for commits that change very many files. */
  async function list(target: Target, older: string, newer: string): Promise<CommitList | null> {
    const readList = async (withFiles: boolean) => {
      const reader = createCommitList(maxCommits, withFiles)
      const args = [
        'log',
        `--max-count=${maxCommits + 1}`,
        `--format=${reader.format}`,
        '-z',
        '--no-show-signature',
        '--no-color',
        '--no-ext-diff',
        '--no-textconv',
        ...(withFiles ? ['--name-only', '--no-renames'] : []),
        newer,
        `^${older}`,
        '--',
      ]
      const end = await runQuery(target, args, { timeoutMs: listTimeout, maxBytes: listBytes })
      return end.code === 0 && !end.stopped ? reader.read(end.bytes) : null
    }
    return (await readList(true)) ?? readList(false)
  }

  return {
    async between(repoPath, older, newer, signal) {
      if (!isSha(older, newer)) return null
      const target = await open(repoPath, signal)
      const count = ['rev-list', '--count', `--max-count=${maxWithout}`, older, `^${newer}`, '--']
      const counted = await runQuery(target, count, { timeoutMs: listTimeout, maxBytes: 100 })
      // git exits with 128 if it does not have one of the commits.
      if (counted.code === 128 && !counted.stopped) return null
      const found = await list(target, older, newer)
      const without = counted.code === 0 ? Number(counted.bytes.toString().trim()) : undefined
      return { ...(found ?? { more: false }), ...(without !== undefined && { without }) }
    },

    async differentFiles(repoPath, older, newer, signal) {
      if (!isSha(older, newer)) return null
      const folder = await viewOf(repoPath)
      const { files, total, failure } = await readChanges(folder, environment, { sha: newer, from: older }, signal)
      return failure === undefined ? { files, ...(total !== undefined && { total }) } : null
    },

    async find(repoPath, sha, paths, signal) {
      if (!isSha(sha) || paths.length === 0) return null
      const target = await open(repoPath, signal)
      const args = ['ls-tree', '-z', '-l', '--full-tree', sha, '--', ...paths]
      const end = await runQuery(target, args, { timeoutMs: fileTimeout, maxBytes: 64 * 1024 })
      const entries = new Map(entriesOf(end.bytes).map((entry) => [entry.path, entry]))
      const entry = paths.map((path) => entries.get(path)).find((one) => one !== undefined)
      if (!entry) return null
      const { path, mode, id, size } = entry
      if (mode === '040000') return { kind: 'folder', path }
      if (mode === '120000') return { kind: 'link', path }
      if (mode === '160000') return { kind: 'submodule', path }
      if (size > maxFile) return { kind: 'large', path }
      const text = await runQuery(target, ['cat-file', 'blob', id], { timeoutMs: fileTimeout, maxBytes: maxFile })
      return text.code === 0 ? { kind: 'file', path, bytes: text.bytes } : null
    },

    async endingIn(repoPath, sha, ending, signal) {
      if (!isSha(sha) || ending === '') return []
      const finder = namesEnding(ending, maxFound)
      const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', sha]
      const limits = { timeoutMs: listTimeout, maxBytes: treeBytes }
      await stream(await open(repoPath, signal), args, limits, (bytes) => finder.write(bytes))
      return finder.found
    },

    async authors(repoPath, sha, { path, from, to }, signal): Promise<Authors | null> {
      if (!isSha(sha)) return null
      const target = await open(repoPath, signal)
      const args = ['blame', '--porcelain', '-L', `${from},${to}`, sha, '--', path]
      const end = await runQuery(target, args, { timeoutMs: blameTimeout, maxBytes: listBytes })
      if (end.code !== 0 || end.stopped) return null
      const { lines, commits } = parseBlame(end.bytes.toString('utf8'))
      // A boundary commit is the repository's first, or the last one that a shallow clone contains.
      for (const commit of commits.filter(({ border }) => border)) {
        const raw = await runQuery(target, ['cat-file', 'commit', commit.sha], {
          timeoutMs: fileTimeout,
          maxBytes: listBytes,
        })
        if (/^parent /m.test(headOf(raw.bytes))) commit.earliest = true
      }
      return { lines, commits: commits.map(({ border: _border, ...commit }) => commit) }
    },

    async listAfter(repoPath, older, newer, signal) {
      const none = { shas: new Set<string>(), all: false }
      if (!isSha(older, newer)) return none
      if (older === newer) return { ...none, all: true }
      const args = ['rev-list', `--max-count=${maxListed}`, newer, `^${older}`, '--']
      const limits = { timeoutMs: listTimeout, maxBytes: listBytes }
      const end = await runQuery(await open(repoPath, signal), args, limits)
      if (end.code !== 0 || end.stopped) return none
      const shas = end.bytes.toString('latin1').split('\n').filter(Boolean)
      return { shas: new Set(shas), all: shas.length < maxListed }
    },
  }
}

/** The header of a commit, before its message. */
const headOf = (bytes: Buffer): string => {
  const end = bytes.indexOf('\n\n')
  return bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
}

/** The format is `MODE TYPE SHA SIZE`, tab, path, NUL. */
const entriesOf = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const tab = line.indexOf('\t')
      const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/)
      return { mode, id, size: Number(size) || 0, path: line.slice(tab + 1) }
    })
