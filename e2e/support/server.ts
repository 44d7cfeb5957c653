/** The built server in a folder of its own, as a person would start it: another process, stopped by its own number. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export const admin = { login: 'ada', password: 'correct horse' }

export interface RunningServer {
  origin: string
  /** Everything that it printed. */
  said: () => string
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

export interface ServerOptions {
  /** Where its data lies; a second start on the same folder is a later start. */
  data: string
  repos?: string | undefined
  port?: number
  /** An existing upstream server for the gateway. */
  server?: string
  /** A Gogs to connect to. */
  gogs?: string
  /** A Gitea to connect to, and its OAuth application for this server's `/login`. */
  gitea?: { url: string; clientId: string; clientSecret: string }
  /** A token of it that signs every call. */
  serverToken?: string
  /** The address that people use, if it is another than the server's own. */
  publicUrl?: string
  /** Public repositories are for guests, too. */
  publicPages?: boolean
  /** A later start needs no administrator: there is one. */
  later?: boolean
}

/** A temporary folder that is there for one test. */
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
  const given = [
    ...(repos ? ['--repos', repos] : []),
    ...(server ? ['--server', server] : []),
    ...(gogs ? ['--gogs', gogs] : []),
    ...(gitea ? ['--gitea', gitea.url] : []),
  ]
  // For tests these name a program, for the server an address.
  const { FLIGHTDECK_GITEA: _, FLIGHTDECK_FORGEJO: __, FLIGHTDECK_GOGS: ___, ...environment } = process.env
  const child = spawn(process.execPath, [program, '--data', data, ...given], {
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

/** What a process prints, and the first match of a pattern in it. Rejects when the process ends before. */
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
        const look = () => {
          const found = pattern.exec(text)?.[0]
          if (found) {
            listeners.delete(look)
            resolve(found)
          }
        }
        listeners.add(look)
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
        look()
      }),
  }
}
