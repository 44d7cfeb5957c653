/** What a commit changed, or what differs between two, with lines. Read from git within limits, since pushes decide how much there is to compare. */
import type { CommitFile, DiffCut } from '@flightdeck/api'
import type { CommitChanges } from '../../interfaces/git.ts'
import { parseList } from './change-list.ts'
import { errorLineOf } from './git-errors.ts'
import { createPatchReader, type FilePatch, type PatchLimits } from './patch.ts'
import { streamGit, type StreamEnd } from './run-git.ts'

/** Files whose lines are shown. */
const maxShown = 50
const listBytes = 16 * 1024 * 1024
const patchBytes = 32 * 1024 * 1024
/** For each of the two calls of git. After it, the page shows what was read until then. */
const timeoutMs = 5_000
const limits: PatchLimits = {
  fileLines: 1_000,
  lines: 5_000,
  lineBytes: 2_000,
  fileBytes: 200_000,
  bytes: 1_000_000,
}

/**
 * A merge is compared with its first parent. Renames are detected among at most 400 files, since each is compared with
 * each; files larger than 2 MB are not compared (`run.ts`).
 */
const how = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l400']

/** One commit against its first parent, or against another commit. */
export interface Compared {
  sha: string
  /** A full sha. */
  from?: string
}

const listQuestion = ({ sha, from }: Compared): string[] => {
  const list = ['--raw', '--numstat', '--no-abbrev', '-z']
  if (from !== undefined) return ['diff', ...how, ...list, from, sha, '--']
  return [
    'log',
    '-1',
    '--no-show-signature',
    '--diff-merges=first-parent',
    '--format=%P%x00',
    ...how,
    ...list,
    sha,
    '--',
  ]
}
const patchQuestion = ({ sha, from }: Compared): string[] => {
  const patch = ['--patch', '--unified=3']
  if (from !== undefined) return ['diff', ...how, ...patch, from, sha, '--']
  return ['log', '-1', '--no-show-signature', '--diff-merges=first-parent', '--format=', ...how, ...patch, sha, '--']
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
  const end = await run(listQuestion(compared), { maxBytes: listBytes, onData: (bytes) => chunks.push(bytes) > 0 })
  if (end.code !== 0 && chunks.length === 0 && !end.stopped)
    return { parents: [], files: [], failure: errorLineOf(end.stderr, end.code) }
  // `git diff` names no parents.
  const head = compared.from === undefined ? [] : [Buffer.from([0])]
  const { parents, files, count } = await parseList(Buffer.concat([...head, ...chunks]))
  return { parents, files, ...(!end.stopped && { total: count }) }
}

interface Patches {
  patches: FilePatch[]
  /** Why there are not as many as files. */
  missing: DiffCut
}

async function readPatches(run: Run, compared: Compared, shown: readonly CommitFile[]): Promise<Patches> {
  const reader = createPatchReader(
    shown.map(({ change }) => (change === 'type' ? 2 : 1)),
    limits,
  )
  const end = await run(patchQuestion(compared), {
    maxBytes: patchBytes,
    onData: (bytes) => {
      reader.write(bytes)
      return !reader.isFull()
    },
  })
  return { patches: reader.end(end.code === 0), missing: reader.isFull() ? 'commit' : 'time' }
}

/** `missing`: why there would be no patch. */
function withPatch(file: CommitFile, patch: FilePatch | undefined, missing: DiffCut): CommitFile {
  const cut = patch ? patch.cut : missing
  const { hunks = [], garbled = false, binary = false } = patch ?? {}
  const isBinary = file.binary === true || binary
  return {
    ...file,
    ...(isBinary && { binary: true }),
    ...(garbled && { garbled }),
    ...(hunks.length > 0 && { hunks }),
    // Nothing is missing where there is nothing to compare.
    ...(cut && !isBinary && hasLines(file) && { cut }),
  }
}

const hasLines = ({ added, deleted }: CommitFile): boolean => added === undefined || added + (deleted ?? 0) > 0
