import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

/**
 * Disables hooks and file monitors, which would run programs of the repository's owner with the
 * server's rights (architecture.md "repositories"). This is the second line of defense: the first
 * is that git does not read the repository's own settings (`repository-view.ts`).
 */
export const safeOptions = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/**
 * Packs are mapped in small windows, so that a pack of any size fits into the address space. Files
 * that are larger than the largest file that is shown are neither compared nor loaded.
 */
const memoryOptions = ['bigFileThreshold=2m', 'packedGitWindowSize=32m', 'packedGitLimit=256m'].flatMap((option) => [
  '-c',
  `core.${option}`,
])

const maxBytes = 16 * 1024 * 1024

export interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
  /** Which limit made the server end git. */
  stopped?: 'time' | 'size'
}

export interface GitLimits {
  timeoutMs: number
  /**
   * The memory that git can use besides the files that it maps, in KiB. The indexes of a very large
   * repository are hundreds of MB.
   */
  data?: number
}

/**
 * For calls about one name, commit or file. Pushes decide its size, and users who can write the
 * files decide how long it takes.
 */
export const smallLimits: GitLimits = { timeoutMs: 10_000, data: 512 * 1024 }
/** For calls about a whole history. */
export const largeLimits: GitLimits = { timeoutMs: 60_000 }

/**
 * The environment of git: no system configuration, and of the user's configuration only what
 * `configFile` repeats.
 */
export function gitEnvironment(configFile: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    // Where the server was started with sudo, git also accepts repositories of this user.
    ...(process.env['SUDO_UID'] && { SUDO_UID: process.env['SUDO_UID'] }),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Replacement refs are ignored, because with them anybody who can push could replace a commit.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A missing object stays missing, and git fetches only from this machine.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'file',
  }
}

/**
 * The file with additional certificate authorities that this server trusts; git trusts them too.
 */
export const extraCertificates = (): string | undefined => process.env['NODE_EXTRA_CA_CERTS'] || undefined

/**
 * The address space in KiB. A tree that contains itself many times over describes more files than
 * fit into any memory. Shells without this limit run git without it.
 */
const memory = 2 * 1024 * 1024
const notFound = 127

/**
 * Arguments for `/bin/sh`, which becomes git. Every git process that reads a repository is started
 * with these. `data` is as in `GitLimits`.
 */
export const limitedGit = (args: readonly string[], data = memory): string[] => [
  '-c',
  `ulimit -v ${memory} 2>/dev/null; ulimit -d ${data} 2>/dev/null; exec "$@"`,
  'git',
  'git',
  ...safeOptions,
  ...memoryOptions,
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
  /** The server ended git: a limit was reached, or the caller needs no more output. */
  stopped: boolean
}

export interface StreamOptions {
  timeoutMs: number
  maxBytes: number
  signal?: AbortSignal
  /** Returns `false` if no more output is needed. */
  onData: (bytes: Buffer) => boolean
}

/**
 * Streams git's output in chunks, within limits. The process ends when the caller stops reading.
 */
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

/** Rejects only if git is not installed; other failures are part of the result. */
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
