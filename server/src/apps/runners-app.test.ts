import type { Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRunnersApp } from './runners-app.ts'
import { listen } from '../listener/listener.ts'
import type { Details } from '../testing/player/player.ts'
import { createTestApp, rpcSecret, type TestApp } from '../testing/test-app.ts'

const token = { 'X-Drone-Token': 'of these runners' }
const reach = { url: 'http://172.30.0.1:4711', version: '1.2.3+docker.abc' }
let app: TestApp
let inside: ReturnType<typeof createRunnersApp>
let calls = 0
beforeAll(async () => {
  app = await createTestApp()
  const onCall = () => (calls += 1)
  const rpc = { ...app.dependencies.rpc, secret: 'of these runners', reach, onCall }
  inside = createRunnersApp({ ...app.dependencies, rpc, trustProxy: true })
})
afterAll(() => app.close())

it.each([
  '/',
  '/login',
  '/api/user',
  '/api/stream',
  '/healthz',
  '/metrics',
  '/link/a/b/src/c',
  '/rpc',
  '/assets/app-1.js',
])('has nothing but what runners need: %s', async (path) => {
  for (const method of ['GET', 'POST']) {
    const { status } = await inside.request(path, { method, headers: token })
    expect([method, status]).toEqual([method, 404])
  }
})

it('has a secret of its own, which is good for nothing elsewhere', async () => {
  const ping = async (to: { request: typeof inside.request }, secret: string) =>
    to.request('/rpc/v2/ping', { method: 'POST', headers: { 'X-Drone-Token': secret } })
  const before = calls
  const answers = [ping(inside, rpcSecret), ping(app.app, 'of these runners'), ping(inside, 'of these runners')]
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 200])
  expect(calls).toBe(before + 1)
})

it('gives runners the address that they can reach, in all clone settings @system', async () => {
  const docs = '---\nkind: pipeline\ntype: exec\nname: default\nsteps:\n- name: one\n  commands: [echo]\n'
  await app.bench.push(app.bench.commit(docs + docs.replace('default', 'other')))
  const details = async (to: { request: typeof inside.request }, secret: string): Promise<Details> => {
    const headers = { 'X-Drone-Token': secret }
    const body = JSON.stringify({ kind: 'pipeline', type: 'exec' })
    const asked = await to.request('/rpc/v2/stage', { method: 'POST', headers, body })
    const { id } = (await asked.json()) as Stage
    await to.request(`/rpc/v2/stage/${id}?machine=far`, { method: 'POST', headers })
    return (await (await to.request(`/rpc/v2/stage/${id}`, { headers })).json()) as Details
  }
  const near = await details(inside, 'of these runners')
  expect(near.repository.git_http_url).toBe(`${reach.url}/${app.bench.repo.slug}.git`)
  expect(near.netrc).toMatchObject({ machine: '172.30.0.1', login: expect.stringMatching(/^build-/) as string })
  expect(near.system).toMatchObject({ version: reach.version })
  const far = await details(app.app, rpcSecret)
  // That of the bench.
  expect(far.repository.git_http_url).toBe(`http://localhost/${app.bench.repo.slug}.git`)
  expect(far.netrc?.machine).toBe('localhost')
  expect(far.system.version).toBe('2.0.0')

  const { login = '', password = '' } = near.netrc ?? {}
  const clone = (address: string, headers = {}) =>
    inside.request(`${address}/info/refs?service=git-upload-pack`, { headers })
  const basic = { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` }
  expect((await clone(near.repository.git_http_url, basic)).status).toBe(200)
  expect((await clone(near.repository.git_http_url)).status).toBe(401)
})

it('judges addresses as they were sent', async () => {
  const listener = await listen('127.0.0.1', 0)
  listener.serve(inside.fetch)
  const { request } = await import('node:http')
  const status = await new Promise((resolve) => {
    const { hostname, port } = new URL(listener.url)
    const path = '/rpc/v2/../v2/ping'
    request({ hostname, port, path, method: 'POST', headers: token }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).end()
  })
  await listener.close()
  expect(status).toBe(404)
})
