import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

/** What a page of another origin, or of another host on the same site, can make a browser send. */
const stand = runBehindGateway()
const { request, requests, last, publicUrl } = stand

const evil = { Origin: 'https://evil.example' }
const users = '/api/users'
const parameters = [
  'access_token=anything',
  'access_token=%zz',
  'access_token=a;b',
  'access_token=&access_token=x',
  'access_token=x&access_token=',
]

/** Signed in with a token, as the browser keeps it. */
async function tokenCookie(): Promise<string> {
  const body = new URLSearchParams({ token: 'of-ann' })
  const response = await request('/login/token', { method: 'POST', body, headers: { Origin: publicUrl() } })
  requests.length = 0
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? expect.fail('no cookie')
}

describe('a wall that may write', () => {
  beforeEach(() => stand.startWith({ serverToken: { token: 'of-the-wall', allowWrites: true } }))

  it.each([
    ...parameters.map((query) => [`?${query}`, {}] as const),
    ['', { Authorization: 'Bearer x' }] as const,
    ['', { Authorization: 'garbage' }] as const,
    ['?access_token=x', { Authorization: '' }] as const,
    ['?access_token=x', { Origin: 'null' }] as const,
    ['?access_token=x', { 'Sec-Fetch-Site': 'same-site' }] as const,
  ])('is written to by no page elsewhere: %s %j', async (query, headers) => {
    for (const [method, type] of [
      ['POST', 'text/plain'],
      ['POST', 'application/x-www-form-urlencoded'],
      ['PATCH', 'application/json'],
      ['DELETE', 'text/plain'],
    ] as const) {
      const response = await request(users + query, {
        method,
        headers: { ...evil, 'Content-Type': type, ...headers },
        ...(method !== 'DELETE' && { body: '{"login":"eve","admin":true}' }),
      })
      expect(response.status).toBe(403)
    }
    expect(requests).toEqual([])
  })

  it('is written to by its own pages and by programs', async () => {
    expect((await request(users, { method: 'POST', headers: { Origin: publicUrl() } })).status).toBe(200)
    expect((await request(`${users}?access_token=x`, { method: 'POST' })).status).toBe(200)
  })
})

describe('a signed-in person', () => {
  it.each(parameters)('is not who a call with %s is made as', async (query) => {
    for (const cookie of [await tokenCookie(), '_session_=ann', `${await tokenCookie()}; _session_=ann`]) {
      const headers = { ...evil, Cookie: cookie, 'Content-Type': 'text/plain' }
      const response = await request(`${users}?${query}`, { method: 'POST', headers, body: '{}' })
      if (response.status === 403) continue
      // What is let through is judged by that parameter alone: Go may read another value, or none,
      // out of it.
      expect([last().headers.cookie, last().headers.authorization]).toEqual([undefined, undefined])
    }
  })

  it.each(['Bearer x', 'garbage'])('is not who a call with the header %j is made as', async (Authorization) => {
    const headers = { ...evil, Authorization, Cookie: `a=1; _session_=ann; ${await tokenCookie()}` }
    await request(users, { method: 'POST', headers })
    expect([last().headers.cookie, last().headers.authorization]).toEqual(['a=1', Authorization])
  })

  it('is kept when the header that decided is marked as hop-by-hop', async () => {
    const { hostname, port } = new URL(publicUrl())
    const headers = { ...evil, Authorization: 'Bearer x', Cookie: '_session_=ann', Connection: 'close, Authorization' }
    const call = httpRequest({ hostname, port, path: users, method: 'POST', headers }).end()
    await once(call, 'response')
    expect([last().headers.cookie, last().headers.authorization]).toEqual([undefined, 'Bearer x'])
  })

  it.each(['', 'Basic YTpi', 'Negotiate x', 'Digest a="b"', 'NTLM x'])(
    'is protected although the browser adds the header %j',
    async (Authorization) => {
      const headers = { ...evil, Authorization, Cookie: '_session_=ann' }
      expect((await request(users, { method: 'POST', headers })).status).toBe(403)
      expect(requests).toEqual([])
    },
  )

  it.each(['/login?access_token=x', '/login/token?access_token=x', '/logout?access_token=x', '/link/a?access_token=x'])(
    'is neither signed in nor out from elsewhere: %s',
    async (path) => {
      expect((await request(path, { method: 'POST', headers: evil })).status).toBe(403)
      expect(requests).toEqual([])
    },
  )

  it.each(['cross-site', 'same-site'])('is asked before a page that is %s signs out', async (site) => {
    const response = await request('/logout', { headers: { 'Sec-Fetch-Site': site, Cookie: '_session_=ann' } })
    expect([await response.text(), response.headers.getSetCookie()]).toEqual([
      expect.stringContaining('Do you want to sign out?'),
      [],
    ])
  })

  it('is known by the cookie with an empty header, which is none', async () => {
    await request('/api/user', { headers: { Authorization: '', Cookie: await tokenCookie() } })
    expect(last().headers.authorization).toBe('Bearer of-ann')
  })
})

