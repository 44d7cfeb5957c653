import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from '@photostructure/sqlite'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../store/open.ts'
import { createHealth, type HealthCheck } from './health.ts'
import { databaseCheck, diskCheck, dockerCheck, forgeCheck, logsCheck, loopCheck } from './health-checks.ts'
import { startLoopMonitor } from './loop-monitor.ts'

const version = '1.2.3'
const fresh = (check: HealthCheck): HealthCheck => ({ ...check, maxAgeMs: 0 })
const report = async (check: HealthCheck, timeoutMs?: number) =>
  (await createHealth([fresh(check)], { version, ...(timeoutMs !== undefined && { timeoutMs }) }).report()).problems

let folder: string
let path: string
let store: Store
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'health-'))
  path = join(folder, 'db.sqlite')
  store = openStore(path, 200)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

describe('the report', () => {
  it('lists each check with its problem', async () => {
    const health = createHealth(
      [
        { name: 'one', maxAgeMs: 0, check: () => null },
        { name: 'two', maxAgeMs: 0, check: () => 'It is broken' },
        { name: 'three', maxAgeMs: 0, check: () => Promise.reject(new Error('no way')) },
      ],
      { version },
    )
    expect(await health.report()).toEqual({
      state: 'failing',
      version,
      problems: ['It is broken', 'The check of the three failed: no way'],
      checks: {
        one: { state: 'ok' },
        two: { state: 'failing', message: 'It is broken' },
        three: { state: 'failing', message: 'The check of the three failed: no way' },
      },
    })
    expect(await health.report(['two', 'three'])).toMatchObject({ state: 'ok', problems: [] })
  })

  it('runs a check once for all requests within its age', async () => {
    let runs = 0
    const check = { name: 'one', maxAgeMs: 60_000, check: async () => `run ${(runs += 1)}` }
    const health = createHealth([check], { version })
    const reports = await Promise.all([health.report(), health.report()])
    reports.push(await health.report())
    expect(reports.map(({ problems }) => problems)).toEqual([['run 1'], ['run 1'], ['run 1']])
  })

  it('does not wait for a check that hangs, and does not start it a second time', async () => {
    let runs = 0
    const hanging: HealthCheck = { name: 'disk', maxAgeMs: 0, check: () => new Promise(() => (runs += 1)) }
    const health = createHealth([hanging], { version, timeoutMs: 5 })
    await health.report()
    expect((await health.report()).problems).toEqual(['The check of the disk timed out after 0.005 seconds'])
    expect(runs).toBe(1)
  })
})

describe('the database', () => {
  it('is healthy while it can be written', async () => {
    expect(await report(databaseCheck(store.db))).toEqual([])
  })

  it('fails while another program holds its lock, and is healthy afterwards', async () => {
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    expect(await report(databaseCheck(store.db))).toEqual([expect.stringMatching(/^The database cannot be written: /)])
    other.exec('rollback')
    other.close()
    expect(await report(databaseCheck(store.db))).toEqual([])
  })

  it('fails if it can be read but not written @system', async () => {
    const limited = openStore(join(folder, 'limited.sqlite'))
    await limited.db.executeQuery({
      sql: 'pragma query_only = on',
      parameters: [],
      query: {} as never,
      queryId: {} as never,
    })
    expect(await report(databaseCheck(limited.db))).toEqual([expect.stringMatching(/\(read-only\)|cannot be written/)])
    await limited.close()
  })
})

describe('the disk', () => {
  it('is healthy with free space', async () => {
    expect(await report(diskCheck(folder))).toEqual([])
  })

  it('fails if the folder does not exist', async () => {
    expect(await report(diskCheck(join(folder, 'none')))).toEqual([
      expect.stringMatching(/^The check of the disk failed: no such file or directory/),
    ])
  })
})

describe('the log folder', () => {
  it('fails while it cannot be written, and leaves nothing behind', async () => {
    const logs = join(folder, 'logs')
    expect(await report(logsCheck(logs))).toEqual([])
    expect(readdirSync(logs)).toEqual([])
    // A folder in the place of its file, which root cannot write either.
    mkdirSync(join(logs, 'health-check.tmp'))
    expect(await report(logsCheck(logs))).toEqual([expect.stringMatching(/^Logs cannot be written: /)])
    rmSync(logs, { recursive: true })
    writeFileSync(logs, '')
    expect(await report(logsCheck(logs))).toEqual([expect.stringMatching(/^Logs cannot be written: /)])
    rmSync(logs)
    expect(await report(logsCheck(logs))).toEqual([])
  })
})

describe('the event loop', () => {
  it('fails while it is blocked, and for some seconds afterwards @system', async () => {
    const monitor = startLoopMonitor()
    expect(await report(loopCheck(monitor))).toEqual([])
    const end = performance.now() + 1_200
    while (performance.now() < end);
    expect(await report(loopCheck(monitor))).toEqual([
      expect.stringMatching(/^The server was busy for \d{4,} ms within the last ten seconds$/),
    ])
    monitor.stop()
  })
})

describe('the Docker runner', () => {
  const state = { name: 'a', image: 'b', since: 1, filter: { type: 'docker', os: 'linux', arch: 'amd64' } } as const
  it('fails with the error of its state', async () => {
    const words = async (more: { state: 'starting' | 'working' | 'failing'; error?: string }) =>
      report(dockerCheck(() => ({ ...state, ...more })))
    expect(await words({ state: 'working' })).toEqual([])
    expect(await words({ state: 'starting' })).toEqual([])
    expect(await words({ state: 'failing', error: 'Docker is gone' })).toEqual([
      'The Docker runner fails: Docker is gone',
    ])
  })
})

describe('the forge', () => {
  it('is healthy while responses are below 500', async () => {
    let status = 302
    const server = createServer((_request, response) => void response.writeHead(status).end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await report(forgeCheck('Gitea', url))).toEqual([])
    status = 502
    expect(await report(forgeCheck('Gitea', url))).toEqual(['Gitea responded with status 502'])
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    expect(await report(forgeCheck('Gitea', url))).toEqual(['Gitea cannot be reached'])
  })
})
