/**
 * The gateway and the server agree on where a body ends: no caller can put a request into another
 * caller's connection.
 */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request, at } = stand

/** What the server took for a question, and its body. */
let taken: [question: string, body: string][]
beforeEach(() => {
  taken = []
  stand.answer = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    taken.push([`${request.method} ${request.url}`, body])
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(request.url))
  }
})

async function send(method: string, path: string, headers: Record<string, string>, body: string) {
  const call = httpRequest(at(path), { method, headers })
  call.end(body)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
}

const smuggled = 'POST /api/repos/a/b/builds HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
const chunked = { 'Transfer-Encoding': 'chunked' }
const counted = { 'Content-Length': String(smuggled.length) }

describe('a body that looks like a request stays a body', () => {
  it.each([
    ['OPTIONS', chunked],
    ['DELETE', chunked],
    ['POST', chunked],
    ['DELETE', counted],
    ['OPTIONS', { ...counted, Connection: 'content-length' }],
  ])('%s %o', async (method, headers) => {
    await send(method, '/api/repos/a/b/x', headers, smuggled)
    // On the connection that was kept.
    expect(await (await request('/api/repos/a/b/next')).json()).toBe('/api/repos/a/b/next')
    expect(taken).toEqual([
      [`${method} /api/repos/a/b/x`, smuggled],
      ['GET /api/repos/a/b/next', ''],
    ])
  })
})

describe('a length without a body is not forwarded', () => {
  it.each([
    ['GET', counted],
    ['HEAD', counted],
    ['GET', chunked],
  ])('%s %o', async (method, headers) => {
    await send(method, '/api/repos/a/b/x', headers, smuggled)
    expect(await (await request('/api/repos/a/b/next')).json()).toBe('/api/repos/a/b/next')
    expect(taken.map(([question]) => question)).toEqual([`${method} /api/repos/a/b/x`, 'GET /api/repos/a/b/next'])
  })
})

it.each([
  ['POST', {}],
  ['POST', { 'Content-Length': '0' }],
  ['DELETE', {}],
])('%s %o has no body, and waits for none', async (method, headers) => {
  await send(method, '/api/repos/a/b/x', headers, '')
  expect(taken).toEqual([[`${method} /api/repos/a/b/x`, '']])
})
