import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Account } from './account.ts'

/** Gives each running stage an account of its own. */
export interface StageAccounts {
  /** The first id of the server's own range, if it has one. */
  first?: number
  claim(): Account | undefined
  release(account: Account | undefined): void
}

/** More ids than `--capacity`, so that an id is not soon reused. */
export const perServer = 2000

/**
 * Ids that no system assigns to users or services. The first range is outside those of
 * distributions, containers and systemd; the second is for systems whose ids end at 65,536 (root in
 * a container with a user namespace).
 */
const ranges = [
  { from: 1_900_000_000, servers: 100_000 },
  { from: 30_000, servers: 10 },
]

/** The ids that exist in this server's user namespace. */
async function readIdRanges(): Promise<{ from: number; end: number }[]> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '0 0 4294967295')
  return map
    .trim()
    .split('\n')
    .map((row) => {
      const [from = 0, , count = 0] = row.trim().split(/\s+/).map(Number)
      return { from, end: from + count }
    })
}

/** Whether root can become this account: a user namespace may have only some ids. */
export const hasId = async (uid: number): Promise<boolean> =>
  (await readIdRanges()).some(({ from, end }) => uid >= from && uid < end)

/**
 * The range of one server, derived from the mark of its data folder, so that two servers on one
 * machine use different ids.
 */
export async function findRange(mark: string): Promise<number | null> {
  const ids = await readIdRanges()
  const isMapped = (first: number) => ids.some(({ from, end }) => first >= from && first + perServer <= end)
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
