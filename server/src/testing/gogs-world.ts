/** For tests: a real Gogs and the real server connected to it, each in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@flightdeck/api'
import { gogsClone, type GogsClone } from './gogs-clone.ts'
import { gogsPassword, startGogs, type Gogs } from './gogs.ts'
import { spawnServer, type ServerProcess } from './server-process.ts'

export interface GogsWorld {
  gogs: Gogs
  server: ServerProcess
  /** Of the server. */
  address: string
  /** Holds the server's data and all clones. */
  folder: string
  signIn(login: string, password?: string): Promise<Response>
  /** The cookie of a user who has just signed in. */
  enter(login: string): Promise<string>
  call(cookie: string, path: string, method?: string): Promise<Response>
  /** Throws where the answer is no success. */
  json<T>(cookie: string, path: string, method?: string): Promise<T>
  clone(login: string, slug: string): Promise<GogsClone>
  /** The first build that is so; what never comes ends with the test. */
  buildWhere(cookie: string, slug: string, isRight: (build: Build) => boolean): Promise<Build>
  close(): Promise<void>
}

export const isOver = ({ status }: Build): boolean => status !== 'pending' && status !== 'running'

/** Asks until it is so; what never becomes so ends with the test. */
export async function until<T>(what: () => T | Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await what()
    if (isRight(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Starts both, with an administrator `root` and one account for each login. */
export async function startGogsWorld(
  program: string,
  logins: readonly string[],
  { words = [], environment = {} }: { words?: readonly string[]; environment?: Record<string, string> } = {},
): Promise<GogsWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-forge-'))
  const gogs = await startGogs(program)
  await gogs.addUser('root', true)
  for (const login of logins) await gogs.addUser(login)
  const given = ['--port', '0', '--data', join(folder, 'data'), '--gogs', gogs.url, '--isolation', 'none', ...words]
  const server = spawnServer(given, environment)
  const address = await server.ready
  const signIn = (login: string, password = gogsPassword(login)) =>
    fetch(`${address}/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: login, password }),
      redirect: 'manual',
    })
  const call = (cookie: string, path: string, method = 'GET') =>
    fetch(`${address}${path}`, { method, headers: { Cookie: cookie } })
  async function json<T>(cookie: string, path: string, method = 'GET'): Promise<T> {
    const answer = await call(cookie, path, method)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    gogs,
    server,
    address,
    folder,
    signIn,
    enter: async (login) => (await signIn(login)).headers.get('set-cookie')?.split(';')[0] ?? '',
    call,
    json,
    clone: (login, slug) => gogsClone(gogs, folder, login, slug),
    async buildWhere(cookie, slug, isRight) {
      const list = () => json<Build[]>(cookie, `/api/repos/${slug}/builds`)
      const found = (await until(list, (builds) => builds.some(isRight))).find(isRight)
      if (!found) throw new Error('no build')
      return found
    },
    async close() {
      server.kill('SIGTERM')
      await server.ended
      await gogs.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
