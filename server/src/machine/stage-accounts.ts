import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Account } from './account.ts'

/** Gives each running stage an account that nothing else has. */
export interface StageAccounts {
  /** The first id of a range of its own, if there is one. */
  first?: number
  claim(): Account | undefined
  release(account: Account | undefined): void
}

/** More than can run at once (`--capacity`), so that an id is not used again soon. */
export const perServer = 2000

/**
 * Ids that no system gives to people or services. The first are outside of what distributions, containers and systemd
 * use; the second serve where the ids end at 65,536 (root in a container that has a user namespace).
 */
const ranges = [
  { from: 1_900_000_000, servers: 100_000 },
  { from: 30_000, servers: 10 },
]

/** The range of one server, by the mark of its data folder: two servers on one machine have different ones. */
export async function findRange(mark: string): Promise<number | null> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '0 0 4294967295')
  const mapped = map
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const isMapped = (first: number) =>
    mapped.some(([from = 0, , count = 0]) => first >= from && first + perServer <= from + count)
  const number = createHash('sha256').update(mark).digest().readUInt32BE(0)
  const first = ranges.map(({ from, servers }) => from + (number % servers) * perServer).find(isMapped)
  return first ?? null
}

export function stageAccounts(first: number): StageAccounts {
  const used = new Set<number>()
  let next = 0
  return {
    first,
    claim() {
      for (let tries = 0; tries < perServer; tries += 1) {
        const uid = first + (next++ % perServer)
        if (used.has(uid)) continue
        used.add(uid)
        return { name: `user ${uid}`, uid, gid: uid, exclusive: true }
      }
      throw new Error('all accounts of steps are in use')
    },
    release(account) {
      if (account) used.delete(account.uid)
    },
  }
}

/** All stages share one account: the named one, or the server's. */
export const oneAccount = (account: Account | undefined): StageAccounts => ({ claim: () => account, release() {} })
