import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Where every account of a machine may leave something. */
export const sharedFolders = ['/tmp', '/var/tmp', '/dev/shm']

/**
 * Looks once for what belongs to any of them, and removes it as the account itself, which cannot be led by a link to what is not
 * its own. Folders that it may not read are none that it could have written into; what lies at the top of its own is seen by all.
 */
export async function removeTraces(uids: readonly number[], folders: readonly string[] = sharedFolders): Promise<void> {
  for (const uid of await owners(uids, folders)) {
    const words = [...folders, '-xdev', '-depth', '-uid', String(uid), '-delete']
    await run('find', words, { uid, gid: uid, cwd: '/' }).catch(() => {})
  }
}

/** Each once, however many files there are. */
const listing = 'find "$@" 2>/dev/null | sort -nu'

/** Those that own something there; all of them where it cannot be found out. */
async function owners(uids: readonly number[], folders: readonly string[]): Promise<readonly number[]> {
  const [uid] = uids
  const words = [...folders, '-xdev', '(', ...belongsTo(uids), ')', '-printf', '%U\n']
  const found = await run('/bin/sh', ['-c', listing, 'sh', ...words], { uid, gid: uid, cwd: '/' }).catch(() => null)
  return found ? found.stdout.split('\n').filter(Boolean).map(Number) : uids
}

/** `find`'s words for runs of numbers: the accounts of a server follow one another. */
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