it('no call is read as another one by the server behind us', async () => {
  const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL']
  await request('/api/user', { headers: Object.fromEntries(names.map((name) => [name, 'DELETE'])) })
  for (const name of names) expect(last().headers).not.toHaveProperty(name.toLowerCase())
})

describe('client headers', () => {
  const said = {
    Forwarded: 'for=198.51.100.1;proto=https;host=evil.example',
    'X-Real-IP': '198.51.100.1',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Server': 'evil.example',
    'X-Forwarded-Prefix': '/x',
    'True-Client-IP': '198.51.100.1',
    'X-Client-IP': '198.51.100.1',
    'CF-Connecting-IP': '198.51.100.1',
  }
  const arrived = () => Object.keys(said).filter((name) => name.toLowerCase() in last().headers)

  it('ends here', async () => {
    await request('/api/user', { headers: said })
    expect(arrived()).toEqual([])
    expect(last().headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' })
  })

  it('are forwarded if a proxy in front of us is trusted to set them', async () => {
    await stand.startWith({ trustProxy: true })
    const headers = { ...said, 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' }
    await request('/api/user', { headers })
    expect(arrived()).toEqual(Object.keys(said))
    expect(last().headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
    })
  })
})

describe('where the public address is https', () => {
  beforeEach(() => stand.startWith({ publicUrl: 'https://ci.example.com' }))

  it('the session is in a cookie that no neighbour can set', async () => {
    const set = '_session_=s; Path=/drone; Domain=example.com; HttpOnly'
    stand.answer = (_request, response) => void response.writeHead(303, { Location: '/', 'Set-Cookie': set }).end()
    const response = await request('/login', { method: 'POST', headers: { Origin: 'https://ci.example.com' } })
    expect(response.headers.getSetCookie()).toContain('__Host-_session_=s; Path=/; Secure; HttpOnly')
    await request('/api/user', { headers: { Cookie: '_session_=of-a-neighbour; __Host-_session_=s; b=1' } })
    expect(last().headers.cookie).toBe('_session_=s; b=1')
  })

  it('so is the token', async () => {
    const body = new URLSearchParams({ token: 'of-ann' })
    const headers = { Origin: 'https://ci.example.com' }
    const [cookie = ''] = (await request('/login/token', { method: 'POST', body, headers })).headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-_flightdeck_=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const [pair = ''] = cookie.split(';')
    await request('/api/user', { headers: { Cookie: pair } })
    expect(last().headers.authorization).toBe('Bearer of-ann')
    await request('/api/user', { headers: { Cookie: pair.replace('__Host-', '') } })
    expect(last().headers.authorization).toBeUndefined()
  })

  it('browsers get HSTS', async () => {
    for (const path of ['/', '/api/user', '/healthz', '/logout']) {
      expect((await request(path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
    }
  })

  it('a page of the same name over http changes nothing', async () => {
    const headers = { Origin: 'http://ci.example.com', Host: 'ci.example.com' }
    expect((await request(users, { method: 'POST', headers })).status).toBe(403)
  })
})

describe('signing in', () => {
  it('by form ends a token that this browser held', async () => {
    const cookie = await tokenCookie()
    stand.answer = (_request, response) =>
      void response.writeHead(303, { Location: '/', 'Set-Cookie': '_session_=of-bob; Path=/; HttpOnly' }).end()
    const headers = { Origin: publicUrl(), Cookie: cookie }
    for (const call of [
      () => request('/login', { method: 'POST', headers }),
      // Back from the source-control system.
      () => request('/login?code=1&state=2', { headers }),
    ]) {
      const cookies = (await call()).headers.getSetCookie()
      expect(cookies).toContain('_session_=of-bob; Path=/; HttpOnly')
      expect(cookies).toContainEqual(expect.stringMatching(/^_flightdeck_=; Max-Age=0; Path=\//))
    }
  })

  it('that fails ends nothing', async () => {
    const headers = { Origin: publicUrl(), Cookie: await tokenCookie() }
    stand.answer = (_request, response) => void response.writeHead(303, { Location: '/login/error' }).end()
    expect((await request('/login', { method: 'POST', headers })).headers.getSetCookie()).toEqual([])
  })

  it('with a token ends the session', async () => {
    const headers = { Origin: publicUrl(), Cookie: '_session_=of-ann' }
    const body = new URLSearchParams({ token: 'of-bob' })
    const cookies = (await request('/login/token', { method: 'POST', body, headers })).headers.getSetCookie()
    expect(cookies).toContainEqual(expect.stringMatching(/^_session_=; Max-Age=0; Path=\//))
    // Where a browser still has both, they are one person's.
    await request('/api/user', { headers: { Cookie: `_session_=of-ann; ${await tokenCookie()}` } })
    expect([last().headers.authorization, last().headers.cookie]).toEqual(['Bearer of-ann', undefined])
  })
})
