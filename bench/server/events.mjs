// Build events for many readers of `/api/stream`: their delays, and how long the runner that
// reports them waits.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '../lib/stats.mjs'
import { signIn, startServer } from '../lib/server.mjs'
import { startDrone, token } from './drone.mjs'
import { cpuMs, memoryMiB, peakMiB } from './process.mjs'

const secret = 'bench-secret-of-runners'
const everyMs = 100
const reports = 200

const git = (folder, ...words) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words])

const steps = ['build', 'test'].map((name) => `- name: ${name}\n  image: alpine\n  commands: [make]\n`)
const pipeline = `kind: pipeline\ntype: docker\nname: default\nsteps:\n${steps.join('')}`

/** A Docker pipeline, which the built-in runner does not accept. */
function makeRepository(repos) {
  const folder = join(repos, 'acme/web')
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', 'main')
  writeFileSync(join(folder, '.drone.yml'), pipeline)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'Build and test')
}

/** Sends a runner's requests. */
const rpcOf = (origin) => async (method, path, body) => {
  const answer = await fetch(`${origin}/rpc/v2${path}`, {
    method,
    headers: { 'X-Drone-Token': secret },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Accepts a build and starts one of its steps. */
async function beginStep(origin) {
  const rpc = rpcOf(origin)
  const { id } = await rpc('POST', '/stage', { kind: 'pipeline', type: 'docker', os: 'linux', arch: 'amd64' })
  const stage = await rpc('POST', `/stage/${id}?machine=bench`)
  const steps = ['clone', 'build', 'test'].map((name, index) => ({
    id: 0,
    step_id: id,
    number: index + 1,
    name,
    status: 'pending',
    exit_code: 0,
    version: 0,
  }))
  const started = await rpc('PUT', `/stage/${id}`, { ...stage, status: 'running', started: 1, steps })
  return { rpc, step: started.steps[0] }
}

/** Reports at a constant rate. Returns when each report was sent and how long its response took. */
async function report(origin) {
  let { rpc, step } = await beginStep(origin)
  await delay(1000)
  const [sent, waits] = [[], []]
  const began = performance.now()
  for (let number = 0; number < reports; number += 1) {
    const next = began + number * everyMs
    if (next > performance.now()) await delay(next - performance.now())
    const at = performance.timeOrigin + performance.now()
    step = await rpc('PUT', `/step/${step.id}`, {
      ...step,
      status: 'running',
      started: 1,
      exit_code: 7_000_000 + number,
    })
    sent.push([number, at])
    waits.push(performance.timeOrigin + performance.now() - at)
  }
  await delay(2000)
  return { sent, waits }
}

/** The readers, in a separate process. */
async function openReaders(origin, count, header) {
  const child = fork(join(import.meta.dirname, 'event-readers.mjs'), [origin, String(count), header])
  const [{ openedMs }] = await once(child, 'message')
  return {
    openedMs,
    async delays(sent) {
      child.send({ sent })
      const [found] = await once(child, 'message')
      return found
    },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * Measures one row for the process `pid`, which serves `origin`; the runner reports to `reportTo`.
 * `header` is the readers' credential.
 */
async function measureEvents({ origin, pid }, count, header, reportTo = origin) {
  const idle = memoryMiB(pid)
  const { result, peak } = await peakMiB(pid, async () => {
    const readers = await openReaders(origin, count, header)
    const cpu = cpuMs(pid)
    const began = performance.now()
    const { sent, waits } = await report(reportTo)
    const share = ((cpuMs(pid) - cpu) / (performance.now() - began)) * 100
    const delays = await readers.delays(sent)
    await readers.close()
    return {
      ...delays,
      put: percentile(waits, 0.5),
      put95: percentile(waits, 0.95),
      cpu: share,
      opening: readers.openedMs,
    }
  })
  return { ...result, missing: result.missing * 100, memory: peak - idle }
}

async function startOwn(program) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-events-'))
  const repos = join(folder, 'repos')
  makeRepository(repos)
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 })
  const words = ['--rpc-secret-file', join(folder, 'secret')]
  const server = await startServer(program, { data: join(folder, 'data'), repos, words })
  const cookie = await signIn(server.origin)
  const call = async (path) => {
    const answer = await fetch(`${server.origin}/api/repos/acme/web${path}`, { method: 'POST', headers: { cookie } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  await call('')
  await call('/builds')
  return {
    server,
    cookie,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Goals: 1.5 times what Node can do with one shared buffer. `drone`: 2.28, measured on the same
 * machine.
 */
const rowsOf = (readers, goals, drone) => [
  [
    'p50',
    `build events to ${readers.toLocaleString('en-US')} readers, 10 a second for 20 s: delay, median`,
    'ms',
    goals[0],
    drone[0],
  ],
  ['p95', '– 95th percentile', 'ms', goals[1], drone[1]],
  ['p99', '– 99th percentile', 'ms', goals[2], drone[2]],
  ['put', '– the runner’s PUT, median', 'ms', 10, drone[3]],
  ['cpu', '– processor time of the server', '%', goals[3], drone[4]],
  ['memory', '– memory above idle', 'MiB', goals[4], drone[5]],
  ['missing', '– states that readers were not sent', '%', 0],
  ['opening', '– opening all', 'ms', goals[5]],
]

const eventsOf = (readers, goals, drone) => ({
  name: `events-${readers}`,
  size: 'none',
  runs: 3,
  rows: rowsOf(readers, goals, drone),
  how: `a runner reports a step as running every ${everyMs} ms, ${reports} times; from its PUT until each reader has the event; readers are one process and the runner another on the same machine; private memory of the server, processor time from the first report; before: Drone 2.28 with the same readers`,
  async once({ program }) {
    const own = await startOwn(program)
    try {
      return await measureEvents(own.server, readers, `Cookie: ${own.cookie}`)
    } finally {
      await own.stop()
    }
  },
})

const droneProgram = () => {
  const program = process.env.FLIGHTDECK_DRONE
  if (!program) throw new Error('FLIGHTDECK_DRONE must name the program of a Drone server')
  return program
}

/** The same readers on a real Drone server, or on the gateway in front of it. */
const besideDrone = (name, title, readers, measure) => ({
  name: `${name}-${readers}`,
  size: 'none',
  runs: 3,
  rows: rowsOf(readers, [], []).map(([key, work, unit]) => [key, work.replace('build events', title), unit]),
  how: `like events-${readers}; the runner reports to Drone, and processor time and memory are those of the process that the readers are connected to`,
  async once({ program }) {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-events-'))
    const server = await startDrone(droneProgram(), pipeline, secret)
    try {
      return await measure(program, server, readers, folder)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  },
})

const bearer = `Authorization: Bearer ${token}`
const atDrone = (_program, server, readers) => measureEvents(server, readers, bearer)
async function throughGateway(program, server, readers, folder) {
  const gateway = await startServer(program, { data: join(folder, 'data'), server: server.origin })
  try {
    return await measureEvents(gateway, readers, bearer, server.origin)
  } finally {
    await gateway.stop()
  }
}

export const eventMeasures = [
  eventsOf(100, [10, 15, 23, 9, 100, 500], ['4', '9', '10–29', '4', '4', '55 (peak)']),
  eventsOf(1000, [10.5, 22.5, 34.5, 16, 100, 1500], ['13', '20', '23–28', '6', '16', '139–191 (peak)']),
  eventsOf(5000, [37.5, 69, 85.5, 73, 300, 5000], ['53', '79–114', '103–167', '14–21', '73', '542–741 (peak)']),
]

export const droneMeasures = [100, 1000, 5000].flatMap((readers) => [
  besideDrone('events-drone', 'Drone: build events', readers, atDrone),
  besideDrone('events-gateway', 'Drone through the gateway: build events', readers, throughGateway),
])
