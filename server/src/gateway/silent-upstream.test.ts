import { beforeEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { requests, request } = stand

/**
 * Events that Drone does not send: when a build is created or canceled, and for actions of others
 * until something runs.
 */
describe('what the server does not report', () => {
  const repo = { id: 1, slug: 'octocat/hello', namespace: 'octocat', name: 'hello' }
  const path = '/api/repos/octocat/hello'
  const now = () => Math.floor(Date.now() / 1000)
  let build = { id: 7, number: 3, status: 'running', version: 2, updated: 0 }
  let older = { id: 6, number: 2, status: 'success', version: 9, updated: 1 }
  const askedBy = (target: string) => requests.filter(({ url }) => url === target).map(({ headers }) => headers.cookie)

  beforeEach(() => {
    build = { id: 7, number: 3, status: 'running', version: 2, updated: now() }
    older = { id: 6, number: 2, status: 'success', version: 9, updated: 1 }
    stand.answer = (request, response) => {
      const { url, headers, method } = request
      if (url === '/api/stream') {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': ping\n\n')
        return
      }
      if (headers.cookie !== '_session_=ann') return void response.writeHead(401).end('{}')
      if (method === 'DELETE') build = { ...build, status: 'killed', version: build.version + 1 }
      const answers: Record<string, unknown> = {
        [path]: repo,
        [`${path}/builds/3`]: build,
        '/api/user/builds/recent': [build, older].map((one) => ({ ...repo, build: one })),
      }
      response.end(JSON.stringify(answers[url ?? ''] ?? null))
    }
  })

  async function open(cookie: string) {
    const gone = new AbortController()
    const response = await request('/api/stream', { headers: { Cookie: cookie }, signal: gone.signal })
    const events: { slug: string; build: typeof build }[] = []
    const reader = response.body?.getReader() ?? expect.fail('no body')
    const reading = async () => {
      for (let text = ''; ;) {
        const { value, done } = await reader.read()
        if (done) return
        text += new TextDecoder().decode(value)
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) if (frame.startsWith('data: ')) events.push(JSON.parse(frame.slice(6)))
      }
    }
    reading().catch(() => {})
    return { events, leave: () => gone.abort() }
  }
  const cookie = '_session_=ann'
  const statuses = (events: readonly { build: typeof build }[]) =>
    events.map(({ build: { number, status } }) => [number, status])

  it('a build that was cancelled elsewhere is sent to its open pages, with its repository', async () => {
    const { events } = await open(cookie)
    await expect.poll(() => statuses(events)).toEqual([[3, 'running']])
    build = { ...build, status: 'killed', version: 3 }
    await expect
      .poll(() => statuses(events))
      .toEqual([
        [3, 'running'],
        [3, 'killed'],
      ])
    expect(events.at(-1)).toMatchObject({ slug: 'octocat/hello', build: { id: 7, version: 3 } })
    // An old change is not news, and nothing is sent twice.
    await expect.poll(() => askedBy('/api/user/builds/recent').length).toBeGreaterThan(5)
    expect(statuses(events)).toHaveLength(2)
  })

  it('a forwarded call is followed by a poll', async () => {
    const { events } = await open(cookie)
    await request(`${path}/builds/3`, { method: 'DELETE', headers: { Cookie: cookie } })
    await expect.poll(() => statuses(events).at(-1)).toEqual([3, 'killed'])
  })

  it('people get only their own answers, and those who left are not polled', async () => {
    const ann = await open(cookie)
    const eve = await open('_session_=eve')
    await request(`${path}/builds/3`, { headers: { Cookie: cookie } })
    await expect.poll(() => statuses(ann.events)).toContainEqual([3, 'running'])
    build = { ...build, status: 'failure', version: 4 }
    await expect.poll(() => statuses(ann.events)).toContainEqual([3, 'failure'])
    expect(eve.events).toEqual([])
    expect(new Set(askedBy(`${path}/builds/3`))).toEqual(new Set([cookie]))
    ann.leave()
    await expect
      .poll(async () => {
        const before = askedBy('/api/user/builds/recent').length
        await new Promise((resolve) => void setTimeout(resolve, 300))
        return askedBy('/api/user/builds/recent').length - before
      })
      .toBe(0)
  })
})
