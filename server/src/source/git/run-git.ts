import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

/**
 * Hooks and watchers of a repository would be programs of its owner that run as us (architecture.md "repositories"). A
 * second bar: the first is that git reads no repository's own settings (`view.ts`).
 */
export const safeOptions = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/**
 * Packs are read in small windows, so that one of any size fits into the address space. What is larger than a file that is shown is neither
 * compared nor held in memory.
 */
const thriftyOptions = ['bigFileThreshold=2m', 'packedGitWindowSize=32m', 'packedGitLimit=256m'].flatMap((option) => [
  '-c',
  `core.${option}`,
])

const maxBytes = 16 * 1024 * 1024

export interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
  /** Why we ended it. */
  stopped?: 'time' | 'size'
}

export interface GitLimits {
  timeoutMs: number
  /** What it may have in memory beside the files that it maps, in KiB: the indexes of a very large repository are hundreds of MB. */
  data?: number
}

/** For one name, commit or file: pushes decide its size, and writers of the files how long it takes. */
export const smallLimits: GitLimits = { timeoutMs: 10_000, data: 512 * 1024 }
/** About a whole history. */
export const largeLimits: GitLimits = { timeoutMs: 60_000 }

/** What git may know of the machine: no system configuration, and of the user's only what `configFile` repeats. */
export function gitEnvironment(configFile: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    // Its owner counts as us where the server was started with sudo.
    ...(process.env['SUDO_UID'] && { SUDO_UID: process.env['SUDO_UID'] }),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // A ref can put one commit in the place of another: what a branch holds would be what anybody says.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A missing object stays missing, and nothing is ever fetched but from this machine.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'file',
  }
}

/** The file with certificate authorities that this server trusts beside the usual ones; git is to trust them, too. */
export const extraCertificates = (): string | undefined => process.env['NODE_EXTRA_CA_CERTS'] || undefined

/** Address space, in KiB: a tree that holds itself many times over is more files than any memory. Where a shell knows no such limit there is none. */
const memory = 2 * 1024 * 1024
const notFound = 127

/**
 * Arguments for `/bin/sh`, which becomes git: it is one program. Each git process that answers about a repository here is started with
 * these. `data`: as in `GitLimits`.
 */
export const limitedGit = (args: readonly string[], data = memory): string[] => [
  '-c',
  `ulimit -v ${memory} 2>/dev/null; ulimit -d ${data} 2>/dev/null; exec "$@"`,
  'git',
  'git',
  ...safeOptions,
  ...thriftyOptions,
  ...args,
]

export const startGit = (
  folder: string,
  args: readonly string[],
  environment: Record<string, string>,
  { timeoutMs, data }: GitLimits,
) =>
  spawn('/bin/sh', limitedGit(['-C', folder, ...args], data), {
    // A folder that is not a repository must not count as part of one above it.
    env: { ...environment, GIT_CEILING_DIRECTORIES: dirname(folder) },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })

export interface StreamEnd {
  code: number
  stderr: string
  /** We stopped it: a limit was reached, or the caller needs no more. */
  stopped: boolean
}

export interface StreamOptions {
  timeoutMs: number
  /** Bytes. */
  maxBytes: number
  signal?: AbortSignal
  /** `false`: that is enough. */
  onData: (bytes: Buffer) => boolean
}

/** git's output piece by piece, within limits. The process ends when the caller stops reading. */
export function streamGit(
  folder: string,
  args: readonly string[],
  environment: Record<string, string>,
  { timeoutMs, maxBytes, signal, onData }: StreamOptions,
): Promise<StreamEnd> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = spawn('/bin/sh', limitedGit(['-C', folder, ...args]), {
      env: { ...environment, GIT_CEILING_DIRECTORIES: dirname(folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    let size = 0
    let enough = false
    let stderr = ''
    const stop = () => {
      enough = true
      child.kill('SIGKILL')
    }
    signal?.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', (bytes: Buffer) => {
      if (enough) return
      size += bytes.length
      if (!onData(bytes) || size > maxBytes) stop()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 64 * 1024) stderr += text
    })
    child.once('error', reject)
    child.once('close', (code, killed) => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve({ code: code ?? 137, stderr, stopped: enough || killed !== null })
    })
  })
}

/** Never throws on a failure of git, only on its absence. */
export function runGit(
  folder: string,
  args: readonly string[],
  environment: Record<string, string>,
  limits: GitLimits = largeLimits,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = startGit(folder, args, environment, limits)
    // git may have exited already.
    child.stdin.on('error', () => {}).end()
    const chunks: Buffer[] = []
    let size = 0
    let stderr = ''
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length
      if (size > maxBytes) child.kill('SIGKILL')
      else chunks.push(bytes)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 64 * 1024) stderr += text
    })
    child.once('error', reject)
    child.once('close', (code, killed) => {
      if (code === notFound) return reject(new Error('git is not installed, or not on the PATH'))
      const stopped = size > maxBytes ? 'size' : killed !== null && child.killed ? 'time' : undefined
      resolve({ code: code ?? 137, stdout: Buffer.concat(chunks), stderr, ...(stopped && { stopped }) })
    })
  })
}
