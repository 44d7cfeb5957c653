import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { personOf } from './viewer-request.ts'
import { createStreams } from './streams.ts'
import { createUpstream } from './upstream.ts'
import { readEvents } from '../testing/event-reader.ts'
import { runBehindGateway } from '../testing/gateway-stand.ts'
import { createTestConnection } from '../testing/test-connection.ts'

const stand = runBehindGateway()
const { request, requests } = stand

/** The streams that were requested from the server, in order, with their credentials. */
let streams: { whose: string; response: ServerResponse }[]
let known: Set<string>
beforeEach(() => {
  streams = []
  known = new Set(['_session_=ann', '_session_=eve', 'Bearer ann'])
  stand.answer = ({ url, headers }, response) => {
    const whose = headers.authorization ?? headers.cookie ?? ''
    if (url === '/api/stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': ping\n\n')
      streams.push({ whose, response })
    } else if (!known.has(whose) && url !== '/api/user/builds/recent')
      response.writeHead(401).end('{"message":"Unauthorized"}')
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')
  }
})
/** For conditions that are met immediately on an idle machine. */
const polling = { timeout: 15_000 }
const ann = { Cookie: '_session_=ann' }
const eve = { Cookie: '_session_=eve' }
const streamOf = (index: number) => streams[index]?.response ?? expect.fail('no such stream')
const event = (id: number, more = '') => `{"id":1,"slug":"a/b","build":{"id":${id},"version":1,"message":"${more}"}}`

describe('an event stream', () => {
  it('of the server serves all windows of one person, and no other person', async () => {
    const first = await readEvents(request, ann)
    const second = await readEvents(request, { Cookie: 'theme=dark; _session_=ann' })
    const other = await readEvents(request, eve)
    expect(streams.map(({ whose }) => whose)).toEqual(['_session_=ann', '_session_=eve'])
    streamOf(0).write(`data: ${event(1)}\n\n`)
    streamOf(1).write(`data: ${event(2)}\n\n`)
    await expect
      .poll(() => [first.data, second.data, other.data], polling)
      .toEqual([[event(1)], [event(1)], [event(2)]])
  })

  it('belongs to the token if there is one, whatever the cookie', async () => {
    const both = await readEvents(request, { Authorization: 'Bearer ann', Cookie: '_session_=eve' })
    const byCookie = await readEvents(request, eve)
    streamOf(0).write(`data: ${event(1)}\n\n`)
    await expect.poll(() => both.data, polling).toEqual([event(1)])
    expect(streams.map(({ whose }) => whose)).toEqual(['Bearer ann', '_session_=eve'])
    expect(byCookie.data).toEqual([])
  })

  it('with a token in its address is not shared', async () => {
    await readEvents(request, ann)
    await readEvents(request, ann, '/api/stream?access_token=of-eve')
    expect(requests.filter(({ url }) => url?.startsWith('/api/stream')).map(({ url }) => url)).toEqual([
      '/api/stream',
      '/api/stream?access_token=of-eve',
    ])
  })

  it('is complete, however it is split: across chunks, and inside characters of several bytes', async () => {
    const reader = await readEvents(request, ann)
    const bytes = Buffer.from(`data: ${event(1, 'grün')}\n\ndata: ${event(2)}\n\n`)
    for (const byte of bytes) {
      streamOf(0).write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => reader.data, polling).toEqual([event(1, 'grün'), event(2)])
  })

  it('shows its pings to a page', async () => {
    const reader = await readEvents(request, ann)
    const pings = () => reader.text().split('event: ping\n').length - 1
    // One immediately, and the one with which the server starts.
    await expect.poll(pings, polling).toBe(2)
    streamOf(0).write(': ping\n\n')
    await expect.poll(pings, polling).toBe(3)
  })

  it('ends for all where the server ends it, and breaks where it breaks', async () => {
    const ends = await readEvents(request, ann)
    const breaks = await readEvents(request, eve)
    streamOf(0).end('event: error\ndata: eof\n\n')
    streamOf(1).socket?.destroy()
    await expect.poll(() => [ends.state(), breaks.state()], polling).toEqual(['ended', 'cut'])
    expect(ends.text()).toContain('event: error\ndata: eof\n\n')
    // And starts again.
    const again = await readEvents(request, ann)
    streamOf(2).write(`data: ${event(3)}\n\n`)
    await expect.poll(() => again.data, polling).toEqual([event(3)])
  })

  it('is left with its last reader', async () => {
    const first = await readEvents(request, ann)
    const second = await readEvents(request, ann)
    let ended = false
    streamOf(0).once('close', () => (ended = true))
    first.leave()
    streamOf(0).write(`data: ${event(1)}\n\n`)
    await expect.poll(() => second.data, polling).toEqual([event(1)])
    expect(ended).toBe(false)
    second.leave()
    await expect.poll(() => ended, polling).toBe(true)
  })

  it('of a reader that reads nothing is closed, and delays no other @system', async () => {
    const quick = await readEvents(request, ann)
    const slow = await request('/api/stream', { headers: ann })
    const megabyte = 'x'.repeat(1024 * 1024)
    // More than the system keeps for a connection.
    for (let written = 1; written <= 13; written += 1) {
      streamOf(0).write(`data: ${event(written, megabyte)}\n\n`)
      await expect.poll(() => quick.data.length, polling).toBe(written)
    }
    await expect(slow.arrayBuffer()).rejects.toThrow()
    expect(quick.state()).toBe('open')
  })

  it('breaks for a person whom the server does not know any more', async () => {
    const reader = await readEvents(request, ann)
    const other = await readEvents(request, eve)
    known.delete('_session_=ann')
    expect((await request('/api/user/repos', { headers: ann })).status).toBe(401)
    await expect.poll(() => reader.state(), polling).toBe('cut')
    expect(other.state()).toBe('open')
  })

  it('continues after a refusal of one request', async () => {
    const { answer } = stand
    const reader = await readEvents(request, ann)
    stand.answer = (request, response) => {
      if (request.url === '/api/secrets/acme') response.writeHead(401).end('{"message":"Forbidden"}')
      // It may be unwell, too.
      else if (request.url === '/api/user') response.writeHead(500).end('{}')
      else void answer(request, response)
    }
    await request('/api/secrets/acme', { headers: ann })
    await expect.poll(() => requests.filter(({ url }) => url === '/api/user').length, polling).toBe(1)
    streamOf(0).write(`data: ${event(1)}\n\n`)
    await expect.poll(() => reader.data, polling).toEqual([event(1)])
  })

  it('that the server refuses is refused as it does', async () => {
    stand.answer = (_request, response) => void response.writeHead(503).end('later')
    const response = await request('/api/stream', { headers: ann })
    expect([response.status, await response.text()]).toEqual([503, 'later'])
  })
})

