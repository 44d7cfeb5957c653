/**
 * `--docker` on a real Docker. The official runner cannot be fetched where tests run: an image of
 * its name holds our player, which speaks its protocol and runs each step as a container through
 * the socket that it is given.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Line } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findDocker, imageNames, isOwnDocker } from '../testing/docker/find.ts'
import { importImages } from '../testing/docker/images.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'
import { fieldOf, listOf, textOf, type Json, type KnownDocker } from './api.ts'
import { keepRunner } from './runner.ts'
import { tagOf } from './labels.ts'

/** For conditions that come within seconds on an idle machine. */
const polling = { timeout: 60_000 }
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const found = await findDocker()
const docker = found as KnownDocker

let folder: string
let data: string
let repository: ReturnType<typeof testRepository>
const running: ServerProcess[] = []

const spawn = async (...words: string[]): Promise<ServerProcess> => {
  const socket = words.includes('--docker') ? ['--docker-socket', docker.socket] : []
  const server = spawnServer(['--port', '0', '--repos', join(folder, 'repos'), ...socket, ...words])
  running.push(server)
  return server
}
const withDocker = (...words: string[]) =>
  spawn('--data', data, '--docker', ...(isOwnDocker ? [] : ['--docker-image', imageNames.runner]), ...words)
async function open(server: ServerProcess, dataFolder = data) {
  const admin = await signIn(await server.ready, dataFolder)
  const build = (number: number) => admin.json<Build>(`/api/repos/acme/web/builds/${number}`)
  const status = async (number: number) => (await build(number)).status
  const log = async (number: number, step: number) => {
    const answer = await admin.call(`/api/repos/acme/web/builds/${number}/logs/1/${step}`)
    return answer.ok ? ((await answer.json()) as Line[]).map((line) => line.out).join('') : ''
  }
  /** Reads the live log until it has content. */
  const live = async (number: number, step: number) => {
    const { body } = await admin.call(`/api/stream/acme/web/${number}/1/${step}`)
    let text = ''
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      if (/^data: \{/m.test(text)) break
    }
    return text
  }
  return { ...admin, build, status, log, live }
}
let number = 0
/** Pushes a pipeline of type docker; answers its build's number. */
function push(steps: string): number {
  const head = `kind: pipeline\ntype: docker\nname: default\nplatform: {os: linux, arch: amd64}\nsteps:\n`
  const pipeline = head + steps.replaceAll('IMAGE', imageNames.git)
  repository.commit({ '.drone.yml': pipeline, 'greeting.txt': 'hello from the commit\n' }, `number ${number}`)
  return (number += 1)
}
const step = (name: string, ...commands: string[]) =>
  `- name: ${name}\n  image: IMAGE\n  commands:\n${commands.map((command) => `  - ${command}\n`).join('')}`

const tag = () => tagOf(readFileSync(join(data, 'process-mark'), 'utf8').trim())
/** Of this server: its runner, its steps, and what they share. */
async function things() {
  const isOurs = (thing: Json) => {
    const labels = fieldOf(thing, 'Labels')
    return textOf(labels, 'flightdeck.runner-of') === tag() || textOf(labels, 'io.drone.system.version').endsWith(tag())
  }
  const ours = async (path: string) => {
    const answer = await docker.fetchJson(path)
    return listOf(fieldOf(answer, 'Volumes') ?? answer).filter(isOurs)
  }
  const [containers, volumes, networks] = [
    await ours('/containers/json?all=1'),
    await ours('/volumes'),
    await ours('/networks'),
  ]
  const isRunner = (thing: Json) => textOf(fieldOf(thing, 'Labels'), 'flightdeck.runner-of') !== ''
  return {
    runner: containers.find(isRunner) ?? null,
    steps: containers.filter((container) => !isRunner(container)),
    volumes,
    /** In addition to the runner's container. */
    networks: networks.filter((network) => !isRunner(network)),
    all: containers.length + volumes.length + networks.length,
  }
}
const idOf = (thing: Json) => textOf(thing, 'Id')
const environmentOf = async (id: string): Promise<Map<string, string>> => {
  const list = listOf(fieldOf(fieldOf(await docker.fetchJson(`/containers/${id}/json`), 'Config'), 'Env')) as string[]
  return new Map(list.map((entry) => entry.split(/=(.*)/s, 2) as [string, string]))
}

