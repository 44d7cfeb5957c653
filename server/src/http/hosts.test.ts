import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({
    publicUrl: 'https://CI.example.com:8443',
    host: '0.0.0.0',
    allowHosts: ['ci.lan:99', '[fd00::7]'],
  })
})
afterAll(() => app.close())

const reached = { incoming: { socket: { localAddress: '::ffff:192.0.2.4' } } }
const ask = (host: string, path = '/healthz') => app.app.request(path, { headers: { Host: host } }, reached)

describe('the name that a request is for', () => {
  it.each([
    'ci.example.com',
    'ci.example.com:8443',
    'ci.example.com:80',
    'CI.Example.COM',
    'ci.example.com.',
    'ci.example.com.:8443',
    'localhost:8080',
    'LocalHost.',
    '127.0.0.1',
    '127.8.9.10:1',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    'ci.lan',
    'ci.lan:7',
    '[fd00:0::7]:8080',
    '192.0.2.4:8080',
  ])('may be %s', async (host) => {
    expect((await ask(host)).status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:8443',
    'ci.example.com.evil.example',
    'evil-ci.example.com',
    'localhost.evil.example',
    'evil.localhost',
    '127.0.0.1.evil.example',
    '192.0.2.5',
    '[fd00::8]',
    '[::1',
    '::1',
    '',
    ' ',
    '..',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example\\localhost',
    'localhost:x',
    'localhost:80:80',
    '%6cocalhost',
  ])('is not %j', async (host) => {
    const response = await ask(host)
    expect(response.status).toBe(421)
    expect(await response.json()).toEqual({
      message: 'Unknown host name. Start the server with --public-url or --allow-host for that name',
    })
  })

  it.each([
    '/',
    '/api/user',
    '/api/stream',
    '/login',
    '/logout',
    '/metrics',
    '/version',
    '/nope',
    '/assets/app-1.js',
    '/link/a/b',
    '/rpc/v1/ping',
  ])('counts for %s, too', async (path) => {
    expect((await ask('evil.example', path)).status).toBe(421)
  })

  it.each(['/rpc/v2/ping', '/acme/web.git/info/refs?service=git-upload-pack'])(
    'does not count for %s: no browser holds what is asked for there',
    async (path) => {
      expect((await ask('evil.example', path)).status).toBe(401)
    },
  )

  it('is optional for a client without one', async () => {
    expect((await app.request('/healthz')).status).toBe(200)
  })

  it('is no other address of a machine that listens on one only', async () => {
    const one = await createTestApp({ host: '192.0.2.9' })
    expect((await one.request('/healthz', { headers: { Host: '192.0.2.9' } })).status).toBe(200)
    expect((await one.request('/healthz', { headers: { Host: '192.0.2.4' } })).status).toBe(421)
    await one.close()
  })
})
