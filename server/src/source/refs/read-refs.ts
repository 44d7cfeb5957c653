import { closeSync, constants, lstatSync, openSync, readSync, type Dir, type Dirent } from 'node:fs'
import { opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textLimits } from '../../lib/truncate-text.ts'
import { chunksOf } from '../text-chunks.ts'
import { absent } from '../repositories/git-dir.ts'
import { readSmallBytes } from '../repositories/small-file.ts'

/** Maps the full name to what the ref points at; for an annotated tag that is the tag object. */
export type Refs = Map<string, string>

/** The files of a repository's loose refs. */
export interface RefFiles {
  /** The full names of the refs that have a file. */
  names: string[]
  /** Files and folders whose modification times show that a ref has changed. */
  watched: string[]
}

const shaPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?/
/**
 * The refs that start builds, as folders below `refs` and as a pattern. Remote branches and notes
 * start no builds.
 */
export interface RefScope {
  roots: readonly string[]
  pattern: RegExp
}

/** Branches, tags and the heads of pull requests. */
const folderScope: RefScope = {
  roots: ['heads', 'tags', 'pull'],
  pattern: /^refs\/(heads\/.+|tags\/.+|pull\/\d+\/head)$/,
}
/** The same for the mirror of a forge. GitLab has merge requests. */
export const mirrorScope: RefScope = {
  roots: [...folderScope.roots, 'merge-requests'],
  pattern: /^refs\/(heads\/.+|tags\/.+|(pull|merge-requests)\/\d+\/head)$/,
}

/** Batch sizes. Other work runs between batches. */
const filesAtOnce = 200
const entriesAtOnce = 1_000
/** The size of a folder entry with some thousands of entries. */
const largeFolder = 64 * 1024
const refsAtOnce = 5_000
const maxPackedBytes = 64 * 1024 * 1024
const lineFeed = 10

/**
 * git replaces a loose ref by a rename, which changes the folder's time, so watching folders is
 * enough.
 */
export async function listRefFiles(commonDir: string, scope = folderScope): Promise<RefFiles> {
  const files: RefFiles = { names: [], watched: [join(commonDir, 'packed-refs'), join(commonDir, 'refs')] }
  for (const root of scope.roots) await listFolder(commonDir, `refs/${root}`, { files, scope })
  return files
}

async function listFolder(
  commonDir: string,
  folder: string,
  into: { files: RefFiles; scope: RefScope },
): Promise<void> {
  const { files, scope } = into
  const path = join(commonDir, folder)
  const size = sizeOfFolder(path)
  const opened = size !== null && (await entriesOf(path, size).catch(absent))
  if (!opened) return
  files.watched.push(path)
  // Read after this folder is closed, because nested folders could exceed the limit of open files.
  const folders: string[] = []
  for await (const entries of opened) {
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(name)
      // Only regular files, because opening a pipe or a device could block.
      else if (entry.isFile() && scope.pattern.test(name) && !name.endsWith('.lock')) files.names.push(name)
    }
  }
  for (const name of folders) await listFolder(commonDir, name, into)
}

/**
 * Links are not followed: a link could point to all files of this machine, and reading them would
 * delay other repositories' refs.
 */
function sizeOfFolder(path: string): number | null {
  try {
    const found = lstatSync(path)
    return found.isDirectory() ? found.size : null
  } catch (error) {
    return absent(error as NodeJS.ErrnoException)
  }
}

/**
 * Passing a list of 100,000 between threads takes 40 ms, but reading ten thousand small folders in
 * batches takes five times as long.
 */
const entriesOf = async (path: string, size: number): Promise<AsyncIterable<Dirent[]> | Dirent[][]> =>
  size > largeFolder
    ? partsOf(await opendir(path, { bufferSize: entriesAtOnce }))
    : [await readdir(path, { withFileTypes: true })]

export async function* partsOf(folder: Dir): AsyncGenerator<Dirent[], void, undefined> {
  let part: Dirent[] = []
  for await (const entry of folder) {
    if (part.push(entry) < entriesAtOnce) continue
    yield part
    part = []
    await nextTurn()
  }
  yield part
}

/** Reads the refs of a repository that can start builds, without a git process. */
export async function readRefs(commonDir: string, scope = folderScope): Promise<Refs> {
  // Reads loose refs before packed ones, so that a ref that `git pack-refs` moves in the meantime
  // is seen twice rather than missed.
  const { names } = await listRefFiles(commonDir, scope)
  const loose: Refs = new Map()
  for (const [index, name] of names.entries()) {
    if (index % filesAtOnce === filesAtOnce - 1) await nextTurn()
    const sha = readLoose(join(commonDir, name))
    if (sha) loose.set(name, sha)
  }
  const refs = await readPacked(join(commonDir, 'packed-refs'), scope)
  let count = 0
  for (const [name, sha] of loose) {
    if ((count += 1) % refsAtOnce === 0) await nextTurn()
    refs.set(name, sha)
  }
  // git does not limit the length of names in `packed-refs`, and each name is stored and compared
  // at every check.
  for (const name of refs.keys()) if (name.length > textLimits.ref) refs.delete(name)
  return refs
}

/** Reads some refs by their full names; missing ones are omitted. The names can be untrusted. */
export async function findRefs(commonDir: string, names: readonly string[]): Promise<Refs> {
  const found: Refs = new Map()
  // Applies those of git's rules that keep a name inside the folder and on one line.
  const plain = names.filter((name) => /^refs\/[^\0-\x20\x7f~^:?*[\\]+$/.test(name) && !name.includes('..'))
  for (const name of plain) {
    const sha = readLoose(join(commonDir, name))
    if (sha) found.set(name, sha)
  }
  const missing = plain.filter((name) => !found.has(name))
  if (missing.length === 0) return found
  const packed = await readSmallBytes(join(commonDir, 'packed-refs'), maxPackedBytes)
  for (const name of missing) {
    const at = packed?.indexOf(` ${name}\n`) ?? -1
    const start = packed && at >= 0 ? packed.lastIndexOf(lineFeed, at) + 1 : 0
    const sha = packed && at >= 0 ? shaPattern.exec(packed.toString('latin1', start, at))?.[0] : undefined
    if (sha) found.set(name, sha)
  }
  return found
}

const beginning = Buffer.alloc(64)

/**
 * Synchronous, because it takes a few microseconds, and another thread half a millisecond per file.
 */
function readLoose(path: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    return shaPattern.exec(beginning.toString('latin1', 0, readSync(file, beginning, 0, beginning.length, 0)))?.[0]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The file was removed or replaced in the meantime.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP') return undefined
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const readPacked = async (path: string, scope?: RefScope): Promise<Refs> =>
  parsePacked((await readSmallBytes(path, maxPackedBytes)) ?? Buffer.alloc(0), scope)

/** Parses `packed-refs` in batches: decoding 64 MB as one string would take 300 ms. */
export async function parsePacked(bytes: Buffer, scope = folderScope): Promise<Refs> {
  const refs: Refs = new Map()
  for await (const lines of chunksOf(bytes, lineFeed)) {
    for (const line of lines) {
      const space = line.indexOf(' ')
      const name = line.slice(space + 1)
      if (space > 0 && shaPattern.test(line) && scope.pattern.test(name)) refs.set(name, line.slice(0, space))
    }
  }
  return refs
}

/** Whether the repository has any ref. */
export async function hasRefs(commonDir: string): Promise<boolean> {
  const { names } = await listRefFiles(commonDir)
  return names.length > 0 || (await readPacked(join(commonDir, 'packed-refs'))).size > 0
}
