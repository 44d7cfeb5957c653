/**
 * Webhooks that arrive as fast as the server answers them, with right and with forged signatures,
 * delay other calls only briefly, measured as processor time of the server.
 */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Build, Repo } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cookiesOf, until } from '../testing/forge-world.ts'
import { startGitea } from '../testing/forges/gitea.ts'
import { startGithub } from '../testing/forges/github.ts'
import { startGitlab } from '../testing/forges/gitlab.ts'
import { eventsOf } from '../testing/forges/payloads.ts'
import type { StandForge } from '../testing/forges/stand.ts'
import type { StandRepository } from '../testing/forges/world.ts'
import { spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { untilIdle, waitProbe, waitsDuring } from '../testing/server-work.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const starts = { gitea: startGitea, github: startGithub, gitlab: startGitlab }
/**
 * Milliseconds of the server's own work, for 95 of 100 calls: 31 to 55 were seen on a busy machine,
 * and 11 to 27 with large bodies, which had been 76 to 99 when all were parsed in the turn in which
 * they ended.
 */
const [maxWaitMs, maxWaitOfLargeMs] = [120, 60]
const connections = 100
const flood = join(import.meta.dirname, '../testing/send-flood.mjs')

describe.each(['gitea', 'github', 'gitlab'] as const)('webhooks of %s', (kind) => {
  let folder: string
  let forge: StandForge
  let server: ServerProcess
  let address: string
  let cookie: string
  let app: StandRepository
  let push: (ref: string, commits: number) => readonly [string, unknown]

  const call = (path: string, method = 'GET') => fetch(`${address}${path}`, { method, headers: { Cookie: cookie } })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flightdeck-hooks-'))
    forge = await starts[kind]('/git')
    forge.world.addPerson('ann')
    forge.world.addOrganization('team', 'ann')
    app = forge.world.addRepository('team/app', { ann: 'admin' })
    const work = testRepository(join(folder, 'work'))
    const steps = 'steps: [{name: look, commands: ["true"]}]'
    work.commit({ '.drone.yml': `kind: pipeline\ntype: exec\nname: default\n${steps}\n` }, 'First')
    const to = new URL(`${forge.url}/team/app.git`)
    to.username = 'oauth2'
    to.password = forge.world.tokensFor('ann').access
    const pushed = spawn('git', ['-C', work.path, 'push', '-q', to.href, 'HEAD:main'])
    await new Promise((resolve) => pushed.once('close', resolve))
    const name = kind.toUpperCase()
    server = spawnServer(
      ['--port', '0', '--data', join(folder, 'data'), `--${kind}`, forge.url, '--isolation', 'none'],
      {
        ...waitProbe,
        [`FLIGHTDECK_${name}_CLIENT_ID`]: forge.clientId,
        [`FLIGHTDECK_${name}_CLIENT_SECRET`]: forge.clientSecret,
      },
    )
    address = await server.ready
    const begun = await fetch(`${address}/login`, { redirect: 'manual' })
    const back = new URL(forge.agree(begun.headers.get('location') ?? '', 'ann')).search
    cookie = cookiesOf(
      await fetch(`${address}/login${back}`, { headers: { Cookie: cookiesOf(begun) }, redirect: 'manual' }),
    )
    await until(
      async () => (await (await call('/api/user/repos')).json()) as Repo[],
      (repos) => repos.length > 0,
    )
    expect((await call('/api/repos/team/app', 'POST')).status).toBe(200)
    const after = work.git('rev-parse', 'HEAD')
    push = (ref, commits) => {
      const [event, payload] = eventsOf(kind).push(app, { ref, before: '0'.repeat(40), after, message: 'First' })
      const [first] = (payload as { commits: object[] }).commits
      const list = Array.from({ length: commits }, () => ({ ...first, message: 'x'.repeat(150) }))
      return [event, { ...(payload as object), commits: list }]
    }
  })
  afterAll(async () => {
    server?.kill('SIGTERM')
    await server?.ended
    await forge?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  /** The bytes of a delivery. */
  function delivery(ref: string, commits: number, secret = app.hooks[0]?.secret ?? ''): string {
    const [event, payload] = push(ref, commits)
    const body = JSON.stringify(payload)
    const headers = Object.entries({
      ...forge.headersOf(event, secret, createHmac('sha256', secret).update(body).digest('hex')),
      host: '127.0.0.1',
      'content-length': String(Buffer.byteLength(body)),
    })
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return Buffer.from(`POST /hook HTTP/1.1\r\n${head}\r\n${body}`).toString('base64')
  }

  async function send(requests: readonly string[], count: number): Promise<unknown> {
    const child = spawn(process.execPath, [flood], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify({ port: Number(new URL(address).port), requests, connections, count }))
    return JSON.parse(await text(child.stdout))
  }

  const floods: readonly [string, number, number, number, () => string[]][] = [
    ['one event again and again', 3_000, 200, maxWaitMs, () => [delivery('refs/heads/main', 1)]],
    ['forged signatures', 3_000, 400, maxWaitMs, () => [delivery('refs/heads/main', 1, 'guessed')]],
    [
      'events of many refs that do not exist',
      3_000,
      200,
      maxWaitMs,
      () => Array.from({ length: 300 }, (_, index) => delivery(`refs/heads/none-${index}`, 1)),
    ],
    ['large bodies', 400, 200, maxWaitOfLargeMs, () => [delivery('refs/heads/main', 900)]],
    [
      'large bodies with forged signatures',
      400,
      400,
      maxWaitOfLargeMs,
      () => [delivery('refs/heads/main', 900, 'guessed')],
    ],
  ]
  // The drivers differ in how they check a body, not in how many of them are parsed.
  const own = kind === 'gitea' ? floods : floods.filter(([what]) => what === 'large bodies')

  it.each(own)('%s: other calls wait for no more than a moment', async (_, count, status, limitMs, requests) => {
    const ask = () => call('/api/user')
    await untilIdle(server.pid, ask)
    let statuses: unknown
    const waits = await waitsDuring(ask, async () => {
      statuses = await send(requests(), count)
    })
    expect(statuses).toEqual({ [status]: count })
    expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(limitMs)
    const builds = (await (await call('/api/repos/team/app/builds')).json()) as Build[]
    expect(builds.length).toBeLessThan(2)
  })
})
