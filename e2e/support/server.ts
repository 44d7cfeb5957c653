/**
 * The built server in a separate folder and process, started as a user would and stopped by its
 * process id.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export const admin = { login: 'ada', password: 'correct horse' }

export interface RunningServer {
  origin: string
  /** Its output so far. */
  said: () => string
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

export interface ServerOptions {
  /** Its data folder; starting again with the same folder is a restart. */
  data: string
  repos?: string | undefined
  port?: number
  /** An existing upstream server for the gateway. */
  server?: string
  /** The URL of a Gogs to connect to. */
  gogs?: string
  /** A Gitea to connect to, and its OAuth application for this server's `/login`. */
  gitea?: { url: string; clientId: string; clientSecret: string }
  /** A token of the upstream server that is used for every call. */
  serverToken?: string
  /** The public URL, if it differs from the server's own. */
  publicUrl?: string
  /** Shows public repositories to guests. */
  publicPages?: boolean
  /** A restart does not create an administrator. */
  later?: boolean
}

/** Creates a temporary folder for one test. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-e2e-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Starts the server; resolves when it has printed its URL. */
export async function startServer({
  data,
  repos,
  server,
  gogs,
  gitea,
  serverToken,
  publicUrl,
  port = 0,
  later = false,
  publicPages = false,
}: ServerOptions): Promise<RunningServer> {
  const args = [
    ...(repos ? ['--repos', repos] : []),
    ...(server ? ['--server', server] : []),
    ...(gogs ? ['--gogs', gogs] : []),
    ...(gitea ? ['--gitea', gitea.url] : []),
  ]
  // In tests these variables name a program, for the server a URL.
  const { FLIGHTDECK_GITEA: _, FLIGHTDECK_FORGEJO: __, FLIGHTDECK_GOGS: ___, ...environment } = process.env
  const child = spawn(process.execPath, [program, '--data', data, ...args], {
    env: {
      ...environment,
      ...(gitea && {
        FLIGHTDECK_GITEA_CLIENT_ID: gitea.clientId,
        FLIGHTDECK_GITEA_CLIENT_SECRET: gitea.clientSecret,
      }),
      FLIGHTDECK_PORT: String(port),
      ...(serverToken && { FLIGHTDECK_SERVER_TOKEN: serverToken }),
      ...(publicUrl && { FLIGHTDECK_PUBLIC_URL: publicUrl }),
      FLIGHTDECK_ADMIN: later ? '' : `${admin.login}:${admin.password}`,
      FLIGHTDECK_PUBLIC_PAGES: String(publicPages),
      FLIGHTDECK_CAPACITY: '3',
      FLIGHTDECK_DRAIN_TIMEOUT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const origin = await output.find(/https?:\/\/127\.0\.0\.1:\d+/)
  return {
    origin,
    said: output.text,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    },
  }
}

/**
 * Collects a process's output, and waits for a pattern in it. Rejects if the process ends before.
 */
function collect(child: ChildProcess) {
  let text = ''
  const listeners = new Set<() => void>()
  const take = (chunk: Buffer) => {
    text += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return {
    text: () => text,
    find: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(text)?.[0]
          if (found) {
            listeners.delete(check)
            resolve(found)
          }
        }
        listeners.add(check)
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
        check()
      }),
  }
}
