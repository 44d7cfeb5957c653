// The built server as a separate process on a free port, with a signed-in user.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const person = { login: 'ada', password: 'correct horse battery' }

/** Starts it with a data folder. Resolves when it listens, with the duration. */
export async function startServer(program, { data, repos, server, words: more = [], environment = {} }) {
  const began = performance.now()
  const words = [
    program,
    '--data',
    data,
    '--port',
    '0',
    ...(repos ? ['--repos', repos] : []),
    ...(server ? ['--server', server] : []),
    ...more,
  ]
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      FLIGHTDECK_ADMIN: `${person.login}:${person.password}`,
      FLIGHTDECK_CAPACITY: '2',
      FLIGHTDECK_DRAIN_TIMEOUT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const origin = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /is ready: (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  const started = performance.now() - began
  return {
    origin,
    pid: child.pid,
    started,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The cookie of a new session, as `name=value`. */
export async function signIn(origin) {
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: person.login, password: person.password }),
    redirect: 'manual',
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`could not sign in: ${answer.status}`)
  return cookie
}

/** Waits until the search finds all builds. */
export async function waitUntilIndexed({ origin, cookie }) {
  for (;;) {
    const answer = await fetch(`${origin}/api/search?text=x`, { headers: { cookie } })
    if (!(await answer.json()).builds.indexing) return
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
