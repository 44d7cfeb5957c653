import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createResponseCache } from './response-cache.ts'
import { personOf } from './viewer-request.ts'
import { createUpstream } from './upstream.ts'
import { readEvents } from '../testing/event-reader.ts'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request, requests } = stand

/** For conditions that are met immediately on an idle machine. */
const polling = { timeout: 15_000 }
const list = '/api/user/repos?latest=true'
const ann = { Cookie: '_session_=ann' }
const eve = { Cookie: '_session_=eve' }
const whoseOf = ({ headers }: IncomingMessage) => headers.authorization ?? headers.cookie ?? ''
const timesAsked = (target: string) => requests.filter(({ url }) => url === target).length
let streams: ServerResponse[]
/** The fields of the lists, in addition to their owner. */
let state: number
let held: (() => void)[] | null

beforeEach(() => {
  streams = []
  state = 1
  held = null
  stand.answer = (request, response) => {
    if (request.url === '/api/stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': ping\n\n')
      streams.push(response)
      return
    }
    const at = state
    const send = () =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(request.url === '/api/user/builds/recent' ? '[]' : JSON.stringify([{ whose: whoseOf(request), at }]))
    if (held && request.url === list) held.push(send)
    else send()
  }
})

const read = async (headers: Record<string, string>, path = list) =>
  (await (await request(path, { headers })).json()) as [{ whose: string; at: number }]
const listens = (headers: Record<string, string>) => readEvents(request, headers)

/** The answers alone, with the known streams. */
function answersAlone(proof: number | null = null) {
  const upstream = createUpstream(stand.origin())
  const answers = createResponseCache(upstream, { proof: () => proof })
  return { answers, end: () => upstream.close() }
}
const annAsks = personOf({ cookie: ann.Cookie }) ?? expect.fail('a person')

describe('equal questions', () => {
  it('of one person that wait at the same time are one', async () => {
    held = []
    const { answers, end } = answersAlone()
    const all = Array.from({ length: 16 }, () => answers.get(annAsks, list, new AbortController().signal))
    await expect.poll(() => held?.length, polling).toBe(1)
    held[0]?.()
    for (const body of await Promise.all(all)) expect(body?.plain?.toString()).toContain('_session_=ann')
    expect(timesAsked(list)).toBe(1)
    end()
  })

  it('of two people are two, and so are those of a cookie and of a token beside it', async () => {
    held = []
    const asking = [read(ann), read(eve), read({ ...ann, Authorization: 'Bearer eve' })]
    await expect.poll(() => held?.length, polling).toBe(3)
    for (const send of held) send()
    const whose = (await Promise.all(asking)).map(([one]) => one.whose)
    expect(whose).toEqual(['_session_=ann', '_session_=eve', 'Bearer eve'])
  })

  it.each([
    ['a token in the address', { ...ann }, `${list}&access_token=eve`],
    ['one in other letters', { ...ann }, `${list}&access%5Ftoken=eve`],
  ])('with %s are passed on as they are', async (_words, headers, path) => {
    await read(headers, path)
    await read(headers, path)
    expect(requests.map(({ url }) => url)).toEqual([path, path])
  })

  it('differ only by the credentials that the server gets', async () => {
    await listens(ann)
    // A server that reads headers differently could take each of these for another person.
    const tricks = [
      { Cookie: 'x_session_=eve; _session_=ann' },
      { Cookie: '_session_=ann; _session_=eve' },
      { ...ann, 'X-Forwarded-User': 'eve', Host: 'eve.example' },
      { ...ann, 'X-Original-URL': '/api/user/repos?latest=true&access_token=eve' },
    ]
    for (const headers of tricks) expect(await read(headers)).toEqual([{ whose: '_session_=ann', at: 1 }])
    expect(await read({ Cookie: '_session_=eve; _session_=ann' })).toEqual([{ whose: '_session_=eve', at: 1 }])
  })

  it('end at the server when all clients have left', async () => {
    held = []
    let ended = false
    const { answer } = stand
    stand.answer = (request, response) => {
      if (request.url === list) response.once('close', () => (ended = true))
      return answer(request, response)
    }
    const { answers, end } = answersAlone()
    const askTwice = () => {
      const gone = [new AbortController(), new AbortController()]
      const asking = gone.map(({ signal }) => answers.get(annAsks, list, signal).catch(() => 'given up'))
      return { asking, leave: (number: number) => gone[number]?.abort() }
    }
    const stays = askTwice()
    await expect.poll(() => held?.length, polling).toBe(1)
    stays.leave(0)
    held.shift()?.()
    expect(await stays.asking[1]).toMatchObject({ type: 'application/json' })
    ended = false
    const leaves = askTwice()
    await expect.poll(() => held?.length, polling).toBe(1)
    leaves.leave(0)
    leaves.leave(1)
    await expect.poll(() => ended, polling).toBe(true)
    expect(await Promise.all(leaves.asking)).toEqual(['given up', 'given up'])
    end()
  })
})

