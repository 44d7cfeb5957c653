/**
 * External input must not block the event loop: a real server receives hostile pipeline files, then
 * large builds and bodies, while health checks run. loop-probe.mjs measures each turn inside the
 * server in processor time, so other load on the machine does not count.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone, type Build, type Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { maxWaitDuring, waitAndLoopProbe } from '../testing/server-work.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

/** No call may wait longer (milliseconds of the server's own work). */
const maxHeldMs = 100
const polling = { timeout: 150_000, interval: 250 }

const rpcSecret = 'the secret of all the runners'

const exec = 'kind: pipeline\ntype: exec\nname: default\nclone: {disable: true}\n'
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('')
/** Each level refers to the level below it three times. */
const levels = (open: string, close: string) =>
  repeat(30, (i) => `l${i + 1}: &l${i + 1} ${open}*l${i}, *l${i}, *l${i}${close}\n`)

const files: Record<string, string> = {
  'digits for steps': `${exec}steps: ${'1'.repeat(60_000)}x\n`,
  'digits for a number': `${exec}concurrency: {limit: ${'1_'.repeat(30_000)}x}\nsteps: []\n`,
  'one long scalar': `${exec}steps: "${`${'x'.repeat(60_000)}\n`.repeat(15)}"\n`,
  'flow lists 3,500 deep': `${exec}steps: ${'['.repeat(3_500)}${']'.repeat(3_500)}\n`,
  'flow maps 3,500 deep': `${exec}steps: ${'{a: '.repeat(3_500)}${'}'.repeat(3_500)}\n`,
  'block maps 1,000 deep': repeat(1_000, (i) => `${' '.repeat(i)}a:\n`),
  'block lists 3,500 deep': `${'- '.repeat(3_500)}a\n`,
  'merges of merges': `kind: pipeline\nl0: &l0 {a: b}\n${levels('{<<: [', ']}')}steps: [*l30]\n`,
  'aliases of aliases': `kind: pipeline\nl0: &l0 [a]\n${levels('[', ']')}steps: [{name: a, commands: *l30}]\n`,
  'a map merged into a thousand steps': `${exec}x: &x {${repeat(300, (i) => `K${i}: v, `)}}\nsteps:\n${repeat(1_000, (i) => `- {name: s${i}, environment: {<<: *x}}\n`)}`,
  'a quarter of a million documents': '---\n'.repeat(249_000),
  'patterns in trigger': `${exec}trigger: {ref: [${repeat(300, (i) => `"**/{a,b}{a,b}{a,b}{a,b}*?*?*?*${i}", `)}"refs/**"]}\nsteps: []\n`,
  'long patterns in trigger': `${exec}trigger: {ref: {exclude: [${repeat(95, () => `"${'*?'.repeat(490)}z", `)}]}}\nsteps: []\n`,
  expressions: `${exec}steps: [{name: a, commands: [": ${'${DRONE_COMMIT_MESSAGE##*?*?*?*z}'.repeat(1_000)}"]}]\n`,
  'empty lines in a command': `${exec}steps:\n- name: a\n  commands:\n  - "echo a${'\\n'.repeat(60_000)}echo b"\n`,
  'many steps': `${exec}steps:\n${repeat(200, (i) => `- {name: s${i}, commands: ["true"], when: {status: [failure]}}\n`)}`,
  'a million characters and more': `# ${'x'.repeat(98)}\n`.repeat(30_000),
  'a megabyte of documents': repeat(1_000, (i) => `---\nkind: pipeline\nname: p${i}\n# ${'x'.repeat(950)}\n`),
}

