/** Tests a real server with a locked database and with unhandled errors. */
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readFrames } from '../conformance/live-frames.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let folder: string
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
let address: string

/** Code that throws an unhandled error at a signal. */
const mistakes = `
process.on('SIGUSR2', () => {
  Promise.reject(new Error('nobody looks\\nforged line'))
  setTimeout(() => { throw new TypeError('nobody catches') })
})`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-locked-'))
  chmodSync(folder, 0o755)
  server = spawnServer(['--port', '0', '--data', join(folder, 'data')], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(mistakes)}`,
  })
  address = await server.ready
  admin = await signIn(address, join(folder, 'data'))
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const isRunning = () => Promise.race([server.ended.then(() => false), delay(0, true)])

it('writers wait for a lock of 7 s without errors, and readers do not wait', async () => {
  const events = readFrames(await admin.call('/api/stream'))
  const other = new DatabaseSync(join(folder, 'data/flightdeck.db'))
  other.exec('begin exclusive')
  let written = false
  const writes = Promise.all([
    admin.json<{ number: number }>('/api/repos/sample/hello/builds', 'POST'),
    admin.json<{ token: string }>('/api/user/token?rotate=true', 'POST'),
  ]).finally(() => (written = true))
  const reads = Promise.all(Array.from({ length: 20 }, () => admin.json('/api/user/repos')))
  try {
    // A write that blocked the event loop would leave it free for a few calls at most.
    for (let call = 0; call < 50; call += 1) await (await fetch(`${address}/healthz`)).text()
    await Promise.all([reads, delay(7_000)])
    expect(written).toBe(false)
  } finally {
    other.exec('rollback')
    other.close()
  }
  const [build, { token }] = await writes
  expect(token).toHaveLength(32)
  // The stream is open, and has the delayed event.
  await events.until((data) => data.includes(`"number":${build.number},`))
  await events.leave()
  expect(await isRunning()).toBe(true)
})

it('continues after an unhandled error, logs it with its stack, and counts it', async () => {
  const count = async () =>
    Number(/^flightdeck_unhandled_errors_total (\d+)$/m.exec(await (await admin.call('/metrics')).text())?.[1])
  expect(await count()).toBe(0)
  server.kill('SIGUSR2')
  await expect.poll(count, { timeout: 30_000 }).toBe(2)
  expect(await isRunning()).toBe(true)
  server.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/^unhandled rejection: Error: nobody looks\\x0aforged line\n {4}at .+$/m)
  expect(stderr).toMatch(/^uncaught exception: TypeError: nobody catches\n {4}at .+$/m)
})