describe('an answer', () => {
  it('is used again while the stream of that person is silent', async () => {
    await listens(ann)
    await read(ann)
    state = 2
    expect(await read(ann)).toEqual([{ whose: '_session_=ann', at: 1 }])
    expect(timesAsked(list)).toBe(1)
    expect(await read(eve)).toEqual([{ whose: '_session_=eve', at: 2 }])
  })

  it('is not without a stream', async () => {
    await read(ann)
    state = 2
    expect((await read(ann))[0].at).toBe(2)
  })

  it('is not that was asked for before the stream stood', async () => {
    held = []
    const early = read(ann)
    await expect.poll(() => held?.length, polling).toBe(1)
    await listens(ann)
    held[0]?.()
    await early
    held = null
    state = 2
    expect((await read(ann))[0].at).toBe(2)
  })

  it('is not cached after an event, or after a broken stream', async () => {
    const reader = await listens(ann)
    await read(ann)
    state = 2
    streams[0]?.write('data: {"id":1,"slug":"a/b","build":{"id":1,"version":1}}\n\n')
    await expect.poll(() => reader.data.length, polling).toBe(1)
    expect((await read(ann))[0].at).toBe(2)
    state = 3
    streams[0]?.socket?.destroy()
    await expect.poll(() => reader.state(), polling).toBe('cut')
    await listens(ann)
    expect((await read(ann))[0].at).toBe(3)
  })

  it('is not cached after any write, or after one that ran meanwhile', async () => {
    await listens(ann)
    await read(ann)
    state = 2
    await request('/api/repos/a/b', { method: 'PATCH', headers: eve, body: '{}' })
    expect((await read(ann))[0].at).toBe(2)
    held = []
    state = 3
    await request('/hook', { method: 'POST', body: '{}' })
    const asking = read(ann)
    await expect.poll(() => held?.length, polling).toBe(1)
    state = 4
    await request('/api/repos/a/b', { method: 'POST', headers: eve })
    const later = read(ann)
    await expect.poll(() => held?.length, polling).toBe(2)
    for (const send of held) send()
    expect([(await asking)[0].at, (await later)[0].at]).toEqual([3, 4])
  })

  it('is while runners wait for work and send their lines, and is not after what they report', async () => {
    await listens(ann)
    await read(ann)
    state = 2
    for (const path of ['ping', 'stage', 'build/7/watch', 'step/501/logs/batch']) {
      await request(`/rpc/v2/${path}`, { method: 'POST', body: 'null' })
    }
    expect((await read(ann))[0].at).toBe(1)
    await request('/rpc/v2/stage/140', { method: 'PUT', body: '{}' })
    expect((await read(ann))[0].at).toBe(2)
    state = 3
    await request('/rpc/v2/stage/140?machine=runner-1', { method: 'POST' })
    expect((await read(ann))[0].at).toBe(3)
  })

  it('is not cached after a 401', async () => {
    await listens(ann)
    await read(ann)
    const { answer } = stand
    stand.answer = (request, response) =>
      request.url === '/api/repos/a/b' ? void response.writeHead(401).end('{}') : answer(request, response)
    state = 2
    expect((await request('/api/repos/a/b', { headers: ann })).status).toBe(401)
    expect((await read(ann))[0].at).toBe(2)
  })

  it('is not cached when the account changes, as after a sync', async () => {
    await listens(ann)
    await read(ann, '/api/user')
    await read(ann)
    state = 2
    await read(ann, '/api/user')
    expect((await read(ann))[0].at).toBe(2)
  })

  it('is used for two seconds, and five after a question that took long', async () => {
    const { answers, end } = answersAlone(1)
    const readAlone = async () => {
      const body = await answers.get(annAsks, list, new AbortController().signal)
      return (JSON.parse(body?.plain?.toString() ?? '') as [{ at: number }])[0].at
    }
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
    const later = (ms: number) => vi.advanceTimersByTime(ms)
    try {
      await readAlone()
      state = 2
      later(1990)
      expect(await readAlone()).toBe(1)
      later(20)
      expect(await readAlone()).toBe(2)
      held = []
      later(10_000)
      const slow = readAlone()
      await expect.poll(() => held?.length, polling).toBe(1)
      later(4_500)
      held[0]?.()
      expect(await slow).toBe(2)
      held = null
      state = 3
      expect(await readAlone()).toBe(2)
      later(510)
      expect(await readAlone()).toBe(3)
    } finally {
      vi.useRealTimers()
      end()
    }
  })

  it('of many people has a memory limit: the oldest are evicted first', async () => {
    const upstream = createUpstream(stand.origin())
    const answers = createResponseCache(upstream, {
      proof: () => 1,
      maxBytes: 100_000,
      maxAgesMs: { response: 60_000, request: 60_000 },
    })
    const get = (number: number) => {
      const person = personOf({ authorization: `Bearer ${number}` }) ?? expect.fail('a person')
      return answers.get(person, list, new AbortController().signal)
    }
    for (let number = 0; number < 250; number += 1) await get(number)
    const before = timesAsked(list)
    await get(249)
    await get(150)
    expect(timesAsked(list)).toBe(before)
    await get(0)
    await get(20)
    expect(timesAsked(list)).toBe(before + 2)
    upstream.close()
  })

  it('is of one address only, and of what is known to be safe', async () => {
    await listens(ann)
    for (const path of [
      '/api/user',
      '/api/repos/a/b',
      '/api/repos/a/b/builds',
      '/api/repos/a/b/secrets',
      '/api/queue',
    ]) {
      await read(ann, path)
      await read(ann, path)
      expect(timesAsked(path)).toBe(2)
    }
    await read(ann, '/api/user/repos')
    await read(ann)
    expect(timesAsked(list)).toBe(1)
  })

  it.each([
    ['breaks off', (response: ServerResponse) => response.socket?.destroy(), 502],
    ['ends too early without a sign', (response: ServerResponse) => response.end(), 200],
  ])('that %s is never used again', async (_words, finish, status) => {
    await listens(ann)
    const { answer } = stand
    stand.answer = (request, response) => {
      if (request.url !== list) return answer(request, response)
      response.writeHead(200, { 'Content-Type': 'application/json' }).write(`[${'{"id":1},'.repeat(100_000)}`, () => {
        finish(response)
      })
    }
    expect((await request(list, { headers: ann })).status).toBe(status)
    stand.answer = answer
    expect(await read(ann)).toEqual([{ whose: '_session_=ann', at: 1 }])
  })

  it('that is refused is as the server gives it, each time', async () => {
    await listens(ann)
    const { answer } = stand
    stand.answer = (request, response) =>
      request.url === list
        ? void response.writeHead(500, { 'Content-Type': 'application/json', 'X-Why': 'x' }).end('{"message":"no"}')
        : answer(request, response)
    for (let time = 0; time < 2; time += 1) {
      const response = await request(list, { headers: ann })
      expect([response.status, response.headers.get('x-why'), await response.text()]).toEqual([
        500,
        'x',
        '{"message":"no"}',
      ])
    }
    stand.answer = answer
    expect((await read(ann))[0].at).toBe(1)
  })

  it('is read completely for ranges, HEAD and conditional requests', async () => {
    await listens(ann)
    const partly = await request(list, {
      headers: { ...ann, Range: 'bytes=0-3', 'If-Modified-Since': new Date().toUTCString() },
    })
    expect([partly.status, await partly.json()]).toEqual([200, [{ whose: '_session_=ann', at: 1 }]])
    const last = () => requests.findLast(({ url }) => url === list)
    expect(last()?.headers.range).toBeUndefined()
    await request(list, { method: 'HEAD', headers: ann })
    expect(last()?.method).toBe('HEAD')
  })
})

