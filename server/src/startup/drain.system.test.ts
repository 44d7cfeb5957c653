/** Stops a real server during a build (docs/decisions/upgrade.md). */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Line } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { findSleepProcesses } from '../testing/sleep-processes.ts'
import { testRepository } from '../testing/test-repository.ts'

const polling = { timeout: 30_000 }
vi.setConfig({ testTimeout: 90_000 })

/** A duration that no other program passes to `sleep`. */
const nap = `${100_000 + process.pid}.5`

let folder: string
let running: ServerProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-drain-'))
  // Steps run as another account where the tests run as root.
  chmodSync(folder, 0o755)
  running = []
})
afterEach(async () => {
  for (const server of running) server.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  rmSync(folder, { recursive: true, force: true })
})

const waits = `kind: pipeline
type: exec
name: default
steps:
- name: wait
  commands: ['echo begun', 'sleep ${nap} || true', 'echo done']
- name: after
  commands: ['echo after']
`

function start(drainSeconds: number): ServerProcess {
  const words = ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos'), '--capacity', '1']
  const server = spawnServer(words, { FLIGHTDECK_DRAIN_TIMEOUT: String(drainSeconds) })
  running.push(server)
  return server
}
const builds = '/api/repos/acme/web/builds'

/** Starts a build that runs until the gate opens, and one that waits for it. */
async function begin(drainSeconds: number) {
  testRepository(join(folder, 'repos/acme/web')).commit({ '.drone.yml': waits }, 'First')
  const server = start(drainSeconds)
  const admin = await signIn(await server.ready, join(folder, 'data'))
  await admin.json('/api/repos/acme/web', 'POST')
  await admin.json(builds, 'POST')
  await admin.json(builds, 'POST')
  await expect.poll(async () => (await admin.json<Build>(`${builds}/1`)).status, polling).toBe('running')
  await expect.poll(() => sleepProcesses().length, polling).toBe(1)
  return { server, admin }
}

/** The step's `sleep`. */
const sleepProcesses = () => findSleepProcesses(nap)

const wake = () => sleepProcesses().forEach((pid) => process.kill(pid))

test('after SIGTERM the running build ends while the API responds, and the next start runs the waiting build', async () => {
  const { server, admin } = await begin(60)
  server.kill('SIGTERM')
  await expect.poll(() => server.errors(), polling).toContain('running stages have 60 seconds to end')
  // The page and the API respond.
  expect((await admin.json<Build>(`${builds}/1`)).status).toBe('running')
  expect((await admin.json<Build>(builds, 'POST')).status).toBe('pending')
  wake()
  expect((await server.ended).code).toBe(0)

  const next = await signIn(await start(0).ready, join(folder, 'data'))
  const first = await next.json<Build>(`${builds}/1`)
  expect(first).toMatchObject({
    status: 'success',
    stages: [{ steps: [{}, { status: 'success' }, { status: 'success' }] }],
  })
  const log = await next.json<Line[]>(`${builds}/1/logs/1/2`)
  expect(log.map(({ out }) => out)).toEqual(expect.arrayContaining(['begun\n', 'done\n']))
  for (const number of [2, 3]) {
    await expect.poll(() => sleepProcesses().length, polling).toBe(1)
    wake()
    await expect.poll(async () => (await next.json<Build>(`${builds}/${number}`)).status, polling).toBe('success')
  }
})

test('a second SIGTERM stops the server immediately', async () => {
  const { server } = await begin(600)
  server.kill('SIGTERM')
  await expect.poll(() => server.errors(), polling).toContain('A second signal ends them now')
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(sleepProcesses()).toEqual([])
  const next = await signIn(await start(0).ready, join(folder, 'data'))
  expect(await next.json<Build>(`${builds}/1`)).toMatchObject({ status: 'error', error: 'the server was restarted' })
})

test('after the time limit the steps are stopped', async () => {
  const { server } = await begin(1)
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(sleepProcesses()).toEqual([])
  const next = await signIn(await start(0).ready, join(folder, 'data'))
  expect(await next.json<Build>(`${builds}/1`)).toMatchObject({ status: 'error', error: 'the server was restarted' })
})
