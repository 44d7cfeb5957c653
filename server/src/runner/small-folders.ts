import { closeSync, constants, opendirSync, openSync, type Dirent } from 'node:fs'
import { lchown, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../machine/account.ts'

/** With more than these a program is quicker. */
const maxEntries = 200

interface Entry {
  path: string
  isFolder: boolean
}

/** Of a folder; `null`: there are more than `limit`. A list of all would be read whole, a million files long, before anybody counts. */
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

/** What lies in a folder, each before the folder that holds it, and it itself last; `null`: too much. No link is followed. */
function listFew(folder: string): Entry[] | null {
  const entries: Entry[] = [{ path: folder, isFolder: true }]
  // The list grows during iteration.
  for (const { path, isFolder } of entries) {
    if (!isFolder) continue
    const found = entriesOf(path, maxEntries - entries.length)
    if (found === null) return null
    for (const entry of found) entries.push({ path: join(path, entry.name), isFolder: entry.isDirectory() })
  }
  return entries.toReversed()
}

/**
 * Changes the owner of a small folder; the folder itself last, so that the account cannot enter early. Only safe while no other
 * process uses it: links are checked first and followed afterwards. Returns whether it was done.
 */
export async function chownSmallFolder(folder: string, { uid, gid }: Account): Promise<boolean> {
  try {
    const entries = listFew(folder)
    if (entries === null) return false
    const give = ({ path }: Entry) => lchown(path, uid, gid)
    // Asynchronous: a busy disk delays changes of owner.
    await Promise.all(entries.slice(0, -1).map(give))
    await Promise.all(entries.slice(-1).map(give))
    return true
  } catch {
    // A program says why, or finds a way.
    return false
  }
}

/**
 * Removes a small folder, even while other processes use it: each folder is accessed by its open descriptor, so a link that replaces
 * it is not followed. Returns whether it was done; a program removes the rest.
 */
export async function removeSmallFolder(folder: string): Promise<boolean> {
  let left = maxEntries
  async function empty(path: string): Promise<boolean> {
    const opened = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    try {
      const inside = `/proc/self/fd/${opened}`
      const entries = entriesOf(inside, left)
      if (entries === null) return false
      left -= entries.length
      // All at once: the way to another thread and back costs more than a file. None is left when the folder is closed.
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
