/**
 * Reads what a commit changed, or what differs between two commits, with lines. Pushes decide how
 * much there is to compare, so git runs within limits.
 */
import type { CommitFile, DiffCut } from '@flightdeck/api'
import type { CommitChanges } from '../../interfaces/git.ts'
import { parseList } from './change-list.ts'
import { errorLineOf } from './git-errors.ts'
import { createPatchReader, type FilePatch, type PatchLimits } from './patch.ts'
import { streamGit, type StreamEnd } from './run-git.ts'

/** The number of files whose lines are shown. */
const maxShown = 50
const listBytes = 16 * 1024 * 1024
const patchBytes = 32 * 1024 * 1024
/** The timeout of each of the two git calls. After it, the page shows what was read until then. */
const timeoutMs = 5_000
const limits: PatchLimits = {
  fileLines: 1_000,
  lines: 5_000,
  lineBytes: 2_000,
  fileBytes: 200_000,
  bytes: 1_000_000,
}

/**
 * A merge is compared with its first parent. Renames are detected among at most 400 files, because
 * each file is compared with each other; files larger than 2 MB are not compared (`run-git.ts`).
 */
const diffOptions = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l400']

/** A commit that is compared with its first parent, or with another commit. */
export interface Compared {
  sha: string
  /** The sha of the other commit, in full. */
  from?: string
}

const listArgs = ({ sha, from }: Compared): string[] => {
  const list = ['--raw', '--numstat', '--no-abbrev', '-z']
  if (from !== undefined) return ['diff', ...diffOptions, ...list, from, sha, '--']
  return [
    'log',
    '-1',
    '--no-show-signature',
    '--diff-merges=first-parent',
    '--format=%P%x00',
    ...diffOptions,
    ...list,
    sha,
    '--',
  ]
}
const patchArgs = ({ sha, from }: Compared): string[] => {
  const patch = ['--patch', '--unified=3']
  if (from !== undefined) return ['diff', ...diffOptions, ...patch, from, sha, '--']
  return [
    'log',
    '-1',
    '--no-show-signature',
    '--diff-merges=first-parent',
    '--format=',
    ...diffOptions,
    ...patch,
    sha,
    '--',
  ]
}

type Run = (
  args: readonly string[],
  options: { maxBytes: number; onData: (bytes: Buffer) => boolean },
) => Promise<StreamEnd>

export async function readChanges(
  folder: string,
  environment: Record<string, string>,
  compared: Compared,
  signal?: AbortSignal,
): Promise<CommitChanges & { failure?: string }> {
  const run: Run = (args, options) =>
    streamGit(folder, args, environment, { ...options, timeoutMs, ...(signal && { signal }) })
  const list = await readList(run, compared)
  if (list.failure !== undefined) return list
  const shown = list.files.slice(0, maxShown)
  if (shown.length === 0) return list
  const { patches, missing } = await readPatches(run, compared, shown)
  const files = list.files.map((file, index) =>
    withPatch(file, patches[index], index < maxShown ? missing : ('count' as const)),
  )
  return { ...list, files }
}

async function readList(run: Run, compared: Compared): Promise<CommitChanges & { failure?: string }> {
  const chunks: Buffer[] = []
  const end = await run(listArgs(compared), { maxBytes: listBytes, onData: (bytes) => chunks.push(bytes) > 0 })
  if (end.code !== 0 && chunks.length === 0 && !end.stopped)
    return { parents: [], files: [], failure: errorLineOf(end.stderr, end.code) }
  // `git diff` prints no parents, so the parser gets an empty list.
  const head = compared.from === undefined ? [] : [Buffer.from([0])]
  const { parents, files, count } = await parseList(Buffer.concat([...head, ...chunks]))
  return { parents, files, ...(!end.stopped && { total: count }) }
}

interface Patches {
  patches: FilePatch[]
  /** Why there are fewer patches than files. */
  missing: DiffCut
}

async function readPatches(run: Run, compared: Compared, shown: readonly CommitFile[]): Promise<Patches> {
  const reader = createPatchReader(
    shown.map(({ change }) => (change === 'type' ? 2 : 1)),
    limits,
  )
  const end = await run(patchArgs(compared), {
    maxBytes: patchBytes,
    onData: (bytes) => {
      reader.write(bytes)
      return !reader.isFull()
    },
  })
  return { patches: reader.end(end.code === 0), missing: reader.isFull() ? 'commit' : 'time' }
}

/** `missing` is the reason if the file has no patch. */
function withPatch(file: CommitFile, patch: FilePatch | undefined, missing: DiffCut): CommitFile {
  const cut = patch ? patch.cut : missing
  const { hunks = [], garbled = false, binary = false } = patch ?? {}
  const isBinary = file.binary === true || binary
  return {
    ...file,
    ...(isBinary && { binary: true }),
    ...(garbled && { garbled }),
    ...(hunks.length > 0 && { hunks }),
    // A file without changed lines has no patch, so nothing is truncated.
    ...(cut && !isBinary && hasLines(file) && { cut }),
  }
}

const hasLines = ({ added, deleted }: CommitFile): boolean => added === undefined || added + (deleted ?? 0) > 0
