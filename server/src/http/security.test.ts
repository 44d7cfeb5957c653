import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import type { AppEnv } from './context.ts'
import {
  checkOrigin,
  contentSecurityPolicy,
  isOwnOrigin,
  isRewritten,
  setNoCacheHeaders,
  setSecurityHeaders,
} from './security.ts'

const publicUrl = 'https://ci.example.com'
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const scripts = (html: string) =>
  contentSecurityPolicy(html)
    .split('; ')
    .find((rule) => rule.startsWith('script-src'))

describe('the content security policy', () => {
  it('allows only pictures from other sites, and no framing of the page', () => {
    expect(contentSecurityPolicy('').split('; ')).toEqual([
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: https: http:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
  })
  it('allows exactly the style in the page, and no style attribute', () => {
    const policy = contentSecurityPolicy(
      '<style>p{color:red}\n</style><link rel="stylesheet" href="/a.css"><p style="x">',
    )
    expect(policy.split('; ')).toContain(`style-src 'self' ${hash('p{color:red}\n')}`)
  })
  it('allows exactly the scripts in the page', () => {
    const html =
      '<p>x</p><script>one()\n</script><script type="module" src="/a.js"></script><script data-x>two()</script>'
    expect(scripts(html)).toBe(`script-src 'self' ${hash('one()\n')} ${hash('two()')}`)
    // The `src=` of another tag, or in the script's own text, does not make it an external script.
    expect(scripts('<script>img.src="x"</script>')).toBe(`script-src 'self' ${hash('img.src="x"')}`)
    expect(scripts('<script></script>')).toBe(`script-src 'self' ${hash('')}`)
    for (const broken of ['<script', '<script>open()', '<script </script>', '<p>text</script>']) {
      expect(scripts(broken)).toBe("script-src 'self'")
    }
  })
})

it('sets headers that no page and no cache may go without', () => {
  const headers = new Headers()
  setSecurityHeaders(headers, 'the policy')
  expect(Object.fromEntries(headers)).toEqual({
    'content-security-policy': 'the policy',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  })
  // To the letter what the reference server sends (docs/api §0).
  const uncached = new Headers()
  setNoCacheHeaders(uncached)
  expect(Object.fromEntries(uncached)).toEqual({
    'cache-control': 'no-cache, no-store, must-revalidate, private, max-age=0',
    pragma: 'no-cache',
    expires: 'Thu, 01 Jan 1970 00:00:00 UTC',
    'x-accel-expires': '0',
  })
})

it.each([
  ['https://ci.example.com', true],
  // By another name, such as that of the machine, when it was called by that.
  ['http://box:8080', true],
  ['http://BOX:8080', true],
  ['http://box', false],
  ['http://box:8081', false],
  ['http://other:8080', false],
  ['null', false],
  ['', false],
  ['https://ci.example.com.evil.example', false],
])('%s is an origin of ours for a caller of box:8080: %s', (origin, own) => {
  expect(isOwnOrigin(origin, publicUrl, 'Box:8080')).toBe(own)
})
it('a page of its own name over http is none of its own', () => {
  expect(isOwnOrigin('http://ci.example.com', publicUrl, 'ci.example.com')).toBe(false)
  // Behind a proxy that terminates https without `--trust-proxy`.
  expect(isOwnOrigin('https://ci.example.com', 'http://127.0.0.1:8080', 'ci.example.com')).toBe(true)
})
it('finds its public address on its own', () => {
  expect(isOwnOrigin(publicUrl, publicUrl, undefined)).toBe(true)
  expect(isOwnOrigin('http://box', publicUrl, undefined)).toBe(false)
})

describe('an address', () => {
  const rewritten = async (sent: string | undefined) => {
    const app = new Hono<AppEnv>().all('*', (c) => c.text(String(isRewritten(c))))
    const env = sent === undefined ? undefined : { incoming: { url: sent } }
    return (await app.request('/x', {}, env)).text()
  }
  it.each([
    '/a/../b',
    '/a/%2e%2E/b',
    '/a/./b',
    '/a/.%2e',
    '/..',
    '/.',
    './a',
    '%2e',
    '/a/%2E/',
    '/a%00b',
    '/..?q',
    '/..#f',
  ])('%s is one that a parser would resolve, or that the database would cut', async (path) =>
    expect(await rewritten(path)).toBe('true'),
  )
  it.each([
    '/',
    '/a/b',
    '/a/...',
    '/a/..b',
    '/a../b',
    '/.hidden/b',
    '/a.b/c',
    '/a?x=/../y',
    '/a?x=%00',
    '/a#/../b',
    '/%2e%2e%2e',
  ])('%s is not', async (path) => expect(await rewritten(path)).toBe('false'))
  it('of a line break does not hide what follows', async () => {
    expect(await rewritten('/a?b\n/../c')).toBe('false')
    expect(await rewritten('/../c?b\n')).toBe('true')
  })
  it('is not known without a socket', async () => expect(await rewritten(undefined)).toBe('false'))
})

describe('a call that changes something', () => {
  const call = async (method: string, headers: Record<string, string>, path = '/api/user') => {
    const app = new Hono<AppEnv>()
    app.onError((error) => new Response(error.message, { status: error instanceof Refusal ? error.status : 500 }))
    app.all('*', (c) => {
      checkOrigin(c, publicUrl, ['https://friend.example.com'])
      return c.text('allowed')
    })
    const response = await app.request(`http://box:8080${path}`, { method, headers: { host: 'box:8080', ...headers } })
    return method === 'HEAD' ? String(response.status) : response.text()
  }
  const refused = 'Cross-origin request refused'
  const evil = 'https://evil.example.com'

  it.each([
    ['programs, which say nothing', {}],
    ['our page', { origin: publicUrl, 'sec-fetch-site': 'same-origin' }],
    ['our page by another name', { origin: 'http://box:8080' }],
    ['our page behind a proxy that hides where it is', { origin: publicUrl, 'sec-fetch-site': 'cross-site' }],
    ['a friend', { origin: 'https://friend.example.com', 'sec-fetch-site': 'cross-site' }],
    ['the bar of addresses', { 'sec-fetch-site': 'none' }],
    ['our page in a browser that tells only what it is referred by', { referer: `${publicUrl}/acme/web` }],
    ['our page by another name, told the same way', { referer: 'http://box:8080/acme/web' }],
    ['a friend, told the same way', { referer: 'https://friend.example.com/' }],
    ['a program whose referrer is no address', { referer: 'backup script' }],
    ['our page without an origin', { 'sec-fetch-site': 'same-origin' }],
  ])('may come from %s', async (_from, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await call(method, headers)).toBe('allowed')
  })
  it.each([
    ['elsewhere', { origin: evil }],
    ['a page without a name', { origin: 'null' }],
    ['elsewhere, without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['elsewhere, in a browser that tells only what it is referred by', { referer: `${evil}/page` }],
    ['a page that is no address, told the same way', { referer: 'data:text/html,x' }],
    ['elsewhere, whatever the browser says of the site', { origin: evil, 'sec-fetch-site': 'same-origin' }],
  ])('may not come from %s', async (_from, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await call(method, headers)).toBe(refused)
    for (const method of ['GET', 'OPTIONS']) expect(await call(method, headers)).toBe('allowed')
    expect(await call('HEAD', headers)).toBe('200')
  })
  it('may come from anywhere with a token, on the API', async () => {
    const token = { origin: evil, authorization: 'Bearer x' }
    expect(await call('POST', token)).toBe('allowed')
    expect(await call('POST', { origin: evil }, '/api/user?access_token=x')).toBe('allowed')
    // Elsewhere the cookie counts, and other credentials are ignored.
    expect(await call('POST', token, '/logout')).toBe(refused)
    expect(await call('POST', { origin: evil }, '/login?access_token=x')).toBe(refused)
    expect(await call('POST', token, '/x/api/')).toBe(refused)
    expect(await call('POST', { origin: evil }, '/api/user?token=x')).toBe(refused)
  })
  it('is refused from other sites, by the headers that browsers add', async () => {
    for (const authorization of ['Basic YTpi', 'negotiate x', 'Digest a="b"', 'NTLM x', '']) {
      expect(await call('POST', { origin: evil, authorization })).toBe(refused)
      expect(await call('POST', { origin: evil, authorization }, '/api/user?access_token=')).toBe(refused)
    }
  })
})
