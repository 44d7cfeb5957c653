/** For tests: the bundled server as a process of its own, on a free port. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverBundle } from './bundles.ts'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ServerProcess {
  pid: number
  /** Rejects if the server ends before it is ready. */
  ready: Promise<string>
  ended: Promise<Ended>
  /** Its error output so far. */
  errors(): string
  kill(signal: NodeJS.Signals): void
}

/** Tests end servers while steps run, without waiting for them. */
const atOnce = { FLIGHTDECK_DRAIN_TIMEOUT: '0' }

export function spawnServer(
  args: readonly string[],
  environment: Record<string, string> = {},
  /** Runs as another user, if the tests run as root. */
  uid?: number,
  /** Whether the process has its own session, like a service. */
  detached = false,
  /** A command that runs the server, such as `unshare` with its options. */
  wrapper: readonly string[] = [],
): ServerProcess {
  const [command = '', ...allArgs] = [...wrapper, process.execPath, serverBundle, ...args]
  const child = spawn(command, allArgs, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...atOnce, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let stdout = ''
  let stderr = ''
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString()
      const address = /is ready: (\S+)/.exec(stdout)?.[1]
      if (address) resolve(address)
    })
    child.once('close', () => reject(new Error(`the server ended: ${stdout}${stderr}`)))
  })
  // Tests of servers that must not start do not await it.
  ready.catch(() => {})
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString()
  })
  const ended = once(child, 'close').then(([code, signal]: unknown[]): Ended => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }))
  return { pid: child.pid ?? 0, ready, ended, errors: () => stderr, kill: (signal) => child.kill(signal) }
}

/** Signs in to a running server and returns a client. */
export async function signIn(address: string, data: string, login = 'admin', given?: string) {
  const password = given ?? readFileSync(join(data, 'admin-password'), 'utf8').trim()
  const response = await fetch(`${address}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: login, password }),
    redirect: 'manual',
  })
  const Cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const call = (path: string, method = 'GET', body?: unknown) =>
    fetch(`${address}${path}`, {
      method,
      headers: { Cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    cookie: Cookie,
    call,
    async json<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
      const response = await call(path, method, body)
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
  }
}

/** Whether a process is alive; a zombie does not count. */
export function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
