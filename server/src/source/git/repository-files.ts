/**
 * Checks that the files that git will read belong to the repository. A user who can write there
 * could expose another repository with a link, or block git with a pipe. git checks neither.
 */
import { lstatSync, type Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createLruCache, memorySize } from '../../lib/cache.ts'
import { absent } from '../repositories/git-dir.ts'
import { readSmallFile } from '../repositories/small-file.ts'

/** The repository uses files outside its own folder. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere'
  constructor(what: string) {
    super(
      `it stores ${what} outside its own folder, which Flightdeck does not read; run git repack -a -d and remove objects/info/alternates`,
    )
  }
}

export interface OwnObjects {
  objects: string
  /** The folders of the objects. A change in one of them requires another check. */
  folders: string[]
}

/** Folders that git reads besides the 256 folders of loose objects. */
const otherFolders = ['pack', 'info', 'pack/multi-pack-index.d', 'info/commit-graphs']
const isFanOut = (name: string): boolean => /^[0-9a-f]{2}$/.test(name)
/**
 * A file that changed less than this before a check can change again with the same time, because
 * the clock of a file system is coarse.
 */
const racyMs = 1000
/** The maximum size of the cache: about 500 repositories with all 256 folders. */
const maxCleanBytes = 32 * 1024 * 1024
/**
 * The maximum size of a folder entry in its file system: about a hundred thousand files. git packs
 * objects when there are 27 in each folder.
 */
const maxBytes = 4 * 1024 * 1024

/**
 * The folders of each repository that contain no links, with their state. Only changed folders
 * among thousands are checked again.
 */
const clean = createLruCache<ReadonlyMap<string, string>>({
  maxSize: maxCleanBytes,
  sizeOf: (folders, objects) => memorySize(objects) + memorySize([...folders.entries()]),
})

export async function ownObjects(commonDir: string): Promise<OwnObjects> {
  const objects = join(commonDir, 'objects')
  if ((await realpath(objects)) !== join(await realpath(commonDir), 'objects')) throw new Elsewhere('its objects')
  const before = clean.get(objects)
  const after = new Map<string, string>()
  // Checks the size before reading the names, because the folder can be too large for that.
  stateOf(objects)
  const entries = await checkFolder(objects)
  const folders = [objects]
  for (const name of [...entries.map((entry) => entry.name).filter(isFanOut), ...otherFolders]) {
    const folder = join(objects, name)
    const state = stateOf(folder)
    if (!state) continue
    folders.push(folder)
    if (before?.get(name) !== state.text) await checkFolder(folder)
    if (state.settled) after.set(name, state.text)
  }
  clean.set(objects, after)
  const alternates = (await readSmallFile(join(objects, 'info', 'alternates'))) ?? ''
  if (/^[^#\n]/m.test(alternates)) throw new Elsewhere('objects (objects/info/alternates)')
  return { objects, folders }
}

/**
 * The state of a folder, by its change time, which users cannot set. Synchronous, because it takes
 * two microseconds, a tenth of what another thread costs.
 */
function stateOf(folder: string): { text: string; settled: boolean } | null {
  const found = lstatSync(folder, { bigint: true, throwIfNoEntry: false })
  if (!found?.isDirectory()) return null
  const { dev, ino, ctimeNs, size } = found
  if (size > maxBytes) throw new Error(`${folder} holds too many files: run git gc there`)
  return { text: `${dev} ${ino} ${ctimeNs}`, settled: Number(ctimeNs / 1_000_000n) < Date.now() - racyMs }
}

/**
 * Throws if the folder contains anything besides files and folders, which is all that git creates.
 */
async function checkFolder(folder: string): Promise<Dirent[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? []
  for (const entry of entries) {
    if (entry.isSymbolicLink()) throw new Elsewhere(`its objects (${join(folder, entry.name)})`)
    if (!entry.isFile() && !entry.isDirectory()) throw new Error(`${join(folder, entry.name)} is not a regular file`)
  }
  return entries
}

/**
 * Throws if the refs are links: they could be another repository's refs, and git prints the first
 * line of any file that packed-refs links to.
 */
export async function ownRefs(commonDir: string): Promise<void> {
  for (const name of ['refs', 'packed-refs']) {
    const found = await lstat(join(commonDir, name)).catch(absent)
    if (found?.isSymbolicLink()) throw new Elsewhere(name === 'refs' ? 'its refs' : 'its file packed-refs')
    if (found && !found.isFile() && !found.isDirectory())
      throw new Error(`${join(commonDir, name)} is not a regular file`)
  }
}
