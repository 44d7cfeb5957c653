/**
 * Checks by the system calls of a real server that data is synced before a response that depends on
 * it is sent.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serverBundle } from '../testing/bundles.ts'
import { canRun } from '../testing/can-run.ts'
import { quickRepository } from '../testing/quick-repository.ts'
import { signIn } from '../testing/server-process.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: string
let server: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-power-'))
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** strace ends with the server. */
async function stop(): Promise<void> {
  if (server?.exitCode !== null) return
  const ended = once(server, 'exit')
  process.kill(Number(readFileSync(join(folder, 'data', 'server.pid'), 'utf8')), 'SIGTERM')
  await ended
}

async function startTraced(data: string, repos: string, trace: string): Promise<string> {
  const calls = 'trace=write,writev,pwrite64,pwritev,fsync,fdatasync'
  const words = [
    '-f',
    '--seccomp-bpf',
    '-y',
    '-s',
    '4000',
    '-e',
    calls,
    '-o',
    trace,
    process.execPath,
    serverBundle,
    '--port',
    '0',
    '--data',
    data,
    '--repos',
    repos,
  ]
  const child = spawn('strace', words, { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'inherit'] })
  server = child
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const address = /is ready: (\S+)/.exec(text)?.[1]
    if (address) return address
  }
  throw new Error(text)
}

interface Answer {
  text: string
  /** Files with bytes that were written, but not synced, when the response was sent. */
  unsynced: string[]
}

/**
 * Tracks for each file the number of its last write, and of the last write that a finished sync
 * covers.
 */
function answersIn(trace: string): Answer[] {
  const written = new Map<string, number>()
  const synced = new Map<string, number>()
  /** Started syncs, by thread. */
  const running = new Map<string, { path: string; upTo: number }>()
  const answers: Answer[] = []
  let count = 0
  for (const line of trace.split('\n')) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, name = '', path = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(call) ?? []
    if (name.endsWith('sync')) running.set(thread, { path, upTo: written.get(path) ?? 0 })
    const sync = running.get(thread)
    if (sync && /sync\(.*= 0$|sync resumed.*= 0$/.test(call)) {
      synced.set(sync.path, sync.upTo)
      running.delete(thread)
    }
    if (!/^p?writev?(64)?$/.test(name)) continue
    if (path.startsWith('socket:') || path.startsWith('TCP:')) {
      const unsynced = [...written].filter(([file, at]) => at > (synced.get(file) ?? 0)).map(([file]) => file)
      if (call.includes('HTTP/1.1 ')) answers.push({ text: call, unsynced })
      // The closing bracket does not matter: the next start writes it again.
    } else if (!call.includes(', "]", 1,')) written.set(path, (count += 1))
  }
  return answers
}

// strace may be missing in a container, or not permitted.
it.skipIf(!canRun('strace', '-o', '/dev/null', 'true'))(
  'is all that a reader was answered: builds, and the ends of steps with their logs',
  async () => {
    const data = join(folder, 'data')
    const trace = join(folder, 'trace')
    const repos = join(folder, 'repos')
    quickRepository(repos)
    const admin = await signIn(await startTraced(data, repos, trace), data)
    await admin.json('/api/repos/acme/web', 'POST')
    await admin.call('/api/queue', 'DELETE')
    const builds = '/api/repos/acme/web/builds'
    await admin.json<Build>(builds, 'POST')
    await admin.call('/api/queue', 'POST')
    await vi.waitFor(async () => expect((await admin.json<Build>(`${builds}/1`)).finished).toBeGreaterThan(0), {
      timeout: 50_000,
      interval: 5,
    })
    const log = await admin.call(`${builds}/1/logs/1/1`)
    expect(log.status).toBe(200)
    await log.text()
    await stop()

    const answers = answersIn(readFileSync(trace, 'utf8'))
    const isKept = (file: string) => file.endsWith('-wal') || /\/logs\/\d+\/\d+\.json(\.gz)?$/.test(file)
    const made = answers.find(({ text }) => text.includes('HTTP/1.1 200') && text.includes('\\"number\\":1,'))
    expect(made?.unsynced.filter(isKept)).toEqual([])
    const over = answers.find(({ text }) => /\\"number\\":1,.*\\"finished\\":[1-9]/.test(text))
    expect(over).toBeDefined()
    expect(over?.unsynced.filter(isKept)).toEqual([])
  },
)
