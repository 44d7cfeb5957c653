/**
 * A forge with a certificate of a private authority: Node.js's variable is enough for its API and
 * for git.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { canRun } from '../testing/can-run.ts'
import { startGitea } from '../testing/forges/gitea.ts'
import type { StandForge } from '../testing/forges/stand.ts'
import { spawnServer, type ServerProcess } from '../testing/server-process.ts'

let folder: string
let forge: StandForge
let server: ServerProcess | undefined
let close: () => Promise<void>
let url: string

/** Its own authority, for this machine's address. */
function ownAuthority(): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'authority.pem')]
  const words = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=forge']
  const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...words, ...files], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-authority-'))
  forge = await startGitea('/git')
  const certificate = ownAuthority()
  const inner = new URL(forge.url)
  const tls = createServer(certificate, (socket) => {
    const to = connect(Number(inner.port), inner.hostname)
    for (const end of [socket, to]) end.on('error', () => to.destroy())
    socket.pipe(to).pipe(socket)
  })
  await once(tls.listen(0, '127.0.0.1'), 'listening')
  const at = tls.address()
  url = `https://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/git`
  close = async () => void tls.close()
})
afterEach(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  await close()
  await forge.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Signs in; answers where that led, and a way to ask. */
async function signIn(environment: Record<string, string>) {
  const given = { FLIGHTDECK_GITEA_CLIENT_ID: forge.clientId, FLIGHTDECK_GITEA_CLIENT_SECRET: forge.clientSecret }
  server = spawnServer(['--port', '0', '--data', join(folder, 'data'), '--gitea', url], { ...given, ...environment })
  const address = await server.ready
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((text) => text.split(';', 1)[0])
      .join('; ')
  const begun = await fetch(`${address}/login`, { redirect: 'manual' })
  const back = new URL(forge.agree(begun.headers.get('location') ?? '', 'ann'))
  const headers = { Cookie: cookieOf(begun) }
  const answer = await fetch(`${address}/login${back.search}`, { headers, redirect: 'manual' })
  const Cookie = cookieOf(answer)
  return {
    location: answer.headers.get('location') ?? '',
    call: (path: string, method = 'GET') => fetch(`${address}${path}`, { method, headers: { Cookie } }),
  }
}

// openssl makes the certificate; it may not be installed.
it.skipIf(!canRun('openssl', 'version'))(
  'is trusted where NODE_EXTRA_CA_CERTS names its authority, and only there',
  { timeout: 120_000 },
  async () => {
    forge.world.addPerson('ann')
    forge.world.addRepository('ann/app', { ann: 'admin' })
    const stranger = await signIn({})
    expect(stranger.location).toMatch(/^\/login\/error/)
    server?.kill('SIGTERM')
    await server?.ended
    const { location, call } = await signIn({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') })
    expect(location).toBe('/')
    await call('/api/user/repos', 'POST')
    expect((await call('/api/repos/ann/app', 'POST')).status).toBe(200)
    expect(await (await call('/api/repos/ann/app/forge')).json()).toMatchObject({ mirror: { error: '' } })
  },
)
