/**
 * Ten runners that send what their steps print as fast as they can: others wait for a moment at
 * most, in processor time of the server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Stage, Step } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../../testing/server-process.ts'
import { maxWaitDuring, waitProbe } from '../../testing/server-work.ts'
import { testRepository } from '../../testing/test-repository.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** Milliseconds of the server's own work, beyond what a call costs while nothing else happens. */
const maxWaitMs = 100
const runners = 10
const rounds = 3
const batchesEach = 2
const rpcSecret = 'the secret of all the runners'

let folder: string
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
let address: string
let steps: Step[]

async function rpc<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${address}/rpc/v2${path}`, {
    method,
    body: text,
    headers: { 'X-Drone-Token': rpcSecret },
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
  return (said ? JSON.parse(said) : null) as T
}

/** Acts as a runner that starts one stage with one step. */
async function beginStep(machine: string): Promise<Step> {
  const { id } = await rpc<Stage>('POST', '/stage', { kind: 'pipeline', type: 'docker' })
  const taken = await rpc<Stage>('POST', `/stage/${id}?machine=${machine}`)
  const running = { status: 'running', started: 1 } as const
  const pending = [{ number: 1, name: 'print', status: 'pending' }]
  const begun = await rpc<Stage>('PUT', `/stage/${id}`, { ...taken, ...running, machine, steps: pending })
  const step = begun.steps?.[0] ?? expect.fail('no step')
  return rpc<Step>('PUT', `/step/${step.id}`, { ...step, ...running })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-flood-'))
  const config = Array.from(
    { length: runners },
    (_, index) => `---\nkind: pipeline\ntype: docker\nname: p${index}\nsteps: [{name: print, image: a}]\n`,
  )
  testRepository(join(folder, 'repos/acme/web')).commit({ '.drone.yml': config.join('') }, 'First')
  server = spawnServer(['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos')], {
    ...waitProbe,
    FLIGHTDECK_RPC_SECRET: rpcSecret,
  })
  address = await server.ready
  admin = await signIn(address, join(folder, 'data'))
  await admin.json('/api/repos/acme/web', 'POST')
  await admin.json<Build>('/api/repos/acme/web/builds', 'POST')
  steps = await Promise.all(Array.from({ length: runners }, (_, index) => beginStep(`machine-${index}`)))
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const positions = new Map<number, number>()
const batch = (id: number, count: number, out: string): string => {
  const from = positions.get(id) ?? 0
  positions.set(id, from + count)
  return JSON.stringify(Array.from({ length: count }, (_, index) => ({ pos: from + index, out, time: 0 })))
}

test.each([
  ['empty lines', 8_000, '\n'],
  ['what a page escapes', 20, `${'<&>'.repeat(10_000)}\n`],
  ['colours that overwrite themselves', 1, `${'\r\u001B[31m.'.repeat(80_000)}\n`],
  ['lines of a megabyte', 1, `${'x'.repeat(1_000_000)}\n`],
  ['letters of three bytes', 4, `${'€'.repeat(100_000)}\n`],
])('ten runners send %s as fast as they can', async (_what, count, out) => {
  const ask = () => admin.call('/api/user')
  const send = async ({ id }: Step, batches: number) => {
    for (let sent = 0; sent < batches; sent += 1) await rpc('POST', `/step/${id}/logs/batch`, batch(id, count, out))
  }
  // What is first of its kind is done before it counts.
  await Promise.all(steps.map((step) => send(step, 1)))
  const flood = () => Promise.all(steps.map((step) => send(step, batchesEach)))
  const idle = async () => {
    for (let asked = 0; asked < 20; asked += 1) await (await ask()).arrayBuffer()
  }
  const beyondIdleMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const idleMs = await maxWaitDuring(ask, idle)
    beyondIdleMs.push((await maxWaitDuring(ask, flood)) - idleMs)
  }
  // The one in the middle: a collection of garbage now and then is not what the flood costs.
  const [, middle = Infinity] = beyondIdleMs.toSorted((a, b) => a - b)
  expect(middle).toBeLessThan(maxWaitMs)
})