describe('what has not changed', () => {
  it('is not sent again to clients that have it', async () => {
    const first = await request(list, { headers: ann })
    const etag = first.headers.get('etag') ?? expect.fail('no tag')
    expect(first.headers.get('vary')).toContain('Cookie')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    for (const tag of [etag, etag.replace('W/', ''), `"x", ${etag}`]) {
      const again = await request(list, { headers: { ...ann, 'If-None-Match': tag } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    const other = await request(list, { headers: { ...eve, 'If-None-Match': etag } })
    expect([other.status, await other.json()]).toEqual([200, [{ whose: '_session_=eve', at: 1 }]])
    state = 2
    expect((await request(list, { headers: { ...ann, 'If-None-Match': etag } })).status).toBe(200)
  })
})

describe('a large answer', () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, slug: `octocat/repo-${id}` })))
  const raw = (headers: Record<string, string>) =>
    new Promise<{ headers: IncomingMessage['headers']; bytes: Buffer }>((resolve) => {
      httpRequest(stand.at(list), { headers: { ...ann, ...headers } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
      }).end()
    })

  beforeEach(() => {
    const { answer } = stand
    stand.answer = (request, response) =>
      request.url === list
        ? void response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
        : answer(request, response)
  })

  it('is compressed once, and decompressed for clients without compression @system', async () => {
    await listens(ann)
    const packed = await raw({ 'Accept-Encoding': 'br, gzip;q=0.5' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(packed.bytes.length) })
    expect(gunzipSync(packed.bytes).toString()).toBe(text)
    expect(packed.bytes.length).toBeLessThan(text.length / 4)
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const plain = await raw({ 'Accept-Encoding': encoding })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.bytes.toString()).toBe(text)
      expect(plain.headers.etag).toBe(packed.headers.etag)
    }
    expect(timesAsked(list)).toBe(1)
  })
})
