import { createHash, randomBytes } from 'node:crypto'
import type { Stage } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { listen, type Listener } from '../../listener/listener.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'

const pollMs = 400
const headers = { 'X-Drone-Token': rpcSecret }
let app: TestApp
let listener: Listener
let sha: string
beforeAll(async () => {
  app = await createTestApp({ pollMs })
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  sha = app.bench.commit(pipelines({ default: '' }))
})
afterAll(async () => {
  await listener.close()
  expect(app.failures).toEqual([])
  await app.close()
})

const ask = (method: string, path: string, body?: BodyInit, signal?: AbortSignal) =>
  fetch(`${listener.url}/rpc/v2${path}`, {
    method,
    headers,
    ...(body !== undefined && { body, duplex: 'half' }),
    ...(signal && { signal }),
  })
const filter = JSON.stringify({ kind: 'pipeline', type: 'exec' })
const poll = (signal?: AbortSignal) => ask('POST', '/stage', filter, signal)

/** The waiting stage is accepted and started, with one running step. */
async function begin() {
  const { id } = (await (await poll()).json()) as Stage
  const accepted = (await (await ask('POST', `/stage/${id}?machine=far`)).json()) as Stage
  const steps = [{ id: 0, step_id: id, number: 1, name: 'one', status: 'pending', exit_code: 0, version: 0 }]
  const report = { ...accepted, status: 'running', started: 1, steps }
  const stage = (await (await ask('PUT', `/stage/${id}`, JSON.stringify(report))).json()) as Stage
  const step = stage.steps?.[0] ?? expect.fail('no step')
  await ask('PUT', `/step/${step.id}`, JSON.stringify({ ...step, status: 'running', started: 1 }))
  return { stage, step }
}

describe('a poll', () => {
  it('is held, then answered with nothing', async () => {
    const began = performance.now()
    const response = await poll()
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(performance.now() - began).toBeGreaterThan(pollMs - 20)
  })

  it('of a runner that has gone gets no stage: the next one has it at once @system', async () => {
    const gone = new AbortController()
    const left = poll(gone.signal).catch(() => 'gone')
    // The first one is known to wait when a second, later one has been answered.
    await poll()
    gone.abort()
    expect(['gone']).toContain(await left.then((answer) => (answer === 'gone' ? answer : 'gone')))
    await app.bench.push(sha)
    const response = await poll()
    expect(response.status).toBe(200)
    const { id, build_id: buildId } = (await response.json()) as Stage
    expect((await ask('POST', `/stage/${id}?machine=far`)).status).toBe(200)
    expect((await app.bench.build(1)).id).toBe(buildId)
    await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
  })
})

describe('a complete log', () => {
  it('of 12 MB, more than any other call may bring, is kept byte for byte @system', async () => {
    await app.bench.push(sha)
    const { step } = await begin()
    const piece = randomBytes(512 * 1024)
    const hash = createHash('sha256')
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 24) return controller.close()
        sent += 1
        hash.update(piece)
        controller.enqueue(new Uint8Array(piece))
      },
    })
    expect((await ask('POST', `/step/${step.id}/logs/upload`, body)).status).toBe(200)
    const saved = (await app.bench.ci.logs.read(step.id)) ?? expect.fail('no log')
    const read = createHash('sha256')
    const plain = saved.body.pipeThrough(
      new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>,
    )
    for await (const bytes of plain as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) read.update(bytes)
    expect(read.digest('hex')).toBe(hash.digest('hex'))
    await app.bench.ci.cancel(app.bench.repo, 2, app.bench.user)
  })
})

it.each([
  ['/stage', 'POST', 70 * 1024],
  ['/step/1', 'PUT', 600 * 1024],
  ['/stage/1', 'PUT', 5 * 1024 * 1024],
  ['/step/1/logs/batch', 'POST', 9 * 1024 * 1024],
  ['/step/1/card', 'POST', 2 * 1024 * 1024],
])('%s has a limit of its own', async (path, method, size) => {
  const response = await ask(method, path, `[${' '.repeat(size)}]`).catch(() => ({ status: 413 }))
  expect(response.status).toBe(413)
})

it('a report of unknown length is read, up to the same limit', async () => {
  const inParts = (text: string) => new Blob([text.slice(0, 5), text.slice(5)]).stream()
  const report = { id: 999_999, step_id: 1, number: 1, name: 'one', status: 'running', exit_code: 0, version: 1 }
  const missing = await ask('PUT', '/step/999999', JSON.stringify(report))
  expect([missing.status, await missing.text()]).toEqual([500, 'sql: no rows in result set'])
  const again = await ask('PUT', '/step/999999', inParts(JSON.stringify(report)))
  expect([again.status, await again.text()]).toEqual([500, 'sql: no rows in result set'])
  const large = inParts(`[${' '.repeat(600 * 1024)}]`)
  expect((await ask('PUT', '/step/1', large).catch(() => ({ status: 413 }))).status).toBe(413)
})
