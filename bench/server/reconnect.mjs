// Measures how all readers of `/api/stream` reconnect at once after a restart of the server.
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { signIn, startServer } from '../lib/server.mjs'
import { percentile } from '../lib/stats.mjs'
import { cpuMs } from './process.mjs'

const readers = 5_000
const probe = join(import.meta.dirname, '../../server/src/testing/loop-probe.mjs')

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** Adds sessions of the first user to the database, as a sign-in does. */
function addSessions(data, count) {
  const db = new DatabaseSync(join(data, 'flightdeck.db'))
  const now = Math.floor(Date.now() / 1000)
  const insert = db.prepare(
    'insert into sessions (session_hash, session_user_id, session_created, session_expires, session_last_seen) values (?, 1, ?, ?, ?)',
  )
  const values = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  db.exec('begin')
  for (const value of values) insert.run(createHash('sha256').update(value).digest('hex'), now, now + 3600, now)
  db.exec('commit')
  db.close()
  return values.map((value) => `_session_=${value}`)
}

/** Sends requests like a page until it is stopped; then returns the response times. */
function askAll(origin, cookie) {
  const waits = []
  const state = { isOver: false }
  const asking = (async () => {
    while (!state.isOver) {
      const began = performance.now()
      const answer = await fetch(`${origin}/api/user`, { headers: { cookie } })
      if (answer.status !== 200) throw new Error(`/api/user: ${answer.status}`)
      await answer.arrayBuffer()
      waits.push(performance.now() - began)
      await delay(20)
    }
    return waits
  })()
  return () => {
    state.isOver = true
    return asking
  }
}

/** The longest turn of the server's event loop since `from`, in milliseconds of processor time. */
const maxTurnMsOf = (file, from) =>
  !existsSync(file)
    ? 0
    : readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .reduce((max, { at, work }) => (at > from ? Math.max(max, work) : max), 0)

/** `persons`: the number of different sessions of the readers. */
async function measure(program, persons) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-reconnect-'))
  const [data, probeFile] = [join(folder, 'data'), join(folder, 'probe')]
  const port = await freePort()
  const start = () =>
    startServer(program, {
      data,
      repos: folder,
      words: ['--port', String(port)],
      environment: { NODE_OPTIONS: `--import=${probe}`, LOOP_PROBE_FILE: probeFile },
    })
  let server = await start()
  const readersProcess = fork(join(import.meta.dirname, 'returning-readers.mjs'), [String(port)])
  try {
    const own = await signIn(server.origin)
    const sessions = addSessions(data, persons)
    readersProcess.send(Array.from({ length: readers }, (_, index) => sessions[index % persons]))
    await once(readersProcess, 'message')
    await server.stop()
    server = await start()
    const readyAt = performance.timeOrigin + performance.now()
    const cpu = cpuMs(server.pid)
    const allOpen = once(readersProcess, 'message')
    const stopAsking = askAll(server.origin, own)
    const [{ at, refused }] = await allOpen
    const used = cpuMs(server.pid) - cpu
    const waits = await stopAsking()
    return {
      all: (at - readyAt) / 1000,
      refused: Object.entries(refused).reduce((sum, [status, times]) => sum + (status === '0' ? 0 : times), 0),
      cpu: used / readers,
      api: percentile(waits, 0.95),
      longest: Math.max(...waits),
      held: maxTurnMsOf(probeFile, readyAt),
    }
  } finally {
    readersProcess.kill('SIGTERM')
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

const reconnecting = (name, who, persons) => ({
  name,
  size: 'none',
  runs: 3,
  rows: [
    ['all', `5,000 readers ${who} that all connect again after a restart: until each has its stream`, 's', 3],
    ['refused', '– answers that were no stream', '', 0],
    ['cpu', '– processor time of the server for each', 'ms'],
    ['api', '– `/api/user` meanwhile, 95th percentile', 'ms', 50],
    ['longest', '– `/api/user` meanwhile, the longest: it has to be accepted first', 'ms'],
    ['held', '– longest turn of the event loop, processor time', 'ms', 50],
  ],
  how: 'the server is stopped and started again on the same port, while each reader tries again every 100 ms; from the message that the server is ready until the last reader has the first bytes of its stream; readers and server share the machine',
  once: ({ program }) => measure(program, persons),
})

export const reconnectMeasures = [
  reconnecting('reconnect', 'of one person', 1),
  reconnecting('reconnect-persons', 'with a session each', readers),
]
