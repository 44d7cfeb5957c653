/** For tests: a real forge and the real server connected to it, each in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@flightdeck/api'
import { forgeClone, type ForgeClone } from './forge-clone.ts'
import { forgePassword, freePort, type RealForge } from './real-forge.ts'
import { spawnServer, type ServerProcess } from './server-process.ts'

export interface ForgeWorld<Forge extends RealForge> {
  forge: Forge
  /** The current server; `restart` replaces it. */
  readonly server: ServerProcess
  /** Ends the server and starts it again with the same data. */
  restart(): Promise<void>
  /** Of the server. */
  address: string
  /** Holds the server's data and all clones. */
  folder: string
  signIn(login: string, password?: string): Promise<Response>
  /** The cookie of a user who has just signed in. */
  enter(login: string): Promise<string>
  call(cookie: string, path: string, method?: string, body?: unknown): Promise<Response>
  /** Throws unless the response is successful. */
  json<T>(cookie: string, path: string, method?: string, body?: unknown): Promise<T>
  clone(login: string, slug: string): Promise<ForgeClone>
  /** Waits for the first matching build, until the test's timeout. */
  buildWhere(cookie: string, slug: string, isRight: (build: Build) => boolean): Promise<Build>
  close(): Promise<void>
}

export const isOver = ({ status }: Build): boolean => status !== 'pending' && status !== 'running'

/** Polls until the condition holds, until the test's timeout. */
export async function until<T>(what: () => T | Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await what()
    if (isRight(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The cookies that a response sets, for the next request. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')

interface Connection {
  args: readonly string[]
  environment?: Record<string, string>
}

interface WorldOptions<Forge extends RealForge> {
  forge: Forge
  logins: readonly string[]
  /** What connects the server at this address to the forge. */
  connect: (address: string) => Connection | Promise<Connection>
  signIn: (address: string, login: string, password: string) => Promise<Response>
}

/**
 * Starts the server beside a forge, with an administrator `root` and one account for each login.
 */
export async function startForgeWorld<Forge extends RealForge>({
  forge,
  logins,
  connect,
  signIn,
}: WorldOptions<Forge>): Promise<ForgeWorld<Forge>> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-forge-'))
  await forge.addUser('root', true)
  for (const login of logins) await forge.addUser(login)
  // Chosen before the start, because OAuth applications have a fixed redirect address.
  const port = await freePort()
  const { args, environment } = await connect(`http://127.0.0.1:${port}`)
  const given = ['--port', String(port), '--data', join(folder, 'data'), '--isolation', 'none', ...args]
  let server = spawnServer(given, environment)
  const address = await server.ready
  const enterAs = (login: string, password = forgePassword(login)) => signIn(address, login, password)
  const call = (cookie: string, path: string, method = 'GET', body?: unknown) =>
    fetch(`${address}${path}`, {
      method,
      headers: { Cookie: cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  async function json<T>(cookie: string, path: string, method = 'GET', body?: unknown): Promise<T> {
    const response = await call(cookie, path, method, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    forge,
    get server() {
      return server
    },
    async restart() {
      server.kill('SIGTERM')
      await server.ended
      server = spawnServer(given, environment)
      await server.ready
    },
    address,
    folder,
    signIn: enterAs,
    enter: async (login) => cookiesOf(await enterAs(login)),
    call,
    json,
    clone: (login, slug) => forgeClone(forge, folder, login, slug),
    async buildWhere(cookie, slug, isRight) {
      const list = () => json<Build[]>(cookie, `/api/repos/${slug}/builds`)
      const found = (await until(list, (builds) => builds.some(isRight))).find(isRight)
      if (!found) throw new Error('no build')
      return found
    },
    async close() {
      server.kill('SIGTERM')
      await server.ended
      await forge.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
