/** For tests: a real Gogs on loopback, in a folder of its own. The program is named by an environment variable. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The program, where there is one on this machine. */
export const gogsProgram = process.env['FLIGHTDECK_GOGS']

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

const settings = (folder: string, port: number): string => `BRAND_NAME = Gogs
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
`

export interface Gogs {
  url: string
  /** Creates an account with the password `password-of-LOGIN`. */
  addUser(login: string, admin?: boolean): Promise<void>
  /** Calls the API as this person. Throws where the answer is no success. */
  api(login: string, method: string, path: string, body?: unknown): Promise<unknown>
  /** Posts a form of the pages as this person; for what the API cannot do. */
  form(login: string, path: string, fields: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export const gogsPassword = (login: string): string => `password-of-${login}`

export async function startGogs(program: string): Promise<Gogs> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-gogs-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config = join(folder, 'app.ini')
  mkdirSync(join(folder, 'home'))
  writeFileSync(config, settings(folder, port))
  const env = {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    USER: userInfo().username,
    GOGS_WORK_DIR: folder,
  }
  const child = spawn(program, ['web', '--config', config], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  let ended = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
  })
  // It says nothing when it listens: its own health check is asked.
  for (;;) {
    if (ended) throw new Error(`Gogs ended: ${output}`)
    if (
      await fetch(`${url}/healthcheck`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const basic = (login: string): string => `Basic ${Buffer.from(`${login}:${gogsPassword(login)}`).toString('base64')}`
  const tokens = new Map<string, string>()
  async function tokenOf(login: string): Promise<string> {
    const known = tokens.get(login)
    if (known) return known
    const answer = await fetch(`${url}/api/v1/users/${login}/tokens`, {
      method: 'POST',
      headers: { Authorization: basic(login), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'test' }),
    })
    const { sha1 } = (await answer.json()) as { sha1: string }
    tokens.set(login, sha1)
    return sha1
  }
  const cookies = new Map<string, string>()
  const cookieText = (answer: Response): string[] =>
    answer.headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? '')
  const merge = (known: string, more: readonly string[]): string => {
    const all = new Map(
      known
        .split('; ')
        .filter(Boolean)
        .map((pair) => [pair.split('=', 1)[0] ?? '', pair]),
    )
    for (const pair of more) all.set(pair.split('=', 1)[0] ?? '', pair)
    return [...all.values()].join('; ')
  }
  const csrfOf = (page: string): string => /name="_csrf" content="([^"]*)"/.exec(page)?.[1] ?? ''
  async function signedIn(login: string): Promise<string> {
    const known = cookies.get(login)
    if (known) return known
    const page = await fetch(`${url}/user/login`)
    let cookie = merge('', cookieText(page))
    const fields = { _csrf: csrfOf(await page.text()), user_name: login, password: gogsPassword(login) }
    const body = new URLSearchParams(fields)
    const answer = await fetch(`${url}/user/login`, {
      method: 'POST',
      body,
      headers: { Cookie: cookie },
      redirect: 'manual',
    })
    cookie = merge(cookie, cookieText(answer))
    cookies.set(login, cookie)
    return cookie
  }

  return {
    url,
    async addUser(login, admin = false) {
      const words = ['--name', login, '--password', gogsPassword(login), '--email', `${login}@example.com`]
      await run(program, ['admin', 'create-user', ...words, ...(admin ? ['--admin'] : []), '--config', config], {
        env,
        cwd: folder,
      })
    },
    async api(login, method, path, body) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { Authorization: `token ${await tokenOf(login)}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? null : (JSON.parse(text) as unknown)
    },
    async form(login, path, fields) {
      const cookie = await signedIn(login)
      const page = await fetch(`${url}/`, { headers: { Cookie: cookie } })
      const all = merge(cookie, cookieText(page))
      cookies.set(login, all)
      const body = new URLSearchParams({ _csrf: csrfOf(await page.text()), ...fields })
      return fetch(`${url}${path}`, { method: 'POST', body, headers: { Cookie: all }, redirect: 'manual' })
    },
    async close() {
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
