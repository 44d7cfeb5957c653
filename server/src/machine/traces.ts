import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Folders in which every account of the machine can create files. */
export const sharedFolders = ['/tmp', '/var/tmp', '/dev/shm']

/**
 * Searches once for files of the given accounts and removes them as the account itself, so that a
 * link cannot lead to other files. The account could not have written into folders that it cannot
 * read, and everyone can see the top level of its own folders.
 */
export async function removeTraces(uids: readonly number[], folders: readonly string[] = sharedFolders): Promise<void> {
  for (const uid of await owners(uids, folders)) {
    const args = [...folders, '-xdev', '-depth', '-uid', String(uid), '-delete']
    await run('find', args, { uid, gid: uid, cwd: '/' }).catch(() => {})
  }
}

/** Lists each owner once, however many files it has. */
const listing = 'find "$@" 2>/dev/null | sort -nu'

/** The accounts that own files there; all accounts if that cannot be determined. */
async function owners(uids: readonly number[], folders: readonly string[]): Promise<readonly number[]> {
  const [uid] = uids
  const args = [...folders, '-xdev', '(', ...belongsTo(uids), ')', '-printf', '%U\n']
  const found = await run('/bin/sh', ['-c', listing, 'sh', ...args], { uid, gid: uid, cwd: '/' }).catch(() => null)
  return found ? found.stdout.split('\n').filter(Boolean).map(Number) : uids
}

/** Arguments of `find` for ranges of ids: the accounts of a server are consecutive. */
function belongsTo(uids: readonly number[]): string[] {
  const runs: { from: number; to: number }[] = []
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && uid <= last.to + 1) last.to = uid
    else runs.push({ from: uid, to: uid })
  }
  return runs.flatMap(({ from, to }, index) => [
    ...(index > 0 ? ['-o'] : []),
    '(',
    '-uid',
    `+${from - 1}`,
    '-uid',
    `-${to + 1}`,
    ')',
  ])
}
