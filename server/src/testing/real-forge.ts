/** For tests: the common parts of real forges on loopback. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export const forgePassword = (login: string): string => `password-of-${login}`

export interface RealForge {
  /** Without a trailing slash; can have a path. */
  url: string
  /** Creates an account with the password `password-of-LOGIN`. */
  addUser(login: string, admin?: boolean): Promise<void>
  /** Calls the API as this user. Throws unless the response is successful. */
  api(login: string, method: string, path: string, body?: unknown): Promise<unknown>
  /** Posts a form as this user, for actions that the API lacks. */
  form(login: string, path: string, fields: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/**
 * A port for a program that cannot choose one itself. It is below those that Linux gives to
 * outgoing connections and to port 0, so that none of these takes it before the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(16_384, 32_768)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

export interface ForgeProcess {
  child: ChildProcess
  exited: Promise<void>
}

/**
 * Starts the program and waits until `probe` responds. Rejects with its output if the program ends.
 */
export async function spawnForge(
  program: string,
  args: readonly string[],
  { cwd, env, probe }: { cwd: string; env: NodeJS.ProcessEnv; probe: string },
): Promise<ForgeProcess> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  let ended = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
  })
  const isListening = (): Promise<boolean> =>
    fetch(probe).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await isListening())) {
    if (ended) throw new Error(`${program} ended: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { child, exited }
}

/** The cookies of a forge, stored as in a browser. */
export function createCookieJar() {
  const cookies = new Map<string, string>()
  return {
    text: (): string => [...cookies.values()].join('; '),
    take(response: Response): Response {
      for (const line of response.headers.getSetCookie()) {
        const pair = line.split(';', 1)[0] ?? ''
        cookies.set(pair.split('=', 1)[0] ?? '', pair)
      }
      return response
    },
  }
}

type CookieJar = ReturnType<typeof createCookieJar>

/** The pages of a forge, with the sessions of users signed in with their passwords. */
export function forgePages(url: string, csrfOf: (page: string) => string) {
  const jars = new Map<string, CookieJar>()
  const request = async (jar: CookieJar, address: string, body?: URLSearchParams): Promise<Response> =>
    jar.take(
      await fetch(address, {
        ...(body && { method: 'POST', body }),
        headers: { Cookie: jar.text() },
        redirect: 'manual',
      }),
    )

  async function signedIn(login: string): Promise<CookieJar> {
    const cached = jars.get(login)
    if (cached) return cached
    const jar = createCookieJar()
    jars.set(login, jar)
    const page = await (await request(jar, `${url}/user/login`)).text()
    const fields = { _csrf: csrfOf(page), user_name: login, password: forgePassword(login) }
    await request(jar, `${url}/user/login`, new URLSearchParams(fields))
    return jar
  }

  return {
    /** Opens a page of the forge without following redirects. */
    open: async (login: string, address: string): Promise<Response> => request(await signedIn(login), address),
    form: async (login: string, path: string, fields: Record<string, string>): Promise<Response> => {
      const jar = await signedIn(login)
      const page = await (await request(jar, `${url}/`)).text()
      return request(jar, `${url}${path}`, new URLSearchParams({ _csrf: csrfOf(page), ...fields }))
    },
    /** Sessions end when a forge restarts or a user is renamed. */
    forget: (): void => jars.clear(),
  }
}
