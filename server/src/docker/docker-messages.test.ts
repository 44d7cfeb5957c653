import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createPlain, type Server as Plain } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareDocker, type DockerOptions } from '../startup/docker-runner.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createDocker } from './api.ts'
import { fetchImage, withTag } from './image.ts'

let folder: string
let socket: string
let servers: (Server | Plain)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-words-'))
  socket = join(folder, 'docker.sock')
  servers = []
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function answering(server: Server | Plain): Promise<void> {
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(socket, resolve)
  })
}
const version = (most: string, least = '1.12') =>
  createServer((_request, response) => response.end(JSON.stringify({ ApiVersion: most, MinAPIVersion: least })))

const settings = (path: string): DockerOptions => ({
  socket: path,
  image: 'drone/drone-runner-docker:1',
  capacity: 2,
  memory: undefined,
  labels: {},
  network: undefined,
  port: 0,
})
/** Why a server does not start. */
const refused = async (path = socket): Promise<string> => {
  const logged: string[] = []
  const options = {
    data: join(folder, 'data'),
    docker: settings(path),
    version: '1',
    log: (text: string) => logged.push(text),
  }
  try {
    await prepareDocker(options)
  } catch (error) {
    expect(error).toHaveProperty('name', 'StartError')
    return (error as Error).message
  }
  return 'started'
}

