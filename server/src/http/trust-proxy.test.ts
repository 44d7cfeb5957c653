import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, passwordOf, type TestApp } from '../testing/test-app.ts'
import { addressOf, type AppEnv } from './context.ts'

describe('the address of a client', () => {
  const ask = async (trustProxy: boolean, forwarded?: string) => {
    const app = new Hono<AppEnv>().get('/', (c) => c.text(addressOf(c, { trustProxy })))
    const incoming = { socket: { remoteAddress: '10.0.0.1' } }
    const headers = forwarded === undefined ? undefined : { 'X-Forwarded-For': forwarded }
    return (await app.request('/', { ...(headers && { headers }) }, { incoming })).text()
  }

  it('is the socket’s, whatever the request claims', async () => {
    expect(await ask(false, '192.0.2.7')).toBe('10.0.0.1')
  })

  it('is what the trusted proxy wrote, not what was sent to it', async () => {
    expect(await ask(true, '192.0.2.7')).toBe('192.0.2.7')
    expect(await ask(true, '198.51.100.1, 192.0.2.7')).toBe('192.0.2.7')
    expect(await ask(true)).toBe('10.0.0.1')
    expect(await ask(true, ' ')).toBe('10.0.0.1')
  })
})

describe('the cookie', () => {
  const apps: TestApp[] = []
  beforeAll(async () => {
    apps.push(await createTestApp({ passwords: true, trustProxy: true }), await createTestApp({ passwords: true }))
  })
  afterAll(async () => {
    for (const app of apps) await app.close()
  })

  it.each([
    [0, 'https', true],
    [0, 'http, https', true],
    [0, 'http', false],
    [1, 'https', false],
  ])('of server %d behind %s is Secure: %s', async (index, proto, secure) => {
    const form = { username: 'ann', password: passwordOf('ann') }
    const headers = { 'X-Forwarded-Proto': proto }
    const response = await apps[index]?.request('/login', { method: 'POST', form, headers })
    expect(response?.headers.get('set-cookie')?.includes('Secure')).toBe(secure)
  })
})
