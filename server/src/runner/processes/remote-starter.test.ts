import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { folderMark, markVariable } from '../../machine/process-mark.ts'
import { spawnerScript } from '../../testing/bundles.ts'
import { endOrphans } from './end-processes.ts'
import { createPipes, type Pipes } from './output-pipes.ts'
import { createRemoteStarter } from './remote-starter.ts'
import { runProcess } from './run-process.ts'
import type { Starter } from './starter.ts'

let folder: string
let mark: string
let pipes: Pipes
let starter: Starter
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-spawner-'))
  mark = await folderMark(folder)
  pipes = createPipes(join(folder, 'pipes'))
  starter = createRemoteStarter(spawnerScript)
})
afterEach(async () => {
  await starter.close()
  await endOrphans(folder, 0)
  await pipes.close()
  await rm(folder, { recursive: true })
})

const env = { PATH: process.env['PATH'] ?? '' }
const base = () => ({ cwd: folder, env, pipes, starter, folderMark: mark, signal: new AbortController().signal })

/** `onOutput` receives all output up to then. */
async function run(script: string, { variables, onOutput, starter: by = starter }: Partial<RunChoice> = {}) {
  let output = ''
  const result = await runProcess({
    ...base(),
    starter: by,
    command: '/bin/sh',
    args: ['-c', script],
    variables,
    onOutput: async (bytes) => {
      output += String(bytes)
      onOutput?.(output)
    },
  })
  return { ...result, output }
}
interface RunChoice {
  variables: string
  starter: Starter
  onOutput(all: string): void
}

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false
  }
}

test('a process is a child of the spawner, and ends as it would as a child of the server', async () => {
  const { code, output } = await run('echo $PPID; echo 2 >&2; echo 3 >/dev/stdout; exit 7')
  expect(output).toMatch(/^\d+\n2\n3\n$/)
  expect(Number(output.split('\n')[0])).not.toBe(process.pid)
  expect(code).toBe(7)
  expect((await run('kill -SEGV $$')).code).toBe(128 + 11)
})

test('a process gets only its own variables and descriptors, and leads its session', async () => {
  const script = `tr '\\0' '\\n' </proc/$$/environ | cut -d= -f1 | sort | tr '\\n' ' '; ps -o sid= -p $$ | tr -d ' ' | grep -qx $$ && echo leads`
  expect((await run(script)).output).toBe(`${markVariable} PATH leads\n`)
  expect((await run('ls /proc/$$/fd; true')).output).toBe('0\n1\n2\n')
})

test('open descriptors of the server are not inherited', async () => {
  const file = openSync(join(folder, 'password'), 'w')
  // Leaves a gap in the descriptor numbers, as a shell can do.
  const gap = Array<'ignore'>(36).fill('ignore')
  const child = spawn(process.execPath, [spawnerScript], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...gap, file],
  })
  closeSync(file)
  await once(child, 'message')
  expect(readdirSync(`/proc/${child.pid}/fd`)).not.toContain('40')
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('data of descriptor 3 arrives complete, and is stored in no file', async () => {
  const secret = 'hidden '.repeat(60_000)
  const script = `wc -c <&3; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' '\\n' </proc/$PPID/cmdline`
  const { output } = await run(script, { variables: secret })
  expect(output.split('\n')[0]).toBe(String(secret.length))
  expect(output).not.toContain('hidden')
  // The environment of the server is not passed on either.
  expect(output).not.toContain('PATH=')
})

test('a program that does not exist is an error, and the next one runs', async () => {
  const odd = runProcess({ ...base(), command: '/no/such', args: [], onOutput: async () => {} })
  await expect(odd).rejects.toThrow('ENOENT')
  expect((await run('echo on')).output).toBe('on\n')
})

test('when the spawner is killed, the step ends with a message, and a new spawner starts the next step', async () => {
  let first = 0
  const lost = run('sleep 1000 & echo $PPID $!; wait', {
    onOutput(all) {
      const [, parent] = /^(\d+) \d+\n/.exec(all) ?? []
      if (!parent || first !== 0) return
      first = Number(parent)
      process.kill(first, 'SIGKILL')
    },
  })
  await expect(lost).rejects.toThrow('the process that starts steps has ended')
  const { output } = await run('echo $PPID')
  expect(Number(output)).not.toBe(first)
  expect(Number(output)).not.toBe(process.pid)
})

test('if the spawner cannot run, the server starts processes itself', async () => {
  const without = createRemoteStarter(join(folder, 'no-such.js'))
  let output = ''
  const { code } = await runProcess({
    ...base(),
    starter: without,
    command: '/bin/sh',
    args: ['-c', 'echo $PPID; exit 3'],
    onOutput: async (bytes) => void (output += String(bytes)),
  })
  expect([code, Number(output)]).toEqual([3, process.pid])
  await without.close()
})

test('the spawner ends with the server, however the server ends', async () => {
  const server = spawn(
    process.execPath,
    [
      '-e',
      `const child = require('child_process').fork(${JSON.stringify(spawnerScript)}); console.log(child.pid); setInterval(() => {}, 1e6)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const pid = await new Promise<number>((resolve) =>
    server.stdout.once('data', (text) => resolve(Number(String(text)))),
  )
  expect(isAlive(pid)).toBe(true)
  server.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000, interval: 20 })
})
