import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { lookAtProcesses } from './processes.ts'
import { perServer } from './stage-accounts.ts'
import { removeTraces } from './traces.ts'

const run = promisify(execFile)
const pollMs = 25

/**
 * Ends all that runs as an account which nothing but one stage has. As that account itself: `kill -1` reaches all its
 * processes at once, also those that start others faster than anybody could look for them, and none of anybody else.
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
    // What ends them has ended with them, unless the account has as many processes as it may: then it starts no program, and only who
    // became it after its start can do anything.
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    const become = `process.setgroups([]); process.setgid(${gid}); process.setuid(${uid}); process.kill(-1, 'SIGKILL')`
    await run(process.execPath, ['-e', become], { cwd: '/', env: {} }).catch(() => {})
  }
}

/** The accounts of all living processes. */
async function listUids(): Promise<number[]> {
  return lookAtProcesses((_pid, read) => {
    const text = read('status').toString('latin1')
    return /^State:\s+[ZX]/m.test(text) ? -1 : Number(/^Uid:\s+(\d+)/m.exec(text)?.[1] ?? -1)
  })
}

/** At a start: what a killed server's steps left running. */
export async function endRange(first: number): Promise<void> {
  const uids = new Set((await listUids()).filter((uid) => uid >= first && uid < first + perServer))
  for (const uid of uids) await endAccount({ uid, gid: uid })
  if (uids.size > 0) await removeTraces([...uids])
}
