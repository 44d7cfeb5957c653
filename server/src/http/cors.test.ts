import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, tokenOf, type Call, type TestApp } from '../testing/test-app.ts'

const Origin = 'https://pages.example.com'
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ passwords: true, allowOrigins: [Origin, 'http://localhost:5173'] })
})
afterAll(async () => {
  await app.close()
  expect(app.failures).toEqual([])
})

async function corsOf(path: string, call: Call): Promise<Record<string, string>> {
  const { headers } = await app.request(path, call)
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}
const allowed = {
  'access-control-allow-origin': Origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Link, Date, X-Flightdeck-User',
}

describe('a page of an allowed origin', () => {
  it.each(['/api/user', '/api/nope', '/api/repos/acme/web/builds/abc'])('may read what %s answers', async (path) => {
    expect(await corsOf(path, { as: 'ann', headers: { Origin } })).toEqual(allowed)
  })

  it('may ask first', async () => {
    const headers = {
      Origin,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type,authorization',
    }
    expect(await corsOf('/api/user', { method: 'OPTIONS', headers })).toEqual({
      ...allowed,
      'access-control-allow-methods': 'PATCH',
      'access-control-allow-headers': 'content-type,authorization',
      'access-control-max-age': '300',
    })
    const refused: Record<string, string>[] = [
      { 'Access-Control-Request-Method': 'TRACE' },
      { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-other' },
    ]
    for (const asked of refused) {
      expect(await corsOf('/api/user', { method: 'OPTIONS', headers: { Origin, ...asked } })).toEqual(allowed)
    }
  })

  it('may change something with the session', async () => {
    const form = { username: 'otto', password: 'password of otto' }
    const { headers } = await app.request('/login', { method: 'POST', form, headers: { Origin } })
    const Cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const change = (origin: string) =>
      app.request('/api/user', {
        method: 'PATCH',
        json: { email: 'o@example.com' },
        headers: { Cookie, Origin: origin },
      })
    expect((await change(Origin)).status).toBe(200)
    expect((await change('https://pages.example.com.evil.example')).status).toBe(403)
  })
})

describe('any other page', () => {
  it.each([
    'https://elsewhere.example.com',
    'http://pages.example.com',
    'https://pages.example.com:444',
    'null',
    Origin.toUpperCase(),
  ])('%s is told nothing', async (origin) => {
    const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
    expect(await corsOf('/api/user', { as: 'ann', headers: { Origin: origin } })).toEqual({})
    expect(await corsOf('/api/user', { method: 'OPTIONS', headers: preflight })).toEqual({})
  })

  it('hears the same from a server that allows none', async () => {
    const other = await createTestApp()
    const { headers } = await other.request('/api/user', { as: 'ann', headers: { Origin } })
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, 'Origin'])
    await other.close()
  })
})

it('allows no page what is outside the API', async () => {
  expect(await corsOf('/version', { headers: { Origin, Authorization: tokenOf('ann') } })).toEqual({})
})
