/**
 * For tests: a real Gogs on loopback, in a folder of its own. The program is named by an
 * environment variable.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startForgeWorld, type ForgeWorld } from './forge-world.ts'
import { forgePages, forgePassword, freePort, spawnForge, type RealForge } from './real-forge.ts'

const run = promisify(execFile)

/** The program, if this machine has it. */
export const gogsProgram = process.env['FLIGHTDECK_GOGS']

const settings = (folder: string, port: number, more: string): string => `BRAND_NAME = Gogs
RUN_USER = ${userInfo().username}
RUN_MODE = prod
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
EXTERNAL_URL = http://127.0.0.1:${port}/
OFFLINE_MODE = true
DISABLE_SSH = true
[repository]
ROOT = ${join(folder, 'repositories')}
[database]
TYPE = sqlite3
PATH = ${join(folder, 'gogs.db')}
[security]
INSTALL_LOCK = true
SECRET_KEY = of-a-test-only
LOCAL_NETWORK_ALLOWLIST = *
[webhook]
DELIVER_TIMEOUT = 5
[session]
PROVIDER = memory
[log]
MODE = file
ROOT_PATH = ${join(folder, 'log')}
[picture]
DISABLE_GRAVATAR = true
${more}
`

/** `more`: lines to append to `app.ini`, such as an `[auth]` section. */
export async function startGogs(program: string, more = ''): Promise<RealForge> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-gogs-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config = join(folder, 'app.ini')
  mkdirSync(join(folder, 'home'))
  writeFileSync(config, settings(folder, port, more))
  const env = {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    USER: userInfo().username,
    GOGS_WORK_DIR: folder,
  }
  const args = ['web', '--config', config]
  const { child, exited } = await spawnForge(program, args, { cwd: folder, env, probe: `${url}/healthcheck` })

  const basic = (login: string): string => `Basic ${Buffer.from(`${login}:${forgePassword(login)}`).toString('base64')}`
  const tokens = new Map<string, string>()
  async function tokenOf(login: string): Promise<string> {
    const cached = tokens.get(login)
    if (cached) return cached
    const response = await fetch(`${url}/api/v1/users/${login}/tokens`, {
      method: 'POST',
      headers: { Authorization: basic(login), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'test' }),
    })
    const { sha1 } = (await response.json()) as { sha1: string }
    tokens.set(login, sha1)
    return sha1
  }
  const pages = forgePages(url, (page) => /name="_csrf" content="([^"]*)"/.exec(page)?.[1] ?? '')

  return {
    url,
    async addUser(login, admin = false) {
      const args = ['--name', login, '--password', forgePassword(login), '--email', `${login}@example.com`]
      await run(program, ['admin', 'create-user', ...args, ...(admin ? ['--admin'] : []), '--config', config], {
        env,
        cwd: folder,
      })
    },
    async api(login, method, path, body) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { Authorization: `token ${await tokenOf(login)}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === '' ? null : (JSON.parse(text) as unknown)
    },
    form: pages.form,
    async close() {
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Forks `slug` as this user. */
export async function gogsFork(gogs: RealForge, login: string, slug: string): Promise<void> {
  const { id } = (await gogs.api(login, 'GET', `/repos/${slug}`)) as { id: number }
  const user = (await gogs.api(login, 'GET', '/user')) as { id: number }
  const name = slug.slice(slug.indexOf('/') + 1)
  await gogs.form(login, `/repo/fork/${id}`, { user_id: String(user.id), repo_name: name })
}

export type GogsWorld = ForgeWorld<RealForge>

/** Starts a Gogs and the server connected to it. */
export async function startGogsWorld(
  program: string,
  logins: readonly string[],
  { environment = {}, settings = '' }: { environment?: Record<string, string>; settings?: string } = {},
): Promise<GogsWorld> {
  const forge = await startGogs(program, settings)
  return startForgeWorld({
    forge,
    logins,
    connect: () => ({ args: ['--gogs', forge.url], environment }),
    signIn: (address, username, password) =>
      fetch(`${address}/login`, {
        method: 'POST',
        body: new URLSearchParams({ username, password }),
        redirect: 'manual',
      }),
  })
}
