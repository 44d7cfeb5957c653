import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endOrphans, endProcesses } from './end-processes.ts'
import { ticksNow } from '../../machine/processes.ts'
import { findProcesses } from './find-processes.ts'
import { folderMark, markVariable, newMark } from '../../machine/process-mark.ts'
import { createPipes, type Pipes } from './output-pipes.ts'
import { runProcess } from './run-process.ts'

let folder: string
let mark: string
let pipes: Pipes
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-run-'))
  mark = await folderMark(folder)
  pipes = createPipes(join(folder, 'pipes'))
})
afterEach(async () => {
  await endOrphans(folder, 0)
  await pipes.close()
  await rm(folder, { recursive: true })
})

const env = { PATH: process.env['PATH'] ?? '' }
function run(script: string, onOutput?: (bytes: Uint8Array) => Promise<void>, signal = new AbortController().signal) {
  const chunks: Uint8Array[] = []
  const output = async (bytes: Uint8Array) => {
    chunks.push(bytes)
    await onOutput?.(bytes)
  }
  const options = { command: '/bin/sh', args: ['-c', script], cwd: folder, env, pipes, folderMark: mark }
  const result = runProcess({ ...options, signal, onOutput: output })
  return result.then((told) => ({ ...told, output: Buffer.concat(chunks) }))
}
const alive = () => findProcesses({ mark })

test('both outputs arrive in order, also through /dev/stdout', async () => {
  const { code, output } = await run('echo 1; echo 2 >&2; echo 3 >/dev/stdout; echo 4 >&2; exit 7')
  expect(output.toString()).toBe('1\n2\n3\n4\n')
  expect(code).toBe(7)
})

test('input is empty and the environment has only the given variables', async () => {
  const { output } = await run('cat; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | sort | cut -d= -f1')
  expect(output.toString()).toBe(`${markVariable}\nPATH\n`)
})

test('10 MB of output arrive complete, through a reader that is slower than the writer', async () => {
  const { output } = await run('head -c 10485760 /dev/zero', () => new Promise((resolve) => setImmediate(resolve)))
  expect(output.length).toBe(10 * 1024 * 1024)
})

test('a command that does not exist ends with 127', async () => {
  expect((await run('no-such-command')).code).toBe(127)
})

test('a program that does not exist is an error', async () => {
  const options = { command: '/no/such', args: [], cwd: folder, env, pipes, folderMark: mark }
  await expect(
    runProcess({ ...options, signal: new AbortController().signal, onOutput: async () => {} }),
  ).rejects.toThrow('ENOENT')
})

test('background processes of a step end with it', async () => {
  const { code, output } = await run('sleep 1000 & setsid sleep 1000 & echo started')
  expect(code).toBe(0)
  expect(output.toString()).toBe('started\n')
  expect(await alive()).toEqual([])
})

test('a child process without the mark is found through its session', async () => {
  const { code } = await run('env -i sleep 1000 & echo started')
  expect(code).toBe(0)
})

test('an abort ends the step and all its child processes, even those that ignore TERM @system', async () => {
  const stop = new AbortController()
  const script = `trap '' TERM; setsid sh -c 'trap "" TERM; echo ready; sleep 1000; sleep 1000' & wait; sleep 1000`
  const result = await run(script, async () => stop.abort(), stop.signal)
  expect(result.killed).toBe(true)
  expect(await alive()).toEqual([])
})

test('an abort ends processes that are stopped, left the session twice, or keep starting others @system', async () => {
  const stop = new AbortController()
  const script = `
    setsid sh -c 'kill -STOP $$' &
    (setsid sh -c 'trap "" TERM HUP; setsid sleep 1000 & sleep 1000' &)
    setsid sh -c 'trap "" TERM; while :; do sleep 0.01; done' &
    until grep -q '^State:.T' /proc/$!/status /proc/[0-9]*/status 2>/dev/null; do sleep 0.02; done
    echo ready
    kill -STOP $$`
  const result = await run(script, async () => stop.abort(), stop.signal)
  expect(result.killed).toBe(true)
  expect(await alive()).toEqual([])
})

test('an abort before the start also ends the step', async () => {
  expect((await run('sleep 1000', undefined, AbortSignal.abort())).killed).toBe(true)
})

test('output that cannot be stored ends the step with the error', async () => {
  const broken = run('echo one; sleep 1000', () => Promise.reject(new Error('disk full')))
  await expect(broken).rejects.toThrow('disk full')
  expect(await alive()).toEqual([])
})

/**
 * Only root can start a program that another user cannot kill. For other users, `sudo` causes this
 * case.
 */
test.skipIf(process.getuid?.() !== 0)('does not wait for a program that may not be killed', async () => {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', uid: 1, env })
  await once(child, 'spawn')
  const target = { mark: newMark(mark), leader: child.pid ?? 0 }
  process.seteuid?.(65534)
  try {
    await endProcesses(target, 0)
    expect(await findProcesses(target)).toEqual([child.pid])
  } finally {
    process.seteuid?.(0)
    await endProcesses(target, 0)
  }
})

test('the search for processes of a step skips those that started before it', async () => {
  const target = { mark: newMark(mark) }
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', env: { ...env, [markVariable]: target.mark } })
  await vi.waitFor(async () => expect(await findProcesses(target)).toEqual([child.pid]))
  expect(await findProcesses({ ...target, since: ticksNow() })).toEqual([child.pid])
  expect(await findProcesses({ ...target, since: ticksNow() + 1000 })).toEqual([])
  child.kill('SIGKILL')
})

test('finds a process that has a very large environment', async () => {
  const target = { mark: newMark(mark) }
  const large = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`LARGE${index}`, 'x'.repeat(30_000)]))
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', env: { ...env, ...large, [markVariable]: target.mark } })
  await vi.waitFor(async () => expect(await findProcesses(target)).toEqual([child.pid]))
  child.kill('SIGKILL')
})

test('the next start ends the processes of an earlier run, and no others', async () => {
  const options = { detached: true, stdio: 'ignore' as const }
  const orphan = spawn('sleep', ['1000'], { ...options, env: { ...env, [markVariable]: newMark(mark) } })
  const other = spawn('sleep', ['1000'], { ...options, env: { ...env, [markVariable]: 'f00-1' } })
  await vi.waitFor(async () => expect(await alive()).toEqual([orphan.pid]))
  const ended = once(orphan, 'exit')
  await endOrphans(folder)
  await ended
  expect(other.exitCode).toBeNull()
  other.kill('SIGKILL')
  expect((await readFile(join(folder, 'process-mark'), 'utf8')).trim()).toBe(mark)
})
