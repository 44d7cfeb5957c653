import { connect, type Socket } from 'node:net'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Line, Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type Listener } from '../../listener/listener.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let listener: Listener
beforeAll(async () => {
  app = await createTestApp()
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
})
afterAll(async () => {
  await listener.close()
  await app.close()
})

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${listener.url}/rpc/v2${path}`, {
    method,
    headers: { 'X-Drone-Token': rpcSecret },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect([method, path, answer.status]).toEqual([method, path, 200])
  const text = await answer.text()
  return (text === '' ? null : JSON.parse(text)) as T
}

/** The head of an upload and a part of the announced body, on a separate socket. */
async function begin(id: number, head: string, part: string): Promise<Socket> {
  const { hostname, port } = new URL(listener.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    const first = `POST /rpc/v2/step/${id}/logs/upload HTTP/1.1\r\nHost: ${hostname}\r\nX-Drone-Token: ${rpcSecret}\r\n${head}\r\n\r\n${part}`
    socket.write(first, () => resolve())
  })
  return socket
}
const received = () => readdirSync(join(app.bench.dir, 'logs'), { recursive: true }).map(String)

it.each([
  ['of a length', 'Content-Length: 1000', '[{"pos":0,"out":"half'],
  ['in chunks', 'Transfer-Encoding: chunked', '15\r\n[{"pos":0,"out":"half\r\n3e8\r\nand'],
])(
  'an upload %s that breaks off in the middle leaves the live log, and the next one counts',
  async (_how, head, part) => {
    const text = 'kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: one\n  commands: [echo]\n'
    await app.bench.push(app.bench.commit(text))
    const { id } = await call<Stage>('POST', '/stage', { kind: 'pipeline', type: 'exec' })
    const stage = await call<Stage>('POST', `/stage/${id}?machine=far`)
    const step = { id: 0, step_id: id, number: 1, name: 'one', status: 'pending', exit_code: 0, version: 0 }
    const { steps } = await call<Stage>('PUT', `/stage/${id}`, {
      ...stage,
      status: 'running',
      started: 1,
      steps: [step],
    })
    const one = steps?.[0] ?? expect.fail('no step')
    await call('PUT', `/step/${one.id}`, { ...one, status: 'running', started: 1 })
    await call('POST', `/step/${one.id}/logs/batch`, [{ pos: 0, out: 'live\n', time: 0 }])
    const before = new Set(received())
    const fresh = () => received().filter((name) => !before.has(name))

    const socket = await begin(one.id, head, part)
    await expect.poll(fresh, { timeout: 10_000 }).toHaveLength(1)
    socket.resetAndDestroy()
    await expect.poll(fresh, { timeout: 10_000 }).toEqual([])

    const whole: Line[] = [{ pos: 0, out: 'whole\n', time: 0 }]
    await call('POST', `/step/${one.id}/logs/upload`, whole)
    await call('PUT', `/step/${one.id}`, { ...one, version: 2, status: 'success', stopped: 2 })
    const saved = await app.bench.ci.logs.read(one.id)
    expect(saved).not.toBeNull()
    const { gunzipSync } = await import('node:zlib')
    const bytes = Buffer.from(await new Response(saved?.body).arrayBuffer())
    expect(JSON.parse((saved?.encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString())).toEqual(whole)
    expect(app.failures).toEqual([])
  },
)
