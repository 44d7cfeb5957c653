/**
 * A thousand subscribers of one live log delay other calls only briefly, measured as processor time
 * of the server.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { maxWaitDuring, untilIdle, waitProbe } from '../testing/server-work.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/**
 * Milliseconds of the server's own work: 40 to 50 were seen, and 400 when streams opened as other
 * calls do.
 */
const maxWaitMs = 150
const subscribers = 1_000
/** In addition to the line that shows the command. */
const lines = 400
const polling = { timeout: 60_000, interval: 100 }

let folder: string
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
let address: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-subscribers-'))
  chmodSync(folder, 0o755)
  const config =
    'kind: pipeline\ntype: exec\nname: default\nclone: {disable: true}\n' +
    `steps: [{name: a, commands: ["until [ -e ${folder}/go ]; do sleep 0.1; done; for i in $(seq ${lines}); do echo line $i; sleep 0.01; done"]}]\n`
  testRepository(join(folder, 'repos/acme/web')).commit({ '.drone.yml': config }, 'First')
  const flags = ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos'), '--isolation', 'none']
  server = spawnServer(flags, waitProbe)
  address = await server.ready
  admin = await signIn(address, join(folder, 'data'))
  await admin.json('/api/repos/acme/web', 'POST')
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

test('a thousand subscribers of one live log get all of it while others wait for no more than a moment', async () => {
  const { number } = await admin.json<Build>('/api/repos/acme/web/builds', 'POST')
  const running = async () => {
    const { stages } = await admin.json<Build>(`/api/repos/acme/web/builds/${number}`)
    expect(stages?.[0]?.steps?.[0]?.status).toBe('running')
  }
  await vi.waitFor(running, polling)
  const { port } = new URL(address)
  const ask = () => admin.call('/api/user')
  await untilIdle(server.pid, ask)
  const sockets: Socket[] = []
  const counts = Array.from({ length: subscribers }, () => 0)
  let ended = 0
  const comeMs = await maxWaitDuring(ask, async () => {
    for (let index = 0; index < subscribers; index += 1) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(
        `GET /api/stream/acme/web/${number}/1/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${admin.cookie}\r\n\r\n`,
      )
      socket.setEncoding('latin1').on('data', (text: string) => {
        counts[index] = (counts[index] ?? 0) + text.split('"pos":').length - 1
        if (text.includes('data: eof')) ended += 1
      })
    }
    await vi.waitFor(() => expect(sockets.every((socket) => socket.bytesRead > 0)).toBe(true), polling)
    await untilIdle(server.pid, ask)
  })
  const waitMs = await maxWaitDuring(ask, async () => {
    writeFileSync(join(folder, 'go'), '')
    await vi.waitFor(() => expect(ended).toBe(subscribers), polling)
  })
  for (const socket of sockets) socket.destroy()
  expect(new Set(counts)).toEqual(new Set([lines + 1]))
  expect(comeMs).toBeLessThan(maxWaitMs)
  expect(waitMs).toBeLessThan(maxWaitMs)
})
