import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

/** The command prefix that runs a command as `account` with the server's read access. */
export type ReadAs = (account: Account) => readonly string[]

/**
 * The arguments of `setpriv`. `right` is ambient, so that programs without file capabilities keep
 * it.
 */
export const readingAs = ({ uid, gid }: Account, right: string): string[] => [
  '--no-new-privs',
  // Also covers `access(2)`, with which git checks permissions.
  '--securebits=+no_setuid_fixup',
  `--inh-caps=-all,+${right}`,
  `--ambient-caps=-all,+${right}`,
  `--bounding-set=-all,+${right}`,
  '--reuid',
  String(uid),
  '--regid',
  String(gid),
  '--clear-groups',
]

/** A container may lack the first capability; its root then reads with the second. */
const rights = ['dac_read_search', 'dac_override']

/**
 * Detects what works on this system, as root; `undefined` if none of the folders `programs` has the
 * `setpriv` of util-linux. `folder` is accessible to root only.
 */
export async function findReadAs(
  folder: string,
  account: Account,
  programs: readonly string[],
): Promise<ReadAs | undefined> {
  const file = join(folder, 'read-trial')
  await writeFile(file, 'read', { mode: 0o600 })
  try {
    for (const right of rights) {
      for (const bin of programs) {
        const readAs: ReadAs = (as) => [join(bin, 'setpriv'), ...readingAs(as, right), '--pdeathsig', 'KILL']
        const [command = '', ...args] = readAs(account)
        const trial = promisify(execFile)(command, [...args, '/bin/cat', file], { cwd: '/' })
        if ((await trial.catch(() => null))?.stdout === 'read') return readAs
      }
    }
    return undefined
  } finally {
    await rm(file, { force: true })
  }
}
