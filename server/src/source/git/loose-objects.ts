import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { shaPattern } from './object-names.ts'

/**
 * Loose objects, such as those of a recent push. Reading one directly costs a fraction of a
 * process.
 */
export interface LooseObject {
  type: string
  bytes: Buffer
}

/**
 * The maximum size of an object that is read directly, because the event loop waits. git reads
 * larger ones.
 */
const maxBytes = 256 * 1024
/**
 * The maximum size of all objects on the path to a file. A tree of 256 KB takes 5 ms, and pushes
 * decide how many there are.
 */
const maxTotalBytes = 512 * 1024
/** The maximum depth of nested folders. */
const maxLevels = 20

/**
 * Returns `null` if the object is packed, larger than `maxSize` bytes or invalid; git reads it
 * then.
 */
export function readLooseObject(commonDir: string, id: string, maxSize = maxBytes): LooseObject | null {
  try {
    const packed = readSmallFile(join(commonDir, 'objects', id.slice(0, 2), id.slice(2)))
    if (!packed) return null
    const raw = inflateSync(packed, { maxOutputLength: Math.min(maxSize, maxBytes) })
    // Accepts the file only if its content has this hash, since any file could have this name.
    const hash = createHash(id.length === 40 ? 'sha1' : 'sha256')
    if (hash.update(raw).digest('hex') !== id) return null
    const end = raw.indexOf(0)
    const [type = ''] = raw.toString('latin1', 0, end).split(' ')
    return end === -1 ? null : { type, bytes: raw.subarray(end + 1) }
  } catch {
    return null
  }
}

/**
 * The target of a ref that has its own file; `null` if the ref is packed, symbolic, or not valid
 * for git (a lock, a hidden file). The value is untrusted until it is known to be an object of the
 * repository, because pushes and local users can write any file here.
 */
export function readLooseRef(commonDir: string, name: string): string | null {
  if (!name.startsWith('refs/') || /\/\.|\.lock(?:\/|$)/.test(name)) return null
  try {
    const text = readSmallFile(join(commonDir, name))?.toString('latin1').trimEnd() ?? ''
    return shaPattern.test(text) ? text : null
  } catch {
    return null
  }
}

function readSmallFile(path: string): Buffer | null {
  // Does not follow a link or wait for a pipe that replaces the file.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= maxBytes ? readFileSync(file) : null
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a file of a commit synchronously, if all objects on the path to it are loose and small
 * enough.
 */
export function readLooseFile(commonDir: string, sha: string, path: string): Buffer | null {
  const names = path.split('/', maxLevels + 2)
  if (names.length > maxLevels + 1) return null
  let left = maxTotalBytes
  const read = (id: string): LooseObject | null => {
    const object = left > 0 ? readLooseObject(commonDir, id, left) : null
    left -= object?.bytes.length ?? 0
    return object
  }
  const commit = read(sha)
  if (commit?.type !== 'commit') return null
  const [, tree] = /^tree ([0-9a-f]{40,64})\n/.exec(commit.bytes.toString('latin1', 0, 80)) ?? []
  let object = tree === undefined ? null : read(tree)
  for (const name of names) {
    const id = object?.type === 'tree' ? findEntry(object.bytes, name, sha.length / 2) : null
    object = id === null ? null : read(id)
  }
  return object?.type === 'blob' ? object.bytes : null
}

/** A tree is a list of entries: mode, space, name, NUL, the bytes of the id. */
function findEntry(tree: Buffer, name: string, idBytes: number): string | null {
  const nameBytes = Buffer.from(name)
  for (let at = 0; at < tree.length;) {
    const blank = tree.indexOf(0x20, at)
    const end = tree.indexOf(0, blank)
    if (blank === -1 || end === -1) return null
    const next = end + 1 + idBytes
    if (tree.subarray(blank + 1, end).equals(nameBytes)) return tree.toString('hex', end + 1, next)
    at = next
  }
  return null
}