// Needs a running Docker.
describe.skipIf(!found)('a server with --docker', () => {
  let server: ServerProcess
  let admin: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flightdeck-docker-'))
    chmodSync(folder, 0o755)
    data = join(folder, 'data')
    repository = testRepository(join(folder, 'repos/acme/web'))
    repository.commit({ 'a.txt': '' }, 'first')
    await importImages(docker.socket, imageNames)
    server = await withDocker()
    admin = await open(server)
    await admin.json('/api/repos/acme/web', 'POST')
  })
  afterAll(async () => {
    for (const one of running) {
      one.kill('SIGTERM')
      await one.ended
    }
    rmSync(folder, { recursive: true, force: true })
    for (const image of Object.values(imageNames)) {
      await docker.fetchJson(`/images/${encodeURIComponent(image)}?force=1`, { method: 'DELETE' })
    }
  })
  const untilStep = (build: number) => expect.poll(() => admin.live(build, 2), polling).toContain('begun')

  it('runs a pushed pipeline in containers, which clone over HTTP', async () => {
    const build = push(step('read', 'cat greeting.txt', 'echo one > made.txt') + step('both', 'cat made.txt', 'exit 3'))
    await expect.poll(() => admin.status(build), polling).toBe('failure')
    const { stages = [] } = await admin.build(build)
    expect(stages[0]?.machine).toMatch(/-docker-[0-9a-f]{6}$/)
    expect(stages[0]?.steps?.map(({ name, status, exit_code }) => [name, status, exit_code])).toEqual([
      ['clone', 'success', 0],
      ['read', 'success', 0],
      ['both', 'failure', 3],
    ])
    const address = (await environmentOf(idOf((await things()).runner))).get('DRONE_RPC_HOST')
    expect(await admin.log(build, 1)).toBe(`cloned from http://${address}/acme/web.git\n`)
    expect(await admin.log(build, 2)).toContain('hello from the commit\n')
    expect(await admin.log(build, 3)).toBe('one\n')
    await expect.poll(async () => (await things()).all, polling).toBe(2)
  })

  it('shows lines as they come, and a cancel ends the containers', async () => {
    const build = push(step('long', 'echo begun', 'sleep 1000'))
    await untilStep(build)
    expect((await things()).steps).toHaveLength(2)
    await admin.json(`/api/repos/acme/web/builds/${build}`, 'DELETE')
    expect(await admin.status(build)).toBe('killed')
    await expect.poll(async () => (await things()).all, polling).toBe(2)
  })

  it('answers runners and their clones where containers reach it, and nothing else there', async () => {
    const environment = await environmentOf(idOf((await things()).runner))
    const inside = `http://${environment.get('DRONE_RPC_HOST')}`
    const outside = await server.ready
    const secret = environment.get('DRONE_RPC_SECRET') ?? ''
    expect(new URL(inside).hostname).not.toMatch(/^(0\.|127\.)/)
    const ask = async (address: string, headers = {}, method = 'GET') =>
      (await fetch(address, { method, headers, redirect: 'manual' })).status
    for (const path of ['/', '/login', '/api/user', '/api/stream', '/healthz', '/metrics', '/link/acme/web/src/x'])
      expect([path, await ask(`${inside}${path}`)]).toEqual([path, 404])
    const token = { 'X-Drone-Token': secret }
    const statuses = await Promise.all([
      ask(`${inside}/rpc/v2/ping`, token, 'POST'),
      ask(`${inside}/rpc/v2/ping`, { 'X-Drone-Token': `${secret}x` }, 'POST'),
      ask(`${inside}/acme/web.git/info/refs?service=git-upload-pack`),
      // It is the secret of that place only; here no runners were asked for.
      ask(`${outside}/rpc/v2/ping`, token, 'POST'),
    ])
    expect(statuses).toEqual([200, 401, 401, 403])
    await expect(fetch(`http://127.0.0.1:${new URL(inside).port}/rpc/v2/ping`)).rejects.toThrow()
  })

  it('keeps the secret from command lines, from the log and from steps', async () => {
    const { runner } = await things()
    const secret = (await environmentOf(idOf(runner))).get('DRONE_RPC_SECRET') ?? ''
    expect(secret.length).toBeGreaterThan(30)
    const lines = readdirSync('/proc').flatMap((pid) => {
      const path = `/proc/${pid}/cmdline`
      try {
        return /^\d+$/.test(pid) && existsSync(path) ? [readFileSync(path, 'utf8')] : []
      } catch {
        return []
      }
    })
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    expect(server.errors()).toContain('is running (')
    expect(server.errors()).not.toContain(secret)
    const build = push(step('show', 'env', 'ls -R /proc/1/'))
    await expect.poll(() => admin.status(build), polling).not.toMatch(/pending|running/)
    expect(await admin.log(build, 2)).toContain('DRONE_SYSTEM_VERSION')
    expect(await admin.log(build, 2)).not.toContain(secret)
  })

  it('starts a runner again that was killed, and ends what that one ran', async () => {
    const build = push(step('long', 'echo begun', 'sleep 1000'))
    await untilStep(build)
    const before = idOf((await things()).runner)
    await docker.fetchJson(`/containers/${before}/kill`, { method: 'POST' })
    await expect.poll(() => admin.status(build), polling).toBe('error')
    const { stages = [] } = await admin.build(build)
    expect(stages[0]?.error).toBe('The Docker runner ended with exit code 137')
    expect(await admin.log(build, 2)).toBe('begun\n')
    const next = push(step('again', 'echo again'))
    await expect.poll(() => admin.status(next), polling).toBe('success')
    await expect.poll(async () => (await things()).all, polling).toBe(2)
    expect(idOf((await things()).runner)).not.toBe(before)
    expect(server.errors()).toContain('The Docker runner ended with exit code 137. Trying again in 1 s')
  })

  it('says that the port for containers is taken, or that there is no such network', async () => {
    const { runner } = await things()
    const host = (await environmentOf(idOf(runner))).get('DRONE_RPC_HOST') ?? ''
    const [name = ''] = Object.keys(fieldOf(fieldOf(runner, 'NetworkSettings'), 'Networks') ?? {})
    const other = ['--data', join(folder, 'other'), '--docker']
    const refused = async (...words: string[]) => {
      const { code, stderr } = await (await spawn(...other, ...words)).ended
      return [code, stderr.trim()]
    }
    const [address = '', port = ''] = host.split(':')
    expect(await refused('--docker-network', name, '--docker-port', port)).toEqual([
      1,
      `--docker: port ${port} on ${address} is already in use; choose another one with --docker-port`,
    ])
    expect(await refused('--docker-network', 'nowhere')).toEqual([
      1,
      '--docker: Docker has no network called nowhere (--docker-network)',
    ])
    expect(await refused('--docker-network', 'none')).toEqual([
      1,
      expect.stringContaining('--docker: Containers in Docker network none can’t reach this machine'),
    ])
  })

  it('removes after a kill -9 what was left, at the next start with or without --docker', async () => {
    for (const again of [() => withDocker(), () => spawn('--data', data)]) {
      const build = push(step('long', 'echo begun', 'sleep 1000'))
      await untilStep(build)
      const before = await things()
      server.kill('SIGKILL')
      await server.ended
      expect((await things()).steps).toHaveLength(2)
      server = await again()
      admin = await open(server)
      const after = await things()
      expect(after.steps).toEqual([])
      expect(after.volumes).toEqual([])
      expect(after.networks).toEqual([])
      expect(after.runner === null ? '' : idOf(after.runner)).not.toBe(idOf(before.runner))
      expect(server.errors()).toContain('removed 3 containers left over from an earlier run')
      expect(await admin.build(build)).toMatchObject({
        status: 'error',
        stages: [{ error: 'the server was restarted' }],
      })
    }
    expect((await things()).all).toBe(0)
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })

  it('ends the runner and its steps with the server', async () => {
    server = await withDocker('--docker-capacity', '1', '--docker-memory', '64', '--docker-labels', 'zone=a')
    admin = await open(server)
    const build = push(`${step('long', 'echo begun', 'sleep 1000')}node: {zone: a}\n`)
    await untilStep(build)
    const { steps } = await things()
    const facts = await Promise.all(steps.map((container) => docker.fetchJson(`/containers/${idOf(container)}/json`)))
    expect(facts.map((one) => fieldOf(fieldOf(one, 'HostConfig'), 'Memory'))).toEqual([64 * 2 ** 20, 64 * 2 ** 20])
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect((await things()).all).toBe(0)
    server = await spawn('--data', data)
    admin = await open(server)
    expect(await admin.build(build)).toMatchObject({ status: 'error', stages: [{ error: 'the server was restarted' }] })
  })

  it.each([
    [
      'an image that cannot be fetched',
      '127.0.0.1:1/none:1',
      /The image 127\.0\.0\.1:1\/none:1 could not be pulled: .+ Trying again in 1 s/,
    ],
    [
      'a runner that ends at once',
      imageNames.git,
      /The Docker runner ended with exit code \d+ before it asked for work: .*fatal: .+ Trying again in 1 s/,
    ],
  ])('runs on and says so, with %s', async (_what, image, words) => {
    const other = join(folder, image.replaceAll(/\W/g, '-'))
    const one = await spawn('--data', other, '--docker', '--docker-image', image)
    await one.ready
    await expect.poll(() => one.errors(), polling).toMatch(words)
    one.kill('SIGTERM')
    expect((await one.ended).code).toBe(0)
  })

  it('says that containers do not reach this server', async () => {
    const said: string[] = []
    const container = {
      settings: { image: imageNames.runner, capacity: 1, memory: undefined, labels: {} },
      tag: 'unreached',
      name: 'unreached',
      network: 'none',
      server: 'http://192.0.2.1:9',
      secret: 'a secret',
    }
    const kept = keepRunner({
      docker,
      container,
      say: (words) => said.push(words),
      onEnd: () => Promise.resolve(),
      contactMs: 500,
    })
    await expect.poll(() => said.join('\n'), polling).toContain('has not reached this server at http://192.0.2.1:9')
    await kept.stop()
    await docker.fetchJson('/containers/flightdeck-runner-unreached?force=1', { method: 'DELETE' })
  })
})
