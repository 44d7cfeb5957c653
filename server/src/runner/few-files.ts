import { readdirSync } from 'node:fs'
import { lchown, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../machine/account.ts'

/** With more than these a program is quicker. */
const most = 200

interface Entry {
  path: string
  isFolder: boolean
}

/** What lies in a folder, each before the folder that holds it, and it itself last; `null`: too much. No link is followed. */
function listFew(folder: string): Entry[] | null {
  const entries: Entry[] = [{ path: folder, isFolder: true }]
  // The list grows while it is gone through.
  for (const { path, isFolder } of entries) {
    if (!isFolder) continue
    for (const found of readdirSync(path, { withFileTypes: true })) {
      if (entries.length >= most) return null
      entries.push({ path: join(path, found.name), isFolder: found.isDirectory() })
    }
  }
  return entries.toReversed()
}

/** Answers whether it was done. Where nobody else can be at work: links would be looked for before, and followed after. */
const withFew = async (folder: string, work: (entry: Entry) => Promise<void>): Promise<boolean> => {
  try {
    const entries = listFew(folder)
    // Not on this thread: a disk that is busy lets whoever changes a folder wait.
    for (const entry of entries ?? []) await work(entry)
    return entries !== null
  } catch {
    // A program says why, or finds a way.
    return false
  }
}

/** Gives a small folder to an account; itself last, so that the account does not get in before. */
export const giveFew = (folder: string, { uid, gid }: Account): Promise<boolean> =>
  withFew(folder, ({ path }) => lchown(path, uid, gid))

/** Removes a small folder. */
export const removeFew = (folder: string): Promise<boolean> =>
  withFew(folder, ({ path, isFolder }) => (isFolder ? rmdir(path) : unlink(path)))
