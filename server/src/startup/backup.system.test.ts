/** Backs a real server up during a build, and restores it into another folder. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Build, Line } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { migrate } from '../store/migrate.ts'
import { migrations } from '../store/migrations.ts'
import { quickRepository } from '../testing/quick-repository.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'

const polling = { timeout: 30_000 }
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let running: ServerProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-backup-'))
  chmodSync(folder, 0o755)
  quickRepository(join(folder, 'repos'))
  running = []
})
afterEach(async () => {
  for (const server of running) {
    server.kill('SIGTERM')
    await server.ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(data: string, environment: Record<string, string> = {}): ServerProcess {
  const server = spawnServer(['--port', '0', '--data', data, '--repos', join(folder, 'repos')], environment)
  running.push(server)
  return server
}
const command = (...words: string[]) => spawnServer(words).ended

const builds = '/api/repos/acme/web/builds'

it('is created by a running server, and restores its users, builds, logs and secrets', async () => {
  const data = join(folder, 'data')
  const first = await start(data, { FLIGHTDECK_CAPACITY: '1' }).ready
  const admin = await signIn(first, data)
  await admin.json('/api/repos/acme/web', 'POST')
  const made = await admin.json<Build>(builds, 'POST')
  const read = (from: typeof admin) => from.json<Build>(`${builds}/${made.number}`)
  await vi.waitFor(async () => expect((await read(admin)).finished).toBeGreaterThan(0), polling)
  const whole = await read(admin)
  // The next build runs during the backup.
  for (let index = 0; index < 1; index += 1) await admin.json<Build>(builds, 'POST')
  const file = join(folder, 'backup.tar.gz')
  const backup = await command('backup', file, '--data', data)
  expect([backup.code, backup.stderr]).toEqual([0, ''])
  expect(backup.stdout).toMatch(
    /^Wrote and checked .*backup\.tar\.gz: the database, \d+ logs, \d+ KiB\nIt contains the secrets key/,
  )

  const other = join(folder, 'other')
  const restore = await command('restore', file, '--data', other)
  expect([restore.code, restore.stderr]).toEqual([0, ''])
  expect(restore.stdout).toContain('"--capacity": "1"')
  const again = await signIn(await start(other).ready, other)
  expect(await read(again)).toEqual(whole)
  for (const stage of whole.stages ?? [])
    for (const step of stage.steps ?? []) {
      const path = `${builds}/${made.number}/logs/${stage.number}/${step.number}`
      expect(await again.json<Line[]>(path)).toEqual(await admin.json<Line[]>(path))
    }
  // The running build has ended, and the waiting one runs.
  await vi.waitFor(async () => {
    for (const build of await again.json<Build[]>(builds)) expect(build.finished).toBeGreaterThan(0)
  }, polling)

  const busy = await command('restore', file, '--data', data)
  expect([busy.code, busy.stderr]).toEqual([
    1,
    `The data folder ${data} is not empty; restore into a new one with --data\n`,
  ])
})

it('refuses a file that is not a backup, with an error message', async () => {
  const file = join(folder, 'text')
  writeFileSync(file, 'hello')
  const data = join(folder, 'data')
  const said = async (...words: string[]) => {
    const { code, stdout, stderr } = await command(...words)
    return [code, stdout, stderr.trimEnd()]
  }
  expect(await said('restore', file, '--data', data)).toEqual([
    1,
    '',
    'The file is not a Flightdeck backup, or it is damaged',
  ])
  expect(existsSync(data)).toBe(false)
  expect(await said('backup', file, '--data', data)).toEqual([
    1,
    '',
    `${file} already exists; choose another name, or remove it first`,
  ])
  expect(await said('backup')).toEqual([2, '', 'backup needs a file: npm start -- backup FILE'])
  expect(await said('restore', '--data', data)).toEqual([2, '', 'restore needs a file: npm start -- restore FILE'])
})

it('copies an older database before it migrates it, and refuses a newer one', async () => {
  const data = join(folder, 'data')
  const database = join(data, 'flightdeck.db')
  mkdirSync(data)
  const old = new DatabaseSync(database)
  migrate(old, migrations.slice(0, 3))
  old.close()
  const server = start(data)
  await server.ready
  expect(server.errors()).toBe(`The database was migrated; ${database}.schema-3 is a copy from before\n`)
  server.kill('SIGTERM')
  await server.ended

  const newer = new DatabaseSync(database)
  newer.exec(`pragma user_version = ${migrations.length + 1}`)
  newer.close()
  const { code, stderr } = await start(data).ended
  expect([code, stderr]).toEqual([1, expect.stringMatching(/created by a newer version of Flightdeck/)])
})
