import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { readProcesses } from '../../machine/processes.ts'
import { sharedFolders } from '../../machine/traces.ts'

const run = promisify(execFile)
/** A workspace that takes longer to count than this is treated as the largest. */
const countTimeoutMs = 5_000

/** The usage of one disk. */
export interface DiskUsage {
  bytes: number
  inodes: number
}

export interface DiskUsageOptions {
  /** The workspace. */
  folder: string
  /**
   * The account that only this stage uses. Removed files that its processes still have open are
   * counted too.
   */
  uid?: number | undefined
  /** Whether the stage can write to the machine's temporary folders. Requires `uid`. */
  usesShared?: boolean
}

const uncountable: DiskUsage = { bytes: Number.POSITIVE_INFINITY, inodes: Number.POSITIVE_INFINITY }

/**
 * How much a stage uses of the disk that holds its workspace. Infinite if it cannot be counted in 5
 * s or a folder cannot be read. `null` if the workspace does not exist or the system's `find` is
 * not GNU's.
 */
export async function diskUsage({ folder, uid, usesShared = false }: DiskUsageOptions): Promise<DiskUsage | null> {
  try {
    const { dev } = await stat(folder)
    const fds = uid === undefined ? [] : (await processesOf(uid)).map((pid) => `/proc/${pid}/fd`)
    const shared = usesShared ? sharedFolders.join(' ') : ''
    const isRoot = process.geteuid?.() === 0 ? '1' : ''
    const args = [String(dev), isRoot, String(uid ?? ''), folder, dirname(folder), shared, ...fds]
    const { stdout } = await run('/bin/sh', ['-c', countScript, 'usage', ...args], { timeout: countTimeoutMs })
    if (stdout === 'unreadable\n') return uncountable
    const counted = /^(\d+) (\d+)\n$/.exec(stdout)
    return counted && { bytes: Number(counted[1]) * blockBytes, inodes: Number(counted[2]) }
  } catch (error) {
    return error instanceof Error && 'killed' in error && error.killed === true ? uncountable : null
  }
}

/** The unit in which `find` counts, regardless of the disk's block size. */
const blockBytes = 512

/** Counts hard links once. Only a server without root's rights can fail to read a folder. */
const countScript = `
dev=$1 root=$2 uid=$3 folder=$4 parent=$5 shared=$6
shift 6
row='%D %i %y %n %b %m\\n'
{
  find "$folder" -xdev -printf "$row"
  [ -z "$shared" ] || find $shared -xdev -path "$parent" -prune -o -uid "$uid" -printf "$row"
  [ $# = 0 ] || find -L "$@" -maxdepth 1 -type f -links 0 -printf "$row"
} 2>/dev/null | awk -v dev="$dev" -v root="$root" '
  $1 != dev { next }
  $3 == "d" && root == "" && substr("00" $6, length($6)) !~ /^[57]/ { unreadable = 1 }
  $3 != "d" && $4 != 1 && seen[$2]++ { next }
  { blocks += $5; inodes += 1 }
  END { if (unreadable) print "unreadable"; else if (inodes) printf "%.0f %.0f\\n", blocks, inodes }
'`

/** Finds processes by the account that the kernel reports, which a process cannot fake. */
async function processesOf(uid: number): Promise<number[]> {
  const found = await readProcesses((pid, read) => {
    const status = read('status').toString('latin1')
    return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? -1) === uid ? pid : 0
  })
  return found.filter((pid) => pid > 0)
}
