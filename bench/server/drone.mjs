// A real Drone server with a Git host that has one repository. FLIGHTDECK_DRONE is the program's
// path.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const token = 'benchbenchbenchbenchbenchbench01'
const sha = 'a'.repeat(40)
const owner = { id: 2, login: 'boss', username: 'boss', full_name: 'Boss', email: 'boss@example.com', avatar_url: '' }

/**
 * Responds like Gogs to the requests with which Drone activates a repository and builds its branch.
 */
async function startGitHost(pipeline) {
  const repository = {
    id: 1,
    owner: { ...owner, login: 'acme', username: 'acme' },
    name: 'web',
    full_name: 'acme/web',
    private: false,
    default_branch: 'main',
    permissions: { admin: true, push: true, pull: true },
  }
  const commit = {
    id: sha,
    sha,
    message: 'Build and test',
    url: '',
    timestamp: '2026-01-01T00:00:00Z',
    author: { name: 'Boss', email: owner.email, username: 'boss' },
    committer: { name: 'Boss', email: owner.email, username: 'boss' },
  }
  const answers = [
    [/\/user\/repos/, [repository]],
    [/\/user\/orgs/, []],
    [/\/user$/, owner],
    [/\/hooks/, { id: 1, type: 'gogs', config: {}, events: ['push'], active: true }],
    [/\/branches\//, { name: 'main', commit }],
    [/\/commits\//, { sha, commit: { message: commit.message, author: commit.author, committer: commit.committer } }],
    [/\/repos\/acme\/web$/, { ...repository, clone_url: 'http://127.0.0.1/acme/web.git', html_url: '' }],
  ]
  const host = createServer((request, response) => {
    request.resume()
    const path = new URL(request.url, 'http://host').pathname
    if (path.includes('/raw/')) return response.end(pipeline)
    if (path.endsWith('/hooks') && request.method === 'GET') return response.end('[]')
    const found = answers.find(([pattern]) => pattern.test(path))
    response.statusCode = found ? 200 : 404
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(found?.[1] ?? {}))
  })
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${host.address().port}`, close: () => host.close() }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts it with the active repository `acme/web` and one waiting build of `pipeline`. */
export async function startDrone(program, pipeline, secret) {
  const host = await startGitHost(pipeline)
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-drone-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(program, [], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DRONE_GOGS_SERVER: host.origin,
      DRONE_SERVER_HOST: `127.0.0.1:${port}`,
      DRONE_SERVER_PROTO: 'http',
      DRONE_SERVER_PORT: `127.0.0.1:${port}`,
      DRONE_RPC_SECRET: secret,
      DRONE_USER_CREATE: `username:boss,admin:true,token:${token}`,
      DRONE_DATABASE_DATASOURCE: join(folder, 'drone.sqlite'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const headers = { authorization: `Bearer ${token}` }
  const call = async (method, path) => {
    const answer = await fetch(`${origin}${path}`, { method, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  while (!(await fetch(`${origin}/healthz`).catch(() => null))?.ok) await delay(100)
  await call('POST', '/api/user/repos?async=false')
  await call('POST', '/api/repos/acme/web')
  await call('POST', '/api/repos/acme/web/builds?branch=main')
  return {
    origin,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      host.close()
      rmSync(folder, { recursive: true })
    },
  }
}
