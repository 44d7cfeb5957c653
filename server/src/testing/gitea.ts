/**
 * For tests: a real Gitea or Forgejo on loopback, in a folder of its own. The programs are named by
 * environment variables.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cookiesOf, startForgeWorld, until, type ForgeWorld } from './forge-world.ts'
import { startPathProxy } from './path-proxy.ts'
import { forgePages, forgePassword, freePort, spawnForge, type ForgeProcess, type RealForge } from './real-forge.ts'

const run = promisify(execFile)

/** The programs available on this machine. */
export const giteaPrograms = (['gitea', 'forgejo'] as const).flatMap((kind) => {
  const program = process.env[`FLIGHTDECK_${kind.toUpperCase()}`]
  return program ? [{ kind, program }] : []
})

interface GiteaOptions {
  kind: 'gitea' | 'forgejo'
  program: string
  /** The path prefix at which a proxy serves it: `/git`. */
  path?: string
  /** How long an access token is valid. */
  tokenSeconds?: number
  /** Lines of `app.ini` at its end, such as `[service]` and what follows. */
  settings?: string
}

interface Places {
  folder: string
  url: string
  port: number
  tokenSeconds: number
  more: string
}

const settings = ({ folder, url, port, tokenSeconds, more }: Places): string => `APP_NAME = Forge of a test
RUN_USER = ${userInfo().username}
RUN_MODE = prod
WORK_PATH = ${folder}
${userInfo().uid === 0 ? 'I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true' : ''}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
OFFLINE_MODE = true
DISABLE_SSH = true
LFS_START_SERVER = true
[repository]
ROOT = ${join(folder, 'repositories')}
DEFAULT_BRANCH = main
DEFAULT_PUSH_CREATE_PRIVATE = true
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'gitea.db')}
SQLITE_JOURNAL_MODE = WAL
[security]
INSTALL_LOCK = true
SECRET_KEY = of-a-test-only
[oauth2]
ACCESS_TOKEN_EXPIRATION_TIME = ${tokenSeconds}
INVALIDATE_REFRESH_TOKENS = true
JWT_SIGNING_ALGORITHM = HS256
[webhook]
ALLOWED_HOST_LIST = loopback
[service]
DEFAULT_KEEP_EMAIL_PRIVATE = false
[session]
PROVIDER = memory
[actions]
ENABLED = false
[log]
MODE = file
LEVEL = None
ROOT_PATH = ${join(folder, 'log')}
[picture]
DISABLE_GRAVATAR = true
${more}
`

export interface Gitea extends RealForge {
  kind: 'gitea' | 'forgejo'
  /** Opens a page as this user, without following redirects. */
  open(login: string, address: string): Promise<Response>
  /**
   * Agrees as this user on the OAuth page. Returns the redirect address.
   */
  agree(login: string, address: string): Promise<string>
  /**
   * Opens a pull request of a pushed branch, `OWNER:NAME` of a fork. Gitea knows a branch a moment
   * after git does.
   */
  openPull(login: string, slug: string, branch: string, pull: object): Promise<{ number: number }>
  /** Forgets the sessions of people at the forge, which follow a person to another name. */
  forgetSessions(): void
  /** Method and path of each request that came through the proxy of a path. */
  requests: string[]
  stop(): Promise<void>
  start(): Promise<void>
}

/** Reads the value of a field of a form. */
const fieldOf = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]?.replaceAll('&#43;', '+').replaceAll('&amp;', '&') ?? ''