describe('--docker says', () => {
  it('that there is no Docker', async () => {
    expect(await refused()).toBe(
      `--docker: Docker not found: ${socket} does not exist. Install and start Docker, or choose a different socket with --docker-socket`,
    )
  })

  it('that Docker is not running', async () => {
    const words = `--docker: Nothing listens on ${socket}: Docker is not running. Start it, or choose a different socket with --docker-socket`
    // The socket of a killed program, which is never removed.
    const program = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', program])
    expect(await refused()).toBe(words)
    rmSync(socket)
    writeFileSync(socket, '')
    expect(await refused()).toBe(words)
  })

  it('that this account may not use it', async () => {
    await answering(version('1.41'))
    chmodSync(socket, 0)
    // Nothing is forbidden to root.
    const isRoot = process.geteuid?.() === 0
    const nobody = 65_534
    try {
      if (isRoot) {
        chownSync(folder, nobody, nobody)
        process.seteuid?.(nobody)
      }
      expect(await refused()).toBe(
        `--docker: ${userInfo().username} can’t use Docker's socket ${socket}. Add this account to the group of that file (access to Docker is equivalent to root), or choose a different socket with --docker-socket`,
      )
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  it.each<[string, () => Server | Plain]>([
    ['a page', () => createServer((_request, response) => response.end('<!doctype html>'))],
    ['another API', () => createServer((_request, response) => response.end('{"ApiVersion": 7}'))],
    ['another protocol', () => createPlain((connection) => connection.end('220 mail.example.com ESMTP\r\n'))],
  ])('that what answers is not Docker but %s', async (_what, server) => {
    await answering(server())
    expect(await refused()).toBe(`--docker: ${socket} is not Docker's socket; set the right one with --docker-socket`)
  })

  it('that Docker hangs', async () => {
    const silent = createServer(() => {})
    await answering(silent)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new DOMException('', 'TimeoutError')))
    expect(await refused()).toBe(`--docker: Docker does not respond (${socket})`)
  })

  it('that Docker is too old', async () => {
    await answering(version('1.40'))
    expect(await refused()).toBe('--docker: Docker supports API version 1.40; 1.41 (Docker 20.10) or newer is required')
  })
})

describe('an image', () => {
  it.each([
    ['a', 'a:latest'],
    ['a:1', 'a:1'],
    ['host:5000/a', 'host:5000/a:latest'],
    ['host:5000/a:1', 'host:5000/a:1'],
    ['a@sha256:00', 'a@sha256:00'],
  ])('%s is asked for as %s', (image, asked) => {
    expect(withTag(image)).toBe(asked)
  })

  it('shows its progress, and errors in the middle of an answer', async () => {
    const layer = (id: string, current: number, total: number) =>
      `${JSON.stringify({ status: 'Downloading', id, progressDetail: { current, total } })}\r\n`
    await answering(
      createServer((_request, response) => {
        response.write(layer('a', 1_000_000, 4_000_000))
        response.write(layer('b', 2_000_000, 6_000_000))
        response.end('{"errorDetail":{},"error":"manifest unknown"}\r\n')
      }),
    )
    const said: string[] = []
    const options = {
      image: 'x',
      say: (words: string) => said.push(words),
      everyMs: 0,
      signal: new AbortController().signal,
    }
    await expect(fetchImage(createDocker(socket), options)).rejects.toThrow('manifest unknown')
    expect(said).toEqual([
      'pulling the image x',
      'pulling the image x: 1 of 4 MB known so far',
      'pulling the image x: 3 of 10 MB known so far',
    ])
  })
})

describe('a server with --docker', () => {
  /** A Docker that has all that is asked for, until it hangs. */
  function pretended(gateway = '127.0.0.1') {
    const asked: string[] = []
    const bodies: string[] = []
    let hangs = false
    const network = { Driver: 'bridge', IPAM: { Config: [{ Gateway: gateway }] } }
    const answers: [RegExp, unknown][] = [
      [/\/version$/, { ApiVersion: '1.47', MinAPIVersion: '1.44' }],
      [/^GET .*\/networks\/flightdeck-/, network],
      [/^GET .*\/volumes/, { Volumes: [] }],
      [/^GET .*\/(networks|containers\/json)\?/, []],
      [/\/containers\/create\?/, { Id: 'abc' }],
    ]
    const server = createServer((request, response) => {
      const what = `${request.method} ${request.url}`
      asked.push(what)
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text))
      if (hangs || what.includes('/wait')) return
      response.end(JSON.stringify(answers.find(([pattern]) => pattern.test(what))?.[1] ?? {}))
    })
    return {
      server,
      asked,
      bodies,
      hang: () => {
        hangs = true
      },
    }
  }

  it('does not start where containers call this machine what it is not', async () => {
    const fake = pretended('203.0.113.7')
    await answering(fake.server)
    expect(await refused()).toBe(
      '--docker: containers call this machine 203.0.113.7, but it does not have that address: Docker runs in a virtual machine or without root, or this server runs in a container. Start a runner manually instead (docs/guide/docker.md)',
    )
    expect(fake.asked.at(-1)).toMatch(/^DELETE .*\/networks\/flightdeck-/)
  })

  it('ends also where Docker hangs, and leaves the rest to the next start', async () => {
    const fake = pretended()
    await answering(fake.server)
    const app = await createTestApp()
    const said: string[] = []
    const options = { data: folder, docker: settings(socket), version: '1', log: (words: string) => said.push(words) }
    const { runner } = await prepareDocker(options)
    runner?.start(app.dependencies, (machine, words) => app.bench.ci.abandon(machine, words))
    await expect.poll(() => fake.asked.at(-1), { timeout: 10_000 }).toMatch(/^POST \/v1\.44\/containers\/abc\/wait/)
    // What official runners would speak is refused by a Docker as young as this one.
    const made = JSON.parse(fake.bodies.at(-1) ?? '') as { Env: string[]; HostConfig: { Binds: string[] } }
    expect(made.Env).toContain('DOCKER_API_VERSION=1.44')
    expect(made.Env).toContain('DRONE_DEFER_TAIL_LOG=true')
    expect(made.HostConfig.Binds).toEqual([`${socket}:/var/run/docker.sock`])
    fake.hang()
    const soon = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => soon(ms / 100))
    await runner?.stop()
    expect(said).toEqual([
      `the Docker runner could not be removed; the next start will remove it: Docker does not respond (${socket})`,
    ])
    expect(readdirSync(folder)).toContain('docker-runner.json')
    await app.close()
  })
})
