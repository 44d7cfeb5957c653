import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateUser, findUserByLogin } from '../store/users.ts'
import { createTestApp, page, passwordOf, publicUrl, tokenOf, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ passwords: true })
})
afterAll(() => app.close())

const signIn = (username: string, password: string, headers = {}) =>
  app.request('/login', { method: 'POST', form: { username, password }, headers })
const target = async (response: Response | Promise<Response>) => {
  const { status, headers } = await response
  return [status, headers.get('location'), headers.get('set-cookie')]
}
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
const whoIs = async (headers: Record<string, string>) => {
  const [status, body] = await app.answer('/api/user', { headers })
  return status === 200 ? (body as { login: string }).login : status
}

describe('the form', () => {
  it('without fields redirects to the page with the form', async () => {
    expect(await target(app.request('/login'))).toEqual([303, '/login/form', null])
    expect(await target(app.request('/login', { method: 'POST', form: {} }))).toEqual([303, '/login/form', null])
    expect(await target(app.request('/login', { method: 'POST', form: { username: 'ann' } }))).toEqual([
      303,
      '/login/form',
      null,
    ])
  })

  it('starts a session with a cookie that no script can read', async () => {
    const response = await signIn('ann', passwordOf('ann'))
    const [status, location] = await target(response)
    expect([status, location]).toEqual([303, '/'])
    const [cookie, device] = response.headers.getSetCookie()
    expect(device).toMatch(/^_device_=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).toMatch(/^_session_=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(await whoIs({ Cookie: cookieOf(response) })).toBe('ann')
    expect(await findUserByLogin(app.bench.db, 'ann')).toMatchObject({ last_login: app.bench.clock.now })
  })

  it('knows logins in any case, and with space around them', async () => {
    expect((await target(signIn(' WES ', passwordOf('wes')))).slice(0, 2)).toEqual([303, '/'])
  })

  it.each([
    ['ann', 'nope'],
    ['nobody-there', 'nope'],
    ['ann', passwordOf('wes')],
    // The database driver truncates text at a NUL: such a name would have its own rate limit, so
    // guessing would not be slowed down.
    ['ann\0x', passwordOf('ann')],
  ])('refuses %s with %s', async (username, password) => {
    expect(await target(signIn(username, password))).toEqual([303, '/login/error?message=Unauthorized', null])
  })

  it('accepts no password in an address', async () => {
    const path = `/login?username=ann&password=${encodeURIComponent(passwordOf('ann'))}`
    expect(await target(app.request(path))).toEqual([303, '/login/form', null])
  })

  it('refuses machines and blocked accounts in words', async () => {
    const words = async (login: 'robot' | 'otto') => (await target(signIn(login, passwordOf(login))))[1]
    expect(await words('robot')).toBe('/login/error?message=Machine%20account%20login%20is%20forbidden')
    const otto = await findUserByLogin(app.bench.db, 'otto')
    await updateUser(app.bench.db, otto?.id ?? 0, { active: false })
    expect(await words('otto')).toBe('/login/error?message=Account%20is%20not%20active')
  })

  it('marks the cookie Secure where the address is https', async () => {
    const secure = await createTestApp({ passwords: true, publicUrl: 'https://ci.example.com' })
    const form = { username: 'ann', password: passwordOf('ann') }
    const response = await secure.request('/login', { method: 'POST', form })
    expect(response.headers.get('set-cookie')).toContain('; Secure')
    await secure.close()
  })
})

describe('a device that signed in before', () => {
  /** The devices that waited in their own queue. */
  const comers: (string | undefined)[] = []
  let line: TestApp
  beforeAll(async () => {
    const passwordLine = {
      runYielding: <T>({ device }: { device?: string | undefined }, work: () => Promise<T>) => {
        comers.push(device)
        return work()
      },
    }
    line = await createTestApp({ passwords: true, passwordLine })
  })
  afterAll(() => line.close())
  const enter = (username: 'ann' | 'wes', password: string, Cookie = '') =>
    line.request('/login', { method: 'POST', form: { username, password }, headers: { Cookie } })
  const deviceIn = (response: Response) =>
    response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('_device_='))
      ?.split(';')[0]

  it('has its own queue, for its own account, and gets its cookie once', async () => {
    const device = deviceIn(await enter('ann', passwordOf('ann'))) ?? expect.fail('no cookie')
    expect(deviceIn(await enter('ann', passwordOf('ann'), device))).toBeUndefined()
    await enter('wes', passwordOf('wes'), device)
    await enter('ann', passwordOf('ann'), device.replace('_device_=', '_device_=9'))
    await enter('ann', passwordOf('ann'), `${device}x`)
    await enter('ann', passwordOf('ann'), device.replace(/\.\d+\./, '.9999999999.'))
    expect(comers.map((one) => typeof one)).toEqual([
      'undefined',
      'string',
      ...Array.from({ length: 4 }, () => 'undefined'),
    ])
    // It is not a credential.
    expect((await line.answer('/api/user', { headers: { Cookie: device } }))[0]).toBe(401)
  })

  it('waits with the others after five wrong passwords, for a quarter of an hour', async () => {
    const device = deviceIn(await enter('ann', passwordOf('ann'))) ?? expect.fail('no cookie')
    comers.length = 0
    for (let guess = 0; guess < 6; guess += 1) await enter('ann', `guess ${guess}`, device)
    line.bench.clock.now += 15 * 60
    await enter('ann', 'guess', device)
    expect(comers.map((one) => one !== undefined)).toEqual([true, true, true, true, true, false, true])
  })
})

