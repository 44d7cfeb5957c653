/**
 * With two hundred password guessers, a real server still serves files and other sign-ins.
 * `password-checks.mjs` counts the checks inside the server.
 */
import { request } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { importOf } from '../testing/server-work.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let folder: string
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
let address: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-sign-in-load-'))
  chmodSync(folder, 0o755)
  server = spawnServer(['--port', '0', '--data', join(folder, 'data')], {
    NODE_OPTIONS: importOf('password-checks.mjs'),
  })
  address = await server.ready
  admin = await signIn(address, join(folder, 'data'))
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  location: string | undefined
  device: string | undefined
  retryAfter: string | undefined
  /** The passwords that were checked while it waited, its own included. */
  checked: number
}

/** Limit of the checks between a request's arrival and its response. */
const maxChecked = 6
const checkedHeader = 'x-passwords-checked'

/**
 * `localAddress`: Linux accepts all of 127.0.0.0/8, so that one machine can simulate many clients.
 */
function enter(
  username: string,
  password: string,
  localAddress: string,
  { cookie = '', onSent }: { cookie?: string | undefined; onSent?: () => void } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(`${address}/login`, { method: 'POST', localAddress, agent: false }, (response) => {
      response.resume()
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          device: response.headers['set-cookie']?.find((one) => one.startsWith('_device_='))?.split(';')[0],
          retryAfter: response.headers['retry-after'],
          checked: Number(response.headers[checkedHeader]),
        })
      })
    })
    call.once('error', reject)
    if (onSent) call.once('finish', onSent)
    if (cookie) call.setHeader('Cookie', cookie)
    call.setHeader('Content-Type', 'application/x-www-form-urlencoded')
    call.end(new URLSearchParams({ username, password }).toString())
  })
}

/** Sends these guesses; `sent` resolves when the operating system has all of them. */
function sendGuesses(count: number, guess: (number: number) => [username: string, password: string], address: string) {
  const answers: Promise<Answer>[] = []
  const sent = Array.from(
    { length: count },
    (_, number) => new Promise<void>((onSent) => answers.push(enter(...guess(number), address, { onSent }))),
  )
  return { sent: Promise.all(sent), answers: Promise.all(answers) }
}
const password = () => readFileSync(join(folder, 'data/admin-password'), 'utf8').trim()

it.each([
  ['from elsewhere, for the same name', 'admin', '127.0.0.3'],
  ['from the same address, for other names', 'somebody', '127.0.0.2'],
  ['from the same address, for the same name', 'admin', '127.0.0.2'],
])('a right password gets in at once among 200 guesses %s', async (_where, login, guesser) => {
  const guesses = sendGuesses(200, (number) => [login, `guess ${number}`], guesser)
  // Only then is the right password the latest arrival: later guesses would go before it.
  await guesses.sent
  const right = await enter('admin', password(), '127.0.0.2')
  expect([right.status, right.location]).toEqual([303, '/'])
  expect(right.checked).toBeLessThanOrEqual(maxChecked)
  for (const { status, retryAfter, location } of await guesses.answers) {
    expect([303, 429]).toContain(status)
    if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0)
    else expect(location).toBe('/login/error?message=Unauthorized')
  }
})

it('a right password from a device that signed in before gets in among 200 guessers from 50 addresses', async () => {
  const { device } = await enter('admin', password(), '127.0.0.5')
  const over = new AbortController()
  /** Each guesser sends the next guess after each response. */
  const guess = async (number: number) => {
    while (!over.signal.aborted) await enter('admin', `guess ${number}`, `127.0.1.${(number % 50) + 1}`).catch(() => {})
  }
  const guessers = Array.from({ length: 200 }, (_, number) => guess(number))
  try {
    for (let time = 0; time < 5; time += 1) {
      const right = await enter('admin', password(), '127.0.0.5', { cookie: device })
      expect([right.status, right.location]).toEqual([303, '/'])
      expect(right.checked).toBeLessThanOrEqual(maxChecked)
    }
  } finally {
    over.abort()
  }
  await Promise.all(guessers)
})

it('60 guesses do not delay readers of a log', async () => {
  await admin.json('/api/repos/sample/hello/builds', 'POST')
  const build = () => admin.json<Build>('/api/repos/sample/hello/builds/1')
  await expect.poll(async () => isDone((await build()).status), { timeout: 60_000 }).toBe(true)
  const read = async () => {
    const response = await admin.call('/api/repos/sample/hello/builds/1/logs/1/1')
    await response.text()
    return Number(response.headers.get(checkedHeader))
  }
  const guesses = sendGuesses(60, (number) => [`name ${number}`, 'wrong'], '127.0.0.4')
  await guesses.sent
  const checkedMeanwhile = [await read(), await read(), await read()]
  const statuses = (await guesses.answers).map(({ status }) => status)
  expect(statuses.every((status) => status === 303 || status === 429)).toBe(true)
  // A file operation never waits for more than one password.
  expect(Math.max(...checkedMeanwhile)).toBeLessThanOrEqual(maxChecked)
})
