/**
 * A thousand readers of a large log that read nothing: no other call waits for them, and each uses
 * no more memory than documented. A call's wait is measured as processor time of the server.
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { isDone, type Build } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { maxWaitDuring, untilIdle, waitProbe } from '../testing/server-work.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/**
 * Milliseconds of the server's own work: 30 to 70 were seen, and 200 when all of them left in one
 * turn of the event loop.
 */
const maxWaitMs = 150
const readers = 1_000
/**
 * The server's memory for each reader, in addition to the system's memory for its socket
 * (docs/security.md).
 */
const maxReaderBytes = 200 * 1024
const polling = { timeout: 60_000, interval: 100 }

let folder: string
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
let address: string
let path: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-readers-'))
  const config =
    'kind: pipeline\ntype: exec\nname: default\nclone: {disable: true}\nsteps: [{name: a, commands: [echo a]}]\n'
  testRepository(join(folder, 'repos/acme/web')).commit({ '.drone.yml': config }, 'First')
  const flags = ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos')]
  server = spawnServer(flags, waitProbe)
  address = await server.ready
  admin = await signIn(address, join(folder, 'data'))
  await admin.json('/api/repos/acme/web', 'POST')
  const { number } = await admin.json<Build>('/api/repos/acme/web/builds', 'POST')
  const load = () => admin.json<Build>(`/api/repos/acme/web/builds/${number}`)
  await vi.waitFor(async () => expect(isDone((await load()).status)).toBe(true), polling)
  path = `/api/repos/acme/web/builds/${number}/logs/1/1`
  // As the step would have left it, had it printed so much.
  const logs = join(folder, 'data/logs')
  const file = await vi.waitFor(
    () =>
      readdirSync(logs, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.json.gz')) ??
      expect.fail(),
    polling,
  )
  const line = randomBytes(6 * 1024 * 1024).toString('base64')
  const rows = Array.from({ length: 4 }, (_, pos) => JSON.stringify({ pos, out: line, time: 0 }))
  writeFileSync(join(logs, file), gzipSync(`[${rows.join(',')}]`, { level: 1 }))
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8')
const residentBytes = () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(statusOf(server.pid))?.[1] ?? expect.fail('no VmRSS'))
const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length

test.each(['gzip', 'identity'])(
  'a thousand that take nothing (%s) keep others waiting for no more than a moment',
  async (encoding) => {
    const { port } = new URL(address)
    const ask = () => admin.call('/api/user')
    const headers = `Host: 127.0.0.1\r\nCookie: ${admin.cookie}\r\nAccept-Encoding: ${encoding}`
    // What is first of its kind is done before it counts.
    await (await admin.call(path)).body?.cancel()
    await untilIdle(server.pid, ask)
    const [bytesBefore, filesBefore] = [residentBytes(), openFiles()]
    const sockets: Socket[] = []
    const comeMs = await maxWaitDuring(ask, async () => {
      for (let reader = 0; reader < readers; reader += 1) {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
        sockets.push(socket)
        socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
        // Reads the start of the response, and then nothing.
        socket.once('data', () => socket.pause())
      }
      await Promise.all(sockets.map((socket) => once(socket, 'pause')))
      await untilIdle(server.pid, ask)
    })
    const bytesEach = (residentBytes() - bytesBefore) / readers
    const leaveMs = await maxWaitDuring(ask, async () => {
      for (const socket of sockets) socket.destroy()
      await expect.poll(openFiles, polling).toBeLessThan(filesBefore + 10)
      await untilIdle(server.pid, ask)
    })
    expect(comeMs).toBeLessThan(maxWaitMs)
    expect(leaveMs).toBeLessThan(maxWaitMs)
    expect(bytesEach).toBeLessThan(maxReaderBytes)
  },
)
