import { closeSync, constants, opendirSync, openSync, type Dirent } from 'node:fs'
import { lchown, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../machine/account.ts'

/** An external program is faster for more entries than this. */
const maxEntries = 200

interface Entry {
  path: string
  isFolder: boolean
}

/**
 * The entries of a folder; `null` if there are more than `limit`. `readdir` would read all of them,
 * which can be a million.
 */
function entriesOf(path: string, limit: number): Dirent[] | null {
  const folder = opendirSync(path, { bufferSize: limit + 1 })
  try {
    const entries: Dirent[] = []
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length === limit) return null
      entries.push(entry)
    }
    return entries
  } finally {
    folder.closeSync()
  }
}

/**
 * Lists a folder's content, each entry before the folder that contains it, and the folder itself
 * last; `null` if there are too many entries. Follows no links.
 */
function listFew(folder: string): Entry[] | null {
  const entries: Entry[] = [{ path: folder, isFolder: true }]
  // The list grows during the iteration.
  for (const { path, isFolder } of entries) {
    if (!isFolder) continue
    const found = entriesOf(path, maxEntries - entries.length)
    if (found === null) return null
    for (const entry of found) entries.push({ path: join(path, entry.name), isFolder: entry.isDirectory() })
  }
  return entries.toReversed()
}

/**
 * Changes the owner of a small folder; the folder itself last, so that the account cannot enter
 * early. Only safe while no other process uses the folder, because links are checked before they
 * could be replaced. Returns whether it was done.
 */
export async function chownSmallFolder(folder: string, { uid, gid }: Account): Promise<boolean> {
  try {
    const entries = listFew(folder)
    if (entries === null) return false
    const changeOwner = ({ path }: Entry) => lchown(path, uid, gid)
    // Asynchronous, because changing the owner is slow on a busy disk.
    await Promise.all(entries.slice(0, -1).map(changeOwner))
    await Promise.all(entries.slice(-1).map(changeOwner))
    return true
  } catch {
    // The external program reports the error, or succeeds.
    return false
  }
}

/**
 * Removes a small folder, even while other processes use it: each folder is accessed through its
 * open descriptor, so a link that replaces it is not followed. Returns whether it was done;
 * otherwise an external program removes what remains.
 */
export async function removeSmallFolder(folder: string): Promise<boolean> {
  let remaining = maxEntries
  async function empty(path: string): Promise<boolean> {
    const opened = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    try {
      const inside = `/proc/self/fd/${opened}`
      const entries = entriesOf(inside, remaining)
      if (entries === null) return false
      remaining -= entries.length
      // Concurrent, because switching threads costs more than removing a file. All have finished
      // when the folder is closed.
      const removed = await Promise.allSettled(
        entries.map(async (entry) => {
          const found = `${inside}/${entry.name}`
          if (!entry.isDirectory()) await unlink(found)
          else if (await empty(found)) await rmdir(found)
          else throw new Error('too many')
        }),
      )
      return removed.every(({ status }) => status === 'fulfilled')
    } finally {
      closeSync(opened)
    }
  }
  try {
    if (!(await empty(folder))) return false
    await rmdir(folder)
    return true
  } catch {
    return false
  }
}
