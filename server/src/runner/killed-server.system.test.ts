import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { serverBundle } from '../testing/bundles.ts'
import { testRepository } from '../testing/test-repository.ts'
import { endOrphans } from './processes/end-processes.ts'
import { findProcesses } from './processes/find-processes.ts'
import { folderMark } from '../machine/process-mark.ts'
import { thisPlatform } from '../machine/platform.ts'

/** The real server runs in a separate process, so that it can be killed. */
let folder: string
let server: ChildProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-killed-'))
})
afterAll(async () => {
  server?.kill('SIGKILL')
  await endOrphans(join(folder, 'data'), 0)
  rmSync(folder, { recursive: true })
})

/** Returns the address that the server prints when it is ready. */
async function start(): Promise<string> {
  const options = ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos')]
  server = spawn(process.execPath, [serverBundle, ...options], {
    env: { ...process.env, FLIGHTDECK_ADMIN: 'ada:secret-word' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const bytes of server.stdout ?? []) {
    printed += String(bytes)
    const url = /is ready: (\S+)/.exec(printed)?.[1]
    if (url) return url
  }
  throw new Error(`the server did not start: ${printed}`)
}

async function signIn(url: string) {
  const body = new URLSearchParams({ username: 'ada', password: 'secret-word' })
  const answer = await fetch(`${url}/login`, { method: 'POST', body, redirect: 'manual' })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return (path: string, method = 'GET') => fetch(`${url}/api/${path}`, { method, headers: { cookie } })
}

const { os, arch } = thisPlatform()
const pipeline = `kind: pipeline
type: exec
name: default
platform: { os: ${os}, arch: ${arch} }
steps:
  - name: count
    commands:
      - setsid sleep 1000 &
      - i=0; while true; do i=$((i + 1)); echo "line $i $(date +%s)"; sleep 0.05; done
`
const numbers = (text: string) => [...text.matchAll(/line (\d+) (\d+)\n/g)].map(([, number]) => Number(number))

/** Reads the live log until it has `count` numbered lines; returns their numbers. */
async function readSome(answer: Response, count: number): Promise<number[]> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const lines = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json]): Line => JSON.parse(json ?? ''))
    const seen = numbers(lines.map(({ out }) => out).join(''))
    if (seen.length >= count) return seen
  }
  throw new Error(`the stream ended: ${text}`)
}

test('a killed server keeps the log; the next start ends processes and the build', { timeout: 60_000 }, async () => {
  const origin = testRepository(join(folder, 'repos/acme/web'))
  origin.commit({ '.drone.yml': pipeline }, 'First')
  const mark = await folderMark(join(folder, 'data'))
  const before = await signIn(await start())
  expect((await before('repos/acme/web', 'POST')).status).toBe(200)
  expect((await before('repos/acme/web/builds', 'POST')).status).toBe(200)
  await vi.waitFor(
    async () => {
      const build: Build = await (await before('repos/acme/web/builds/1')).json()
      expect(build.stages?.[0]?.steps?.[1]?.status).toBe('running')
    },
    { timeout: 20_000, interval: 50 },
  )
  const stream = await before('stream/acme/web/1/1/2')
  const seen = await readSome(stream, 30)
  expect(await findProcesses({ mark })).not.toEqual([])
  const exit = server && once(server, 'exit')
  server?.kill('SIGKILL')
  const killed = Math.floor(Date.now() / 1000)
  await exit

  const after = await signIn(await start())
  expect(await findProcesses({ mark })).toEqual([])
  const build: Build = await (await after('repos/acme/web/builds/1')).json()
  expect(build.status).toBe('error')
  expect(isDone(build.stages?.[0]?.steps?.[1]?.status ?? '')).toBe(true)
  expect(JSON.stringify(build)).toContain('the server was restarted')
  const lines: Line[] = await (await after('repos/acme/web/builds/1/logs/1/2')).json()
  const text = lines.map(({ out }) => out).join('')
  const saved = numbers(text)
  expect(saved).toEqual(saved.map((_, index) => index + 1))
  expect(saved.length).toBeGreaterThanOrEqual(seen.length)
  // Every line that was printed more than one second before the server was killed.
  const last = Number([...text.matchAll(/line \d+ (\d+)\n/g)].at(-1)?.[1])
  expect(last).toBeGreaterThanOrEqual(killed - 1)
  expect((await after('repos/acme/web/builds/1', 'POST')).status).toBe(200)
  const ended = server && once(server, 'exit')
  server?.kill('SIGTERM')
  await ended
  expect(await findProcesses({ mark })).toEqual([])
})
