import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Build, Line } from '@flightdeck/api'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'
import { thisPlatform } from '../machine/platform.ts'

/** A real disk: a small one, which only an administrator can make. */
let folder: string
let data: string
/** What was mounted, the last first. */
const mounted: string[] = []
let server: ServerProcess | undefined
let gate: Server
/** Steps that wait for the test's permission to continue, by name. */
const asking = new Map<string, ServerResponse>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-disk-'))
  data = join(folder, 'data')
  // Stages work outside the small disk: deleting their folders would occasionally let a write
  // succeed.
  const [work, place] = [join(folder, 'work'), join(data, 'workspaces')]
  for (const path of [data, work]) mkdirSync(path, { mode: 0o700 })
  const mount = (at: string, ...words: string[]): void => {
    execFileSync('mount', [...words, at], { stdio: 'ignore' })
    mounted.unshift(at)
  }
  try {
    mount(data, '-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'tmpfs')
    mkdirSync(place, { mode: 0o700 })
    mount(place, '--bind', work)
  } catch {
    // Set by the test.
  }
  gate = createServer((request, response) => void asking.set(request.url ?? '', response))
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  gate.closeAllConnections()
  gate.close()
  for (const at of mounted) execFileSync('umount', [at])
  rmSync(folder, { recursive: true })
})

/**
 * Fills the disk to the last byte, even if files are removed meanwhile; returns a function that
 * frees the space.
 */
function fill(): () => void {
  const path = join(data, 'filler')
  const file = openSync(path, 'w')
  const take = (most: number): void => {
    for (let size = most; size >= 1;) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2)
      } catch {
        size = Math.floor(size / 2)
      }
    }
  }
  take(1024 * 1024)
  const timer = setInterval(() => take(4096), 1)
  return () => {
    clearInterval(timer)
    closeSync(file)
    rmSync(path)
  }
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 50 })

/** A step that waits at the gate, then prints so many lines. */
const step = (name: string, lines: number): string => {
  const { port } = gate.address() as AddressInfo
  const code = `await fetch("http://127.0.0.1:${port}/${name}"); for (let i = 1; i <= ${lines}; i++) console.log("line " + i)`
  return `- name: ${name}\n  commands:\n  - '${process.execPath} --input-type=module -e ''${code}'''\n`
}

test('a disk that is full for seconds costs time, and nothing else', { timeout: 120_000 }, async (context) => {
  if (mounted.length < 2) context.skip('needs root and the right to mount a tmpfs')
  const { os, arch } = thisPlatform()
  const origin = testRepository(join(folder, 'repos/acme/web'))
  const head = `kind: pipeline\ntype: exec\nname: default\nplatform: { os: ${os}, arch: ${arch} }\nsteps:\n`
  origin.commit({ '.drone.yml': head + step('talk', 500) + step('silent', 0) }, 'First')
  server = spawnServer(['--port', '0', '--data', data, '--repos', join(folder, 'repos'), '--capacity', '1'])
  const admin = await signIn(await server.ready, data)
  await admin.json('/api/repos/acme/web', 'POST')
  for (const number of [1, 2]) {
    expect(await admin.json<Build>('/api/repos/acme/web/builds', 'POST')).toMatchObject({ number })
  }
  const build = (number: number) => admin.json<Build>(`/api/repos/acme/web/builds/${number}`)

  // While a step talks.
  await until(() => expect(asking.has('/talk')).toBe(true))
  const stream = await admin.call('/api/stream/acme/web/1/1/2')
  const streamed = stream.text()
  let makeRoom = fill()
  asking.get('/talk')?.end()
  await until(() => expect(server?.errors()).toContain('a log could not be written; retrying'))
  makeRoom()
  // The stream ends without help.
  expect(await streamed).toContain('line 500')

  // While the last step ends, and with it stage and build.
  await until(() => expect(asking.has('/silent')).toBe(true))
  makeRoom = fill()
  asking.get('/silent')?.end()
  await until(() => expect(server?.errors()).toMatch(/the report of (step|stage) \d+ could not be written; retrying/))
  expect((await build(1)).status).toBe('running')
  const waiting = { status: 'pending', waiting: { text: 'Waiting for space: the disk of the server is nearly full' } }
  await until(async () => expect(await build(2)).toMatchObject(waiting))
  makeRoom()
  await until(async () => expect((await build(1)).status).toBe('success'))
  const lines = await admin.json<Line[]>('/api/repos/acme/web/builds/1/logs/1/2')
  // Without the command itself.
  const text = lines
    .map(({ out }) => out)
    .join('')
    .replace(/^\+ .*\n/, '')
  expect(text).toBe(Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`).join(''))

  // The place is free.
  asking.clear()
  for (const name of ['/talk', '/silent']) {
    await until(() => expect(asking.has(name)).toBe(true))
    asking.get(name)?.end()
  }
  await until(async () => expect((await build(2)).status).toBe('success'))
})