export async function startGitea({
  kind,
  program,
  path = '',
  tokenSeconds = 3600,
  settings: more = '',
}: GiteaOptions): Promise<Gitea> {
  const folder = mkdtempSync(join(tmpdir(), `flightdeck-${kind}-`))
  const [outer, port] = [await freePort(), await freePort()]
  const url = path === '' ? `http://127.0.0.1:${port}` : `http://127.0.0.1:${outer}${path}`
  const config = join(folder, 'app.ini')
  mkdirSync(join(folder, 'home'))
  writeFileSync(config, settings({ folder, url, port, tokenSeconds, more }), { mode: 0o600 })
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), USER: userInfo().username }
  const common = ['--config', config, '--work-path', folder]
  const requests: string[] = []
  const proxy = path === '' ? undefined : await startPathProxy(outer, path, port, (one) => requests.push(one))
  const probe = `http://127.0.0.1:${port}/api/healthz`
  const spawn = (): Promise<ForgeProcess> =>
    spawnForge(program, ['web', '--quiet', ...common], { cwd: folder, env, probe })
  let running = await spawn()
  const pages = forgePages(url, (page) => fieldOf(page, '_csrf'))

  async function api(login: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Basic ${Buffer.from(`${login}:${forgePassword(login)}`).toString('base64')}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : (JSON.parse(text) as unknown)
  }

  async function openPull(login: string, slug: string, branch: string, pull: object): Promise<{ number: number }> {
    const [from, name] = branch.includes(':') ? branch.split(':') : [undefined, branch]
    const source = from ? `${from}/${slug.split('/')[1]}` : slug
    const find = () => api(login, 'GET', `/repos/${source}/branches/${name}`).catch(() => null)
    await until(find, (found) => found !== null)
    const made = await api(login, 'POST', `/repos/${slug}/pulls`, { base: 'main', head: branch, ...pull })
    return made as { number: number }
  }

  async function stop(): Promise<void> {
    running.child.kill()
    await running.exited
    pages.forget()
  }

  return {
    kind,
    url,
    api,
    openPull,
    form: pages.form,
    open: pages.open,
    forgetSessions: pages.forget,
    requests,
    stop,
    async start() {
      running = await spawn()
    },
    async addUser(login, admin = false) {
      const person = { username: login, email: `${login}@example.com`, password: forgePassword(login) }
      if (!admin) {
        await api('root', 'POST', '/admin/users', { ...person, must_change_password: false })
        return
      }
      const args = Object.entries(person).flatMap(([name, value]) => [`--${name}`, value])
      const command = ['admin', 'user', 'create', '--admin', ...args, '--must-change-password=false', ...common]
      await run(program, command, { env, cwd: folder })
    },
    async agree(login, address) {
      const response = await pages.open(login, address)
      const at = response.headers.get('location')
      if (at !== null) return at
      const page = await response.text()
      const names = ['client_id', 'state', 'scope', 'nonce', 'redirect_uri']
      const fields = Object.fromEntries(names.map((name) => [name, fieldOf(page, name)]))
      const answer = await pages.form(login, '/login/oauth/grant', { ...fields, granted: 'true' })
      return answer.headers.get('location') ?? ''
    },
    async close() {
      await stop()
      await proxy?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface GiteaWorld extends ForgeWorld<Gitea> {
  /** The credentials of the OAuth application. */
  clientId: string
}

/**
 * Starts a forge and the server connected to it, with an OAuth application created by `root`.
 */
export async function startGiteaWorld(
  options: GiteaOptions,
  logins: readonly string[],
  { environment = {}, args = [] }: { environment?: Record<string, string>; args?: readonly string[] } = {},
): Promise<GiteaWorld> {
  const forge = await startGitea(options)
  const name = options.kind.toUpperCase()
  let clientId = ''
  const world = await startForgeWorld({
    forge,
    logins,
    async connect(address) {
      const application = { name: 'Flightdeck', redirect_uris: [`${address}/login`], confidential_client: true }
      const made = await forge.api('root', 'POST', '/user/applications/oauth2', application)
      const { client_id: id, client_secret: secret } = made as { client_id: string; client_secret: string }
      clientId = id
      const client = { [`FLIGHTDECK_${name}_CLIENT_ID`]: id, [`FLIGHTDECK_${name}_CLIENT_SECRET`]: secret }
      return { args: [`--${options.kind}`, forge.url, ...args], environment: { ...client, ...environment } }
    },
    async signIn(address, login) {
      const begun = await fetch(`${address}/login`, { redirect: 'manual' })
      const back = await forge.agree(login, begun.headers.get('location') ?? '')
      return fetch(back, { headers: { Cookie: cookiesOf(begun) }, redirect: 'manual' })
    },
  })
  return Object.assign(world, { clientId })
}
