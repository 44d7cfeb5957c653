import { beforeEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request, requests, publicUrl } = stand

beforeEach(() => {
  stand.answer = ({ url, headers }, response) => {
    const answers: Record<string, unknown> = {
      '/api/user': { login: 'wall', admin: true },
      '/api/repos/a/b': { slug: 'a/b', permissions: { read: true, write: true, admin: true } },
    }
    if (headers.authorization !== 'Bearer of-the-wall') return void response.writeHead(401).end('{}')
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answers[url ?? ''] ?? []))
  }
})
const read = async (path: string, headers = {}) => (await request(path, { headers })).json() as Promise<unknown>

describe('a token of the server', () => {
  beforeEach(() => stand.startWith({ serverToken: { token: 'of-the-wall', allowWrites: false } }))

  it('signs every call to it, whatever the browser sends', async () => {
    await read('/api/user/repos')
    await read('/api/user/repos', { Authorization: 'Bearer mine', Cookie: '_session_=mine' })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer of-the-wall', 'Bearer of-the-wall'])
  })

  it.each([
    ['POST', '/api/repos/a/b/builds'],
    ['DELETE', '/api/repos/a/b/builds/1'],
    ['PATCH', '/api/user'],
    ['PUT', '/api/x'],
    ['POST', '/api/user/token'],
    ['POST', '/hook'],
    ['POST', '/rpc/v2/stage'],
    ['POST', '/login'],
    ['POST', '/logout'],
    ['PROPFIND', '/api/user'],
  ])('lets nobody change anything: %s %s', async (method, path) => {
    const response = await request(path, { method, headers: { Origin: publicUrl(), Authorization: 'Bearer mine' } })
    const message = 'This Flightdeck is read-only (started without --allow-writes)'
    expect([response.status, await response.json()]).toEqual([403, { message }])
    expect(requests).toEqual([])
  })

  it('gives pages no write access', async () => {
    expect(await read('/api/user')).toEqual({ login: 'wall', admin: false, shared_token: 'reads' })
    expect(await read('/api/repos/a/b')).toEqual({
      slug: 'a/b',
      permissions: { read: true, write: false, admin: false },
    })
  })

  it.each(['/login', '/logout', '/login/token', '/login/form'])('%s leads home: nobody signs in', async (path) => {
    const response = await request(path)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(requests).toEqual([])
  })

  it('is not sent with what runners and forges ask', async () => {
    await request('/rpc/v2/ping', { headers: { 'X-Drone-Token': 'of a runner' } })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })
})

describe('with writes allowed', () => {
  beforeEach(() => stand.startWith({ serverToken: { token: 'of-the-wall', allowWrites: true } }))

  it('it signs those, too, and removes no right', async () => {
    expect((await request('/api/repos/a/b/builds', { method: 'POST' })).status).toBe(200)
    expect(await read('/api/user')).toEqual({ login: 'wall', admin: true, shared_token: 'writes' })
    expect(await read('/api/repos/a/b')).toEqual({ slug: 'a/b', permissions: { read: true, write: true, admin: true } })
  })

  it.each([
    '/api/user/token',
    '/api/user/token?rotate=true',
    '/api/user/%74oken',
    '/api//user/token/',
    '/api/USER/token',
    '/api/users/wall/token/rotate',
  ])('nobody gets it, or gets it changed: %s', async (path) => {
    const response = await request(path, { method: 'POST' })
    expect(response.status).toBe(403)
    expect(requests).toEqual([])
  })

  it('a page elsewhere may still change nothing', async () => {
    const response = await request('/api/repos/a/b', { method: 'POST', headers: { Origin: 'https://evil.example' } })
    expect(response.status).toBe(403)
    expect(requests).toEqual([])
  })

  it('calls of runners and forges are forwarded unchanged', async () => {
    await request('/hook', { method: 'POST', body: '{}' })
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/hook', undefined]])
  })
})
