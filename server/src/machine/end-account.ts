import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { readProcesses } from './processes.ts'
import { perServer } from './stage-accounts.ts'
import { removeTraces } from './traces.ts'

const run = promisify(execFile)
const pollMs = 25

/**
 * Ends all processes of an account that only one stage uses. Runs `kill -1` as that account, which
 * signals all its processes at once, even those that fork faster than a scan could find them, and
 * no others.
 */
export async function endAccount({ uid, gid }: Pick<Account, 'uid' | 'gid'>): Promise<void> {
  while ((await listUids()).includes(uid)) {
    await killAll(uid, gid)
    await delay(pollMs)
  }
}

async function killAll(uid: number, gid: number): Promise<void> {
  try {
    await run('/bin/sh', ['-c', 'kill -KILL -1'], { uid, gid, cwd: '/', env: {} })
  } catch (error) {
    // The killing process ended with the others, unless the account is at its process limit: then
    // it cannot start programs, and only a process that switches to the account after its start can
    // act.
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    const become = `process.setgroups([]); process.setgid(${gid}); process.setuid(${uid}); process.kill(-1, 'SIGKILL')`
    await run(process.execPath, ['-e', become], { cwd: '/', env: {} }).catch(() => {})
  }
}

/** The accounts of all living processes. */
async function listUids(): Promise<number[]> {
  return readProcesses((_pid, read) => {
    const text = read('status').toString('latin1')
    return /^State:\s+[ZX]/m.test(text) ? -1 : Number(/^Uid:\s+(\d+)/m.exec(text)?.[1] ?? -1)
  })
}

/** At startup: ends processes that steps of a killed server left running. */
export async function endRange(first: number): Promise<void> {
  const uids = new Set((await listUids()).filter((uid) => uid >= first && uid < first + perServer))
  for (const uid of uids) await endAccount({ uid, gid: uid })
  if (uids.size > 0) await removeTraces([...uids])
}
