import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isAlive } from '../testing/server-process.ts'
import { endAccount } from './end-account.ts'

vi.setConfig({ testTimeout: 60_000 })
const isRoot = process.geteuid?.() === 0
/** Ids that nothing else has; another file of tests has others. */
const [victim, neighbour] = [1_999_000_001, 1_999_000_002]

let begun: ChildProcess[]
beforeEach(({ skip }) => {
  begun = []
  skip(!isRoot, 'only root starts processes as another account')
})
afterEach(() => {
  for (const child of begun) child.kill('SIGKILL')
})

/** Resolves when the process reports that it is ready. */
async function startAs(uid: number, script: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', script], { uid, gid: uid, cwd: '/', env: {}, detached: true })
  begun.push(child)
  await once(child.stdout, 'data')
  return child
}
const livesOf = (uid: number): string =>
  execFileSync('/bin/sh', ['-c', `ps -o stat= -u ${uid} | grep -v Z || true`], { encoding: 'utf8' })

test('all processes of an account end, whatever they have done, and none of another one', async () => {
  const other = await startAs(neighbour, 'echo ready; exec sleep 1000')
  await startAs(victim, 'trap "" TERM HUP INT; echo ready; while :; do sleep 0.01; done')
  await startAs(victim, '(setsid sh -c "setsid sleep 1000 & sleep 1000" &); echo ready; kill -STOP $$')
  await endAccount({ uid: victim, gid: victim })
  expect(livesOf(victim)).toBe('')
  expect(isAlive(other.pid ?? 0)).toBe(true)
  await endAccount({ uid: neighbour, gid: neighbour })
  expect(livesOf(neighbour)).toBe('')
})

test('also where it has as many processes as it may', async () => {
  const limit = (value: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--nproc=${value}`])
  const known = /^Max processes +(\S+)/m.exec(readFileSync(`/proc/${process.pid}/limits`, 'utf8'))?.[1] ?? ''
  await startAs(victim, 'i=0; while [ $i -lt 12 ]; do sleep 1000 & i=$((i + 1)); done; echo ready; wait')
  // Only the one that can be raised again.
  limit('8:')
  try {
    await endAccount({ uid: victim, gid: victim })
  } finally {
    limit(`${known}:`)
  }
  expect(livesOf(victim)).toBe('')
})