describe('where the address is https', () => {
  let secure: TestApp
  beforeAll(async () => {
    secure = await createTestApp({ passwords: true, publicUrl: 'https://ci.example.com' })
  })
  afterAll(() => secure.close())
  const enter = () =>
    secure.request('/login', { method: 'POST', form: { username: 'ann', password: passwordOf('ann') } })

  it('the session is in a cookie that no neighbour can set', async () => {
    const [set = ''] = (await enter()).headers.getSetCookie()
    expect(set).toMatch(/^__Host-_session_=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const [pair = ''] = set.split(';')
    const who = async (Cookie: string) => (await secure.answer('/api/user', { headers: { Cookie } }))[0]
    expect(await who(pair)).toBe(200)
    expect(await who(pair.replace('__Host-', ''))).toBe(401)
    expect(await who(`_session_=of-a-neighbour; ${pair}`)).toBe(200)
    const out = await secure.request('/logout', { method: 'POST', headers: { Cookie: pair } })
    expect(out.headers.getSetCookie()).toContain('__Host-_session_=deleted; Path=/; Max-Age=0; Secure')
    expect(await who(pair)).toBe(401)
  })

  it('browsers get HSTS', async () => {
    const hsts = async (from: TestApp) => (await from.request('/api/user')).headers.get('strict-transport-security')
    expect([await hsts(secure), await hsts(app)]).toEqual(['max-age=31536000', null])
    const here = await createTestApp({ publicUrl: 'https://localhost:8443' })
    expect(await hsts(here)).toBeNull()
    await here.close()
  })
})

describe('credentials', () => {
  it('tries only the first one that is present', async () => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    const token = tokenOf('rae')
    expect(await whoIs({ Authorization: `Bearer ${token}`, Cookie })).toBe('rae')
    expect(await whoIs({ Authorization: token })).toBe('rae')
    expect(await whoIs({ Authorization: 'Bearer wrong', Cookie })).toBe(401)
    expect(await whoIs({ Authorization: `bearer ${token}` })).toBe(401)
    expect(await whoIs({ Cookie: '_session_=AAAA' })).toBe(401)
    expect((await app.answer(`/api/user?access_token=${token}`))[1]).toMatchObject({ login: 'rae' })
    const form = { access_token: token }
    expect((await app.answer('/api/user/token', { method: 'POST', form }))[1]).toMatchObject({ login: 'rae', token })
  })

  it('lets a session end 30 days after its last use', async () => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    const start = app.bench.clock.now
    app.bench.clock.now = start + 29 * 86_400
    expect(await whoIs({ Cookie })).toBe('ann')
    app.bench.clock.now += 29 * 86_400
    expect(await whoIs({ Cookie })).toBe('ann')
    app.bench.clock.now += 31 * 86_400
    expect(await whoIs({ Cookie })).toBe(401)
    app.bench.clock.now = start
  })
})

describe('a credential that is empty', () => {
  const evil = { Origin: 'http://evil.example.com', 'Content-Type': 'application/x-www-form-urlencoded' }

  it('does not hide the session', async () => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    expect((await app.answer('/api/user?access_token=', { headers: { Cookie } }))[0]).toBe(200)
    expect(await whoIs({ Cookie, Authorization: '' })).toBe('ann')
  })

  it.each([
    ['/api/user/token?access_token=', '', 403],
    ['/api/user/token', 'access_token=', 403],
    // Here a bad token in the address is tried, and the body is ignored.
    ['/api/user/token?access_token=x', 'access_token=', 401],
    ['/api/user/token?access_token=&access_token=x', '', 403],
  ])('lets no page elsewhere use it: %s with "%s"', async (path, body, status) => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    const response = await app.request(path, { method: 'POST', headers: { Cookie, ...evil }, body })
    expect(response.status).toBe(status)
  })
})

describe('signing out', () => {
  it('has no slash at its end, or any', async () => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    expect((await app.request('/logout/', { headers: { Cookie } })).headers.get('set-cookie')).toMatch(
      /^_session_=deleted;/,
    )
    expect(await whoIs({ Cookie })).toBe(401)
    expect((await app.request('/login/')).headers.get('location')).toBe('/login/form')
    expect(await (await app.request('/version/')).json()).toHaveProperty('version')
    // Below the API it means something.
    expect((await app.answer('/api/user/builds/recent/', { as: 'ann' }))[0]).toBe(404)
  })

  it.each(['GET', 'POST'])('by %s ends the session on the server and answers with the page', async (method) => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    const response = await app.request('/logout', { method, headers: { Cookie } })
    expect([response.status, await response.text()]).toEqual([200, page])
    // recordings/http/login.json, to the letter (docs/api §3.2).
    expect(response.headers.getSetCookie()).toEqual(['_session_=deleted; Path=/; Max-Age=0'])
    expect(await whoIs({ Cookie })).toBe(401)
  })

  it.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Referer', 'http://elsewhere.example.com/a'],
  ])('asks first when a page elsewhere led here (%s: %s)', async (name, value) => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    const response = await app.request('/logout', { headers: { Cookie, [name]: value } })
    expect(await response.text()).toContain('<form method="post" action="/logout">')
    expect(await whoIs({ Cookie })).toBe('ann')
  })

  it.each([
    ['Sec-Fetch-Site', 'same-origin'],
    ['Sec-Fetch-Site', 'none'],
    ['Referer', `${publicUrl}/account`],
  ])('does not ask when it was one of ours or nobody (%s: %s)', async (name, value) => {
    const Cookie = cookieOf(await signIn('ann', passwordOf('ann')))
    await app.request('/logout', { headers: { Cookie, [name]: value } })
    expect(await whoIs({ Cookie })).toBe(401)
  })
})
