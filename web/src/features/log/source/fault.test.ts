/**
 * A log read through a proxy that drops, repeats, reorders, delays and cuts, with the real server,
 * store, stream and worker code. 20 seeds; FAULT_SEEDS=200 for more, FAULT_SEED=7 for a single one.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Line, Step } from '@flightdeck/api'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pipelines } from '../../../../../server/src/testing/test-bench.ts'
import { createTestApp, tokenOf, type TestApp } from '../../../../../server/src/testing/test-app.ts'
import { createLogWorker } from './log-worker.ts'
import type { StepAddress } from '../step/step-address.ts'
import { LogStore } from './log-store.ts'
import type { LogEnvironment } from './environment.ts'
import { FaultProxy, faultsOf } from '../testing/fault-proxy.ts'
import { random } from '../testing/random.ts'

const only = process.env['FAULT_SEED']
const seeds = only
  ? [Number(only)]
  : Array.from({ length: Number(process.env['FAULT_SEEDS'] ?? 20) }, (_, index) => index + 1)
const stepsPerBuild = 20
const headers = { authorization: `Bearer ${tokenOf('ann')}` }

const made: FaultProxy['made'][] = []
let app: TestApp
let server: Server
let upstream: string

beforeAll(async () => {
  app = await createTestApp({ pingMs: 600_000 })
  app.bench.commit(pipelines({ default: '' }))
  const answer = getRequestListener(app.app.fetch)
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

/** The same response; its messages are reported as they pass. */
const watched = (response: Response, onMessage: (data: string) => void): Response => {
  let frames = ''
  const decoder = new TextDecoder()
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      const parts = (frames + decoder.decode(bytes, { stream: true })).split('\n\n')
      frames = parts.pop() ?? ''
      for (const part of parts) if (part.trim().startsWith('data: {')) onMessage(part.trim().slice(6))
      controller.enqueue(bytes)
    },
  })
  return new Response(response.body?.pipeThrough(watch), response)
}

/**
 * The store's surroundings: the worker in this thread, the network through the proxy, a clock that
 * never waits.
 */
const environmentOf = (origin: string, onMessage: (data: string) => void): LogEnvironment => ({
  startWorker: (post) => {
    const handle = createLogWorker({
      post,
      fetch: async (url, init) => watched(await fetch(`${origin}${url}`, init), onMessage),
      later: (task) => task(),
    })
    return { post: (message) => queueMicrotask(() => handle(message)), stop: () => undefined }
  },
  fetch: (url, init) => fetch(`${origin}${url}`, init),
  later: (_milliseconds, action) => {
    const handle = setImmediate(action)
    return () => clearImmediate(handle)
  },
  now: () => Date.now(),
  isHidden: () => false,
  onVisibility: () => () => undefined,
})

const pieces = [
  'npm test',
  '\u001b[31mred',
  '\u001b[0m',
  'é',
  '表',
  '👩‍💻',
  '<b>',
  '100%\r',
  '"quoted"',
  '\\',
  'a'.repeat(300),
]

/** Entries of all kinds: whole lines, parts of a line, several lines, some empty. */
const makeLines = (next: () => number): Line[] =>
  Array.from({ length: 60 + Math.floor(next() * 240) }, (_, pos) => {
    const words = Array.from({ length: Math.floor(next() * 4) }, () => pieces[Math.floor(next() * pieces.length)] ?? '')
    const end = next() < 0.8 ? '\n' : next() < 0.5 ? '' : '\nhalf'
    return { pos, out: `${words.join(' ')}${end}`, time: Math.floor(pos / 10) }
  })

const until = (store: LogStore, test: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    let stop = (): void => undefined
    const check = () => {
      if (!test()) return
      stop()
      resolve()
    }
    stop = store.subscribe(check)
    check()
  })

const join = (lines: readonly Line[]): string =>
  lines
    .toSorted((a, b) => a.pos - b.pos)
    .map((line) => line.out)
    .join('')

let steps: Step[] = []
let build = 0
const nextStep = async (): Promise<{ step: Step; address: StepAddress }> => {
  if (steps.length === 0) {
    await app.bench.startBuild()
    build++
    steps = (await app.bench.take(Array.from({ length: stepsPerBuild }, (_, index) => `step ${index + 1}`))).steps
  }
  const [first, ...rest] = steps
  steps = rest
  const step = await app.bench.runStep(first ?? expect.fail('no step'))
  return { step, address: { namespace: 'acme', name: 'web', build, stage: 1, step: step.number } }
}

const appendAll = async (step: Step, lines: readonly Line[], next: () => number): Promise<void> => {
  for (let at = 0; at < lines.length;) {
    const count = 1 + Math.floor(next() * 30)
    await app.bench.ci.runners.appendLog(step.id, lines.slice(at, at + count))
    at += count
    // The stream continues while the step prints.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test.each(seeds)('seed %i: the text is the server’s, byte for byte', async (seed) => {
  const next = random(seed)
  const { step, address } = await nextStep()
  const proxy = new FaultProxy(upstream, headers, faultsOf(seed))
  const arrived = new Map<number, Line>()
  const environment = environmentOf(await proxy.listen(), (data) => {
    const line = JSON.parse(data) as Line
    arrived.set(line.pos, line)
  })
  const store = new LogStore(address, environment)
  const text = async () => (await store.text(0, store.getSnapshot().stats.lines, false)).text()
  const lines = makeLines(next)

  store.setMode('live')
  await appendAll(step, lines, next)
  await app.bench.endStep(step)
  await until(store, () => store.getSnapshot().live === 'ended')
  // The received entries are in order and not duplicated, even if some are missing.
  await until(store, () => store.getSnapshot().stats.bytes === Buffer.byteLength(join([...arrived.values()])))
  expect(await text()).toBe(join([...arrived.values()]))
  const { first, missing } = store.getSnapshot().stats
  const last = Math.max(-1, ...arrived.keys())
  expect(missing).toBe(last + 1 - first - arrived.size)

  await expect.poll(() => app.bench.isSaved(step), { timeout: 10_000, interval: 5 }).toBe(true)
  store.setMode('saved')
  await until(store, () => ['ready', 'failed'].includes(store.getSnapshot().phase))
  expect(store.getSnapshot()).toMatchObject({ phase: 'ready', stats: { missing: 0 } })
  expect(await text()).toBe(join(lines))
  store.stop()
  await proxy.close()
  made.push(proxy.made)
})

// A few seeds do not need to cover every kind of fault.
test.runIf(seeds.length >= 20)('every kind of fault occurred often', () => {
  for (const kind of ['drop', 'repeat', 'reorder', 'delay', 'cut'] as const)
    expect(
      made.reduce((sum, counts) => sum + counts[kind], 0),
      kind,
    ).toBeGreaterThan(seeds.length / 2)
})