let folder: string
let server: ServerProcess
let address: string
const probed = () => join(folder, 'probe')
const repository = () => testRepository(join(folder, 'repos/acme/web'))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-loop-'))
  chmodSync(folder, 0o755)
  repository().commit({ README: 'x' }, 'First')
  server = spawnServer(
    ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos'), '--default-access', 'write'],
    {
      ...waitAndLoopProbe(probed()),
      FLIGHTDECK_RPC_SECRET: rpcSecret,
    },
  )
  address = await server.ready
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request every 10 ms until stopped; returns the distinct responses. */
function askAllTheTime(): () => Promise<Set<string>> {
  const answers = new Set<string>()
  const stopped = new AbortController()
  const done = (async () => {
    while (!stopped.signal.aborted) {
      const response = await fetch(`${address}/healthz`)
      answers.add(`${response.status} ${await response.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  return async () => {
    stopped.abort()
    await done
    return answers
  }
}

const heldTurns = (): { at: number; held: number }[] =>
  existsSync(probed())
    ? readFileSync(probed(), 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { at: number; held: number })
    : []

test('no pushed pipeline file holds the server', async () => {
  const admin = await signIn(address, join(folder, 'data'))
  await admin.json('/api/repos/acme/web', 'POST')
  const builds = () => admin.json<Build[]>('/api/repos/acme/web/builds?per_page=100')
  const origin = repository()
  const push = (branch: string, config: string) => {
    const sha = origin.commit({ '.drone.yml': config }, branch)
    origin.git('update-ref', `refs/heads/${branch}`, sha)
    return sha
  }
  // What is first of its kind (a thread, a compiled path) is done before it counts.
  const first = push('first', `${exec}steps: [{name: a, commands: ["true"]}]\n`)
  await vi.waitFor(
    async () => expect((await builds()).find(({ after }) => after === first)?.status).toBe('success'),
    polling,
  )
  writeFileSync(probed(), '')
  const stopAsking = askAllTheTime()
  let answers = new Set<string>()
  try {
    const pushed = Object.entries(files).map(([what, config], index) => ({ what, sha: push(`b${index}`, config) }))
    const unfinished = async () => {
      const all = await builds()
      return pushed.filter(({ what, sha }) => {
        const build = all.find(({ after }) => after === sha)
        // No runner accepts its stages.
        return !build || !(isDone(build.status) || what === 'a megabyte of documents')
      })
    }
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), polling)
    expect(heldTurns().filter(({ held }) => held > maxHeldMs)).toEqual([])
  } finally {
    answers = await stopAsking()
  }
  expect(answers).toEqual(new Set(['200 OK']))
})

/**
 * The longest turns since the file was emptied, beyond what is allowed to work that is not a
 * thread's.
 */
const tooLong = () => heldTurns().filter(({ held }) => held > 50)

test('no large build and no large body holds the server', async () => {
  const admin = await signIn(address, join(folder, 'data'))
  const repo = '/api/repos/acme/web'
  await admin.json(repo, 'POST')
  const builds = () => admin.json<Build[]>(`${repo}/builds?per_page=100`)
  const docker = repeat(
    1_000,
    (i) => `---\nkind: pipeline\ntype: docker\nname: pipeline-${i}\nsteps: [{name: a, image: b}]\n`,
  )
  const origin = repository()
  const sha = origin.commit({ '.drone.yml': docker }, 'large')
  origin.git('update-ref', 'refs/heads/large', sha)
  const build = await vi.waitFor(
    async () => (await builds()).find(({ after }) => after === sha) ?? expect.fail(),
    polling,
  )
  const { number } = build
  const runner = async <T>(path: string, body: string, method = 'POST'): Promise<T | null> => {
    const answer = await fetch(`${address}/rpc/v2${path}`, { method, body, headers: { 'X-Drone-Token': rpcSecret } })
    const text = await answer.text()
    return answer.ok && text ? (JSON.parse(text) as T) : null
  }
  const atOnce = (count: number, work: (index: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)))
  // What is first of its kind is done before it counts.
  await admin.json(`${repo}/builds/${number}`, 'POST')
  const stage = (await runner<Stage>('/stage', '{"kind":"pipeline","type":"docker"}')) ?? expect.fail('no stage')
  const taken = await runner<Stage>(`/stage/${stage.id}?machine=far`, '')
  const steps = Array.from({ length: 2_000 }, (_, i) => ({ number: i + 1, name: `step${i}`, status: 'pending' }))

  writeFileSync(probed(), '')
  const held: Record<string, unknown> = {}
  const measured = async (what: string, work: () => Promise<unknown>) => {
    const before = tooLong().length
    await work()
    // A turn is written down when it is over.
    await fetch(`${address}/healthz`)
    await new Promise((resolve) => setTimeout(resolve, 30))
    const found = tooLong().slice(before)
    if (found.length > 0) held[what] = found
  }
  const stopAsking = askAllTheTime()
  await measured('ten restarts', () => atOnce(10, () => admin.json(`${repo}/builds/${number}`, 'POST')))
  await measured('the queue', () => admin.call('/api/queue').then((answer) => answer.text()))
  await measured('ten readers', () => atOnce(10, () => admin.json(`${repo}/builds/${number}`)))
  await measured('five cancels', () =>
    atOnce(5, (index) => admin.json(`${repo}/builds/${number + 1 + index}`, 'DELETE')),
  )
  let begun: Stage | null = null
  const report = JSON.stringify({ ...taken, status: 'running', started: 1, steps })
  await measured('2,000 steps', async () => (begun = await runner<Stage>(`/stage/${stage.id}`, report, 'PUT')))
  const step = (begun as Stage | null)?.steps?.[0] ?? expect.fail('no step')
  await runner(`/step/${step.id}`, JSON.stringify({ ...step, status: 'running', started: 1 }), 'PUT')
  const lines = `[${repeat(200_000, (pos) => `${pos > 0 ? ',' : ''}{"pos":${pos},"out":"x\\n","time":1}`)}]`
  await measured('a batch of lines', () => runner(`/step/${step.id}/logs/batch`, lines))
  const long = JSON.stringify([{ pos: 200_000, out: '<'.repeat(8_000_000), time: 1 }])
  await measured('a line of 8 MB', () => runner(`/step/${step.id}/logs/batch`, long))
  await measured('a batch of nothing', () => runner(`/step/${step.id}/logs/batch`, `[${'{},'.repeat(2_700_000)}{}]`))
  await measured('brackets', () => runner(`/step/${step.id}/logs/batch`, '['.repeat(8_000_000)))
  const brackets = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
  const patch = { method: 'PATCH', body: brackets, headers: { Authorization: `Bearer ${await tokenOf(admin)}` } }
  await measured('JSON of brackets', () => atOnce(4, () => fetch(`${address}${repo}`, patch)))
  const form = { method: 'POST', body: new URLSearchParams('a=1&'.repeat(250_000)) }
  await measured('forms of a megabyte', () => atOnce(4, () => fetch(`${address}/login`, form)))
  await measured('the end of 2,000 steps', () =>
    runner(`/stage/${stage.id}`, JSON.stringify({ ...begun, status: 'success', stopped: 2 }), 'PUT'),
  )
  await measured('a purge', () => admin.call(`${repo}/builds?before=1000`, 'DELETE'))
  expect((await builds()).map((other) => other.number)).toEqual([])
  expect(await stopAsking()).toEqual(new Set(['200 OK']))
  expect(held).toEqual({})
})

test('no graph of stages delays calls that read the database', async () => {
  const admin = await signIn(address, join(folder, 'data'))
  const repo = '/api/repos/acme/web'
  await admin.json(repo, 'POST')
  const needs = (index: number) =>
    Array.from({ length: Math.min(index, 33) }, (_, back) => `p${index - back - 1}`).join(', ')
  const file = repeat(
    300,
    (i) => `---\nkind: pipeline\ntype: docker\nname: p${i}\ndepends_on: [${needs(i)}]\nsteps: [{name: a, image: b}]\n`,
  )
  const origin = repository()
  const sha = origin.commit({ '.drone.yml': file }, 'graph')
  origin.git('update-ref', 'refs/heads/graph', sha)
  const build = await vi.waitFor(async () => {
    const all = await admin.json<Build[]>(`${repo}/builds?per_page=100`)
    return all.find(({ after }) => after === sha) ?? expect.fail()
  }, polling)
  const path = `${repo}/builds/${build.number}`
  const runner = async (call: string, body: string, method = 'POST'): Promise<Stage> => {
    const answer = await fetch(`${address}/rpc/v2${call}`, { method, body, headers: { 'X-Drone-Token': rpcSecret } })
    return (await answer.json()) as Stage
  }
  const failFirst = async () => {
    const { id } = await runner('/stage', '{"kind":"pipeline","type":"docker"}')
    const taken = await runner(`/stage/${id}?machine=far`, '')
    const begun = await runner(`/stage/${id}`, JSON.stringify({ ...taken, status: 'running', started: 1 }), 'PUT')
    await runner(`/stage/${id}`, JSON.stringify({ ...begun, status: 'failure', stopped: 2 }), 'PUT')
  }
  const waits: Record<string, number> = {}
  const measured = async (what: string, work: () => Promise<unknown>) => {
    waits[what] = await maxWaitDuring(() => admin.call('/api/user'), work)
  }
  // What is first of its kind is done before it counts.
  await failFirst()
  await measured('restarts', async () => {
    for (let time = 0; time < 5; time += 1) await admin.json(path, 'POST')
  })
  await measured('failures', async () => {
    for (let time = 0; time < 2; time += 1) await failFirst()
  })
  await measured('cancels', async () => {
    for (let next = 3; next < 6; next += 1) await admin.json(`${repo}/builds/${build.number + next}`, 'DELETE')
  })
  await measured('a purge', () => admin.call(`${repo}/builds?before=1000`, 'DELETE'))
  expect(Object.entries(waits).filter(([, maxMs]) => maxMs > maxHeldMs)).toEqual([])
})

const tokenOf = async (admin: Awaited<ReturnType<typeof signIn>>): Promise<string> =>
  (await admin.json<{ token: string }>('/api/user/token', 'POST')).token