const never = {
  reuseMs: 600_000,
  overlap: 600_000,
  ping: 600_000,
  silent: 600_000,
  onOpen: () => () => {},
  onEvent: () => {},
}

describe('a server that sends nothing', () => {
  const person = personOf({ cookie: ann.Cookie }) ?? expect.fail('a person')
  /** Separate streams for one reader. */
  async function reader(times: { ping?: number; silent?: number }) {
    const upstream = createUpstream(stand.origin())
    const hub = createStreams(upstream, { ...never, ...times })
    const connection = createTestConnection()
    const joined = (await hub.join(person)) ?? expect.fail('no stream')
    joined.attach(connection)
    return {
      text: connection.text,
      how: connection.how,
      end: () => {
        hub.stop()
        upstream.close()
      },
    }
  }

  it('does not make a page reconnect: it gets pings from us', async () => {
    const { text, how, end } = await reader({ ping: 10 })
    // More than that immediately, and that of the server.
    await expect.poll(() => text().split('event: ping\ndata: ping\n\n').length, polling).toBeGreaterThan(5)
    expect([streams.length, how()]).toEqual([1, 'open'])
    end()
  })

  it('is asked for another stream, which replaces that one', async () => {
    const { text, how, end } = await reader({ silent: 200 })
    await expect.poll(() => streams.length, polling).toBeGreaterThan(1)
    streams.at(-1)?.response.write(`data: ${event(1)}\n\n`)
    await expect.poll(text, polling).toContain(event(1))
    expect(how()).toBe('open')
    end()
  })

  it('and gives no other one has gone: its readers are cut', async () => {
    const { how, end } = await reader({ silent: 20 })
    stand.answer = (_request, response) => void response.writeHead(503).end('later')
    await expect.poll(how, polling).toBe('cut')
    end()
  })
})

describe('a stream that is older', () => {
  it('is restarted for a new reader, so that it gets what is new to it, and no reader misses an event', async () => {
    const upstream = createUpstream(stand.origin())
    const hub = createStreams(upstream, { ...never, reuseMs: 0 })
    const person = personOf({ cookie: ann.Cookie }) ?? expect.fail('a person')
    const first = await hub.join(person)
    const proof = hub.proof(person.key)
    const second = await hub.join(person)
    expect(streams).toHaveLength(2)
    expect(hub.proof(person.key)).not.toBe(proof)
    const readers = [first, second].map((joined) => {
      const connection = createTestConnection()
      joined?.attach(connection)
      return connection
    })
    const heard = (word: string) => readers.filter(({ text }) => text().includes(`data: ${word}\n\n`)).length
    // Events of the old stream still arrive; its end closes no reader.
    streamOf(0).write('data: former\n\n')
    await expect.poll(() => heard('former'), polling).toBe(2)
    streamOf(0).socket?.destroy()
    streamOf(1).write('data: present\n\n')
    await expect.poll(() => heard('present'), polling).toBe(2)
    expect(readers.map(({ how }) => how())).toEqual(['open', 'open'])
    hub.stop()
    upstream.close()
  })
})

describe('many readers of one person', () => {
  const person = personOf({ cookie: ann.Cookie }) ?? expect.fail('a person')
  async function join(count: number) {
    const upstream = createUpstream(stand.origin())
    const hub = createStreams(upstream, never)
    const all = Array.from({ length: count }, () => createTestConnection())
    for (const connection of all) (await hub.join(person))?.attach(connection)
    return {
      all,
      hub,
      end: () => {
        hub.stop()
        upstream.close()
      },
    }
  }

  it('are written the same bytes, in order, up to the end', async () => {
    const { all, end } = await join(500)
    for (let number = 1; number <= 20; number += 1) streamOf(0).write(`data: ${event(number)}\n\n`)
    streamOf(0).end()
    await expect.poll(() => all.filter(({ how }) => how() === 'ended').length, polling).toBe(500)
    const [first, ...others] = all
    expect(first?.text().match(/"build":\{"id":\d+/g)).toHaveLength(20)
    for (const other of others) expect(other.text()).toBe(first?.text())
    expect(others[0]?.frames.at(-1)).toBe(first?.frames.at(-1))
    end()
  })

  it('that leave before they are attached, or whose connection breaks meanwhile, are removed', async () => {
    const { hub, end } = await join(1)
    const [leaves, isCut] = [await hub.join(person), await hub.join(person)]
    leaves?.leave()
    const connection = createTestConnection()
    hub.putOut(person.key)
    isCut?.attach(connection)
    expect(connection.how()).toBe('cut')
    expect(hub.proof(person.key)).toBeNull()
    end()
  })
})
