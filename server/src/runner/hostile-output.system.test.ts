/**
 * Step output never blocks the event loop. A real server runs steps that print as fast as they can,
 * while a client sends requests and follows the logs. `loop-probe.mjs` measures each turn of the
 * event loop inside the server in processor time, so other load on the machine does not count.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitAndLoopProbe, waitsDuring } from '../testing/server-work.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

/**
 * The processor time that one turn of the event loop may take: with one step, and with ten at once.
 */
const [maxTurnMs, maxTurnOfTenMs] = [50, 100]
const polling = { timeout: 150_000, interval: 250 }
const logMegabytes = 6

let folder: string
let server: ServerProcess
let address: string
const probeFile = () => join(folder, 'probe')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-output-'))
  chmodSync(folder, 0o755)
  testRepository(join(folder, 'repos/acme/web')).commit({ README: 'x' }, 'First')
  const flags = { port: '0', data: join(folder, 'data'), repos: join(folder, 'repos'), 'log-limit': `${logMegabytes}` }
  server = spawnServer(
    Object.entries({ ...flags, capacity: '10' }).flatMap(([name, value]) => [`--${name}`, value]),
    waitAndLoopProbe(probeFile()),
  )
  address = await server.ready
})
afterEach(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const findLongTurns = (limit: number): { held: number }[] =>
  readFileSync(probeFile(), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { held: number })
    .filter(({ held }) => held > limit)

type Admin = Awaited<ReturnType<typeof signIn>>

/** Sends requests until the returned function is called, which returns the statuses. */
function pollConstantly(admin: Admin): () => Promise<Set<number>> {
  const statuses = new Set<number>()
  const stopped = new AbortController()
  const done = (async () => {
    while (!stopped.signal.aborted) {
      statuses.add((await admin.call('/healthz')).status)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  return async () => {
    stopped.abort()
    await done
    return statuses
  }
}

interface RunResult {
  /**
   * The milliseconds of processor time for which 99 % of the requests for `/api/user` waited at
   * most: a collection of garbage now and then is not what the output costs.
   */
  waitMs: number
  held: { held: number }[]
  statuses: Set<number>
  lines: (stage: number) => Promise<Line[]>
}

/** Runs each command in its own pipeline, all concurrently, and follows each log. */
async function runAll(commands: readonly string[], limit: number): Promise<RunResult> {
  const admin = await signIn(address, join(folder, 'data'))
  const repo = '/api/repos/acme/web'
  await admin.json(repo, 'POST')
  const origin = testRepository(join(folder, 'repos/acme/web'))
  const push = async (texts: readonly string[]): Promise<Build> => {
    const docs = texts.map(
      (text, index) =>
        `---\nkind: pipeline\ntype: exec\nname: p${index}\nclone: {disable: true}\nsteps: [{name: a, commands: [${JSON.stringify(text)}]}]\n`,
    )
    const sha = origin.commit({ '.drone.yml': docs.join('') }, 'Print')
    const build = () => admin.json<Build[]>(`${repo}/builds`).then((all) => all.find(({ after }) => after === sha))
    return vi.waitFor(async () => (await build()) ?? expect.fail('no build'), polling)
  }
  const load = ({ number }: Build) => admin.json<Build>(`${repo}/builds/${number}`)
  const over = (build: Build) =>
    vi.waitFor(async () => expect(isDone((await load(build)).status)).toBe(true), polling).then(() => load(build))
  // Run one build first, so that one-time work (starting a thread, compiling code) does not count.
  await over(await push(['true']))
  writeFileSync(probeFile(), '')
  const stopPolling = pollConstantly(admin)
  const print = async () => {
    const build = await push(commands)
    const streams = commands.map(async (_, index) => {
      const path = `/api/stream/acme/web/${build.number}/${index + 1}/1`
      // There is no log to follow before the step runs.
      const answer = await vi.waitFor(async () => {
        const response = await admin.call(path)
        if (!response.ok) expect(isDone((await load(build)).status)).toBe(true)
        return response
      }, polling)
      await answer.body?.pipeTo(new WritableStream())
    })
    const ended = await over(build)
    await Promise.all(streams)
    return ended
  }
  const printed = print()
  const waits = await waitsDuring(
    () => admin.call('/api/user'),
    () => printed,
  )
  const ended = await printed
  const statuses = await stopPolling()
  expect(existsSync(probeFile())).toBe(true)
  const held = findLongTurns(limit)
  expect([ended.status, ended.error ?? '']).toEqual(['success', ''])
  return {
    waitMs: waits[Math.floor(waits.length * 0.99)] ?? expect.fail('no call'),
    held,
    statuses,
    lines: (stage) => admin.json<Line[]>(`${repo}/builds/${ended.number}/logs/${stage}/1`),
  }
}

const hostile = [
  ['endless empty lines', "timeout 5 yes '' || true"],
  ['three million empty lines', "yes '' | head -n 3000000"],
  ['a line without a line end', "head -c 40000000 /dev/zero | tr '\\0' x"],
  ['carriage returns', "head -c 20000000 /dev/zero | tr '\\0' '\\r'"],
  ['NULs', 'head -c 20000000 /dev/zero'],
  ['colours', 'yes "$(printf \'\\033[31m\\033[0m\')" | head -c 10000000'],
  ['bytes that are not text', 'head -c 10000000 /dev/urandom'],
  ['a byte at a time', 'i=0; while [ $i -lt 60000 ]; do printf x; i=$((i+1)); done'],
] as const

test.each(hostile)('no turn of the event loop is long while a step prints %s', async (_what, command) => {
  const { held, statuses } = await runAll([command], maxTurnMs)
  expect(held).toEqual([])
  expect(statuses).toEqual(new Set([200]))
})

test('no turn is long while ten steps print, and no line below the limit is lost', async () => {
  const counting = 'seq 1 60000'
  const { waitMs, held, statuses, lines } = await runAll(
    [counting, ...hostile.map(([, command]) => command), counting],
    maxTurnOfTenMs,
  )
  expect(held).toEqual([])
  expect(waitMs).toBeLessThan(maxTurnOfTenMs)
  expect(statuses).toEqual(new Set([200]))
  for (const stage of [1, hostile.length + 2]) {
    const texts = (await lines(stage)).map(({ out }) => out)
    // A line that arrives in two chunks can become two rows.
    expect(texts.slice(1).join('')).toBe(Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join(''))
  }
  const cut = await lines(2)
  expect(cut.at(-1)?.out).toContain('limit')
  expect(cut.map(({ pos }) => pos)).toEqual(cut.map((_, index) => index))
})
