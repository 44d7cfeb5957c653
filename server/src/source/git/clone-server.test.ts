import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCloneServer, type CloneServerOptions } from './clone-server.ts'

let folder: string
let commit: string
const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', LC_ALL: 'C' }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-serve-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: join(folder, 'repo'),
    }).toString()
  execFileSync('git', ['init', '-q', '-b', 'main', join(folder, 'repo')])
  // Larger than all buffers between git and the reader together.
  writeFileSync(join(folder, 'repo', 'large'), randomBytes(4 * 1024 * 1024))
  git('add', '.')
  git('commit', '-qm', 'large')
  commit = git('rev-parse', 'HEAD').trim()
})
afterAll(() => rmSync(folder, { recursive: true }))

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
const gone = new AbortController()
afterAll(() => gone.abort())

function serverOf(options: Partial<CloneServerOptions>) {
  const clones = createCloneServer({ environment, folder: join(folder, 'served'), ...options })
  const wants = [Buffer.from(`${packet(`want ${commit}\n`)}0000${packet('done\n')}`)]
  return (build: string, runner: string, input: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = wants) =>
    clones.serve(join(folder, 'repo'), {
      advertise: false,
      protocol: undefined,
      input: (async function* () {
        yield* input
      })(),
      signal: gone.signal,
      build,
      runner,
    })
}
async function sizeOf(pack: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const bytes of pack) size += bytes.length
  return size
}
const whole = 4 * 1024 * 1024

it('four stalled clones of one build leave slots for other builds', async () => {
  const clone = serverOf({ maxConcurrency: 8, perBuild: 2, perRunner: 4 })
  const slow = ['a', 'a', 'a', 'a'].map((build) => clone(build, 'r1'))
  await Promise.all(slow.slice(0, 2))
  // A clone of another build on the same runner, and one on another runner.
  expect(await sizeOf(await clone('b', 'r1'))).toBeGreaterThan(whole)
  expect(await sizeOf(await clone('c', 'r2'))).toBeGreaterThan(whole)
  // When a clone is read to its end, the next one of that build starts.
  for (const one of slow) expect(await sizeOf(await one)).toBeGreaterThan(whole)
})

it('clones of one runner leave slots for others, whatever their builds @system', async () => {
  const clone = serverOf({ maxConcurrency: 8, perBuild: 2, perRunner: 4 })
  await Promise.all(['a', 'b', 'c', 'd'].map((build) => clone(build, 'r1')))
  const fifth = clone('e', 'r1').then(() => 'r1')
  expect(await Promise.race([fifth, clone('f', 'r2').then(() => 'r2')])).toBe('r2')
})

it('a client that reads too slowly is disconnected, and its slot is released @system', async () => {
  const clone = serverOf({ maxConcurrency: 1, slowMs: 300 })
  const slow = await clone('a', 'r1')
  // Waits until the first clone has ended.
  expect(await sizeOf(await clone('b', 'r2'))).toBeGreaterThan(whole)
  await expect(sizeOf(slow)).rejects.toThrow('git was ended')
})

it('a client that sends no request is disconnected', async () => {
  const clone = serverOf({ maxConcurrency: 1, inputMs: 100 })
  const silent = (async function* () {
    yield Buffer.from('0032want ')
    await new Promise(() => {})
  })()
  await expect(clone('a', 'r1', silent)).rejects.toMatchObject({ status: 408 })
  expect(await sizeOf(await clone('b', 'r1'))).toBeGreaterThan(whole)
})

it('a request that waits too long is refused, and takes no slot @system', async () => {
  const clone = serverOf({ maxConcurrency: 1, waitMs: 100 })
  const first = await clone('a', 'r1')
  await expect(clone('b', 'r2')).rejects.toMatchObject({ status: 503 })
  expect(await sizeOf(first)).toBeGreaterThan(whole)
  expect(await sizeOf(await clone('b', 'r2'))).toBeGreaterThan(whole)
})
