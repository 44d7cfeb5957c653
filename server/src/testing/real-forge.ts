/** For tests: what real forges on loopback have in common, whatever their program is. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'

export const forgePassword = (login: string): string => `password-of-${login}`

export interface RealForge {
  /** Without a slash at the end; may have a path. */
  url: string
  /** Creates an account with the password `password-of-LOGIN`. */
  addUser(login: string, admin?: boolean): Promise<void>
  /** Calls the API as this person. Throws where the answer is no success. */
  api(login: string, method: string, path: string, body?: unknown): Promise<unknown>
  /** Posts a form of the pages as this person; for what the API cannot do. */
  form(login: string, path: string, fields: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

export interface ForgeProcess {
  child: ChildProcess
  exited: Promise<void>
}

/**
 * Starts the program and waits until `probe` answers. Rejects with the output of a program that
 * ends.
 */
export async function spawnForge(
  program: string,
  words: readonly string[],
  { cwd, env, probe }: { cwd: string; env: NodeJS.ProcessEnv; probe: string },
): Promise<ForgeProcess> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
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
      (answer) => answer.ok,
      () => false,
    )
  while (!(await isListening())) {
    if (ended) throw new Error(`${program} ended: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { child, exited }
}

/** The cookies that a forge has set, as a browser keeps them. */
export function createCookieJar() {
  const kept = new Map<string, string>()
  return {
    text: (): string => [...kept.values()].join('; '),
    take(answer: Response): Response {
      for (const line of answer.headers.getSetCookie()) {
        const pair = line.split(';', 1)[0] ?? ''
        kept.set(pair.split('=', 1)[0] ?? '', pair)
      }
      return answer
    },
  }
}

type CookieJar = ReturnType<typeof createCookieJar>

/** The pages of a forge, with the sessions of people who have signed in with their passwords. */
export function forgePages(url: string, csrfOf: (page: string) => string) {
  const jars = new Map<string, CookieJar>()
  const ask = async (jar: CookieJar, address: string, body?: URLSearchParams): Promise<Response> =>
    jar.take(
      await fetch(address, {
        ...(body && { method: 'POST', body }),
        headers: { Cookie: jar.text() },
        redirect: 'manual',
      }),
    )

  async function signedIn(login: string): Promise<CookieJar> {
    const known = jars.get(login)
    if (known) return known
    const jar = createCookieJar()
    jars.set(login, jar)
    const page = await (await ask(jar, `${url}/user/login`)).text()
    const fields = { _csrf: csrfOf(page), user_name: login, password: forgePassword(login) }
    await ask(jar, `${url}/user/login`, new URLSearchParams(fields))
    return jar
  }

  return {
    /** Opens a page of the forge; redirects are not followed. */
    open: async (login: string, address: string): Promise<Response> => ask(await signedIn(login), address),
    form: async (login: string, path: string, fields: Record<string, string>): Promise<Response> => {
      const jar = await signedIn(login)
      const page = await (await ask(jar, `${url}/`)).text()
      return ask(jar, `${url}${path}`, new URLSearchParams({ _csrf: csrfOf(page), ...fields }))
    },
    /** Sessions end when a forge starts again, or a person has another name. */
    forget: (): void => jars.clear(),
  }
}
