import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personOf, type Person } from './viewer-request.ts'
import type { Upstream } from './upstream.ts'
import { createWatch, type Watch } from './poller.ts'

const recent = '/api/user/builds/recent'
const path = '/api/repos/octocat/hello'
const hello = { id: 1, slug: 'octocat/hello' }
interface Made {
  id: number
  number: number
  status: string
  version: number
  updated: number
  stages?: { number: number; version: number; status: string }[]
}
let build: Made
/** Of the repositories that only one person sees: by token. */
let own: Record<string, unknown[]>
let status = 200
const calls: { target: string; headers: Record<string, string> }[] = []
const refused: Person[] = []

const upstream: Upstream = {
  origin: 'http://drone.example.com',
  send: () => expect.fail('it forwards nothing'),
  async get(target, headers = {}) {
    calls.push({ target, headers })
    const { stages: _, ...listed } = build
    const answers: Record<string, unknown> = {
      [recent]: own[headers.authorization ?? ''] ?? [{ ...hello, build: listed }],
      [`${path}/builds/3`]: build,
      [path]: hello,
    }
    const body = Readable.from([Buffer.from(JSON.stringify(answers[target]))])
    return Object.assign(body, { statusCode: status }) as unknown as IncomingMessage
  },
  close: () => {},
}
const bearer = (token: string) => personOf({ authorization: `Bearer ${token}` }) ?? expect.fail('a person')
const ann = personOf({ cookie: 'a=1; _session_=ann' }) ?? expect.fail('a person')
const asked = (target: string) => calls.filter((call) => call.target === target).length
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

let watch: Watch
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  build = { id: 7, number: 3, status: 'running', version: 1, updated: 0 }
  own = {}
  status = 200
  calls.length = 0
  refused.length = 0
  watch = createWatch(upstream, { onRefused: (person) => refused.push(person) })
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

interface Received extends Made {
  at: number
}
/** A person with an open stream, and the events that it got. */
function open(person: Person): Received[] {
  const received: Received[] = []
  watch.join(person, (json) => received.push({ ...(JSON.parse(json) as { build: Made }).build, at: Date.now() }))
  return received
}

describe('one person', () => {
  it('is polled every five seconds, with their credentials and no other browser headers', async () => {
    open(ann)
    await pass(600)
    expect(asked(recent)).toBeGreaterThanOrEqual(115)
    expect(asked(recent)).toBeLessThanOrEqual(121)
    expect(calls[0]?.headers).toEqual({ cookie: '_session_=ann' })
  })

  it('is updated at once after a forwarded call', async () => {
    const received = open(ann)
    watch.looked(ann, `${path}/builds/3`)
    await pass(62)
    const at = Date.now()
    build = { ...build, status: 'killed', version: 2 }
    watch.acted(`${path}/builds/3`, null)
    await pass(0.4)
    expect(received.at(-1)).toMatchObject({ status: 'killed', version: 2 })
    expect((received.at(-1)?.at ?? 0) - at).toBeLessThanOrEqual(400)
  })

  it('sees a stage that changes without its build, such as by an approval elsewhere', async () => {
    build = { ...build, stages: [{ number: 1, version: 1, status: 'blocked' }] }
    const received = open(ann)
    watch.looked(ann, `${path}/builds/3`)
    await pass(20)
    build = { ...build, stages: [{ number: 1, version: 2, status: 'pending' }] }
    await pass(6)
    expect(received.at(-1)?.stages).toEqual([{ number: 1, version: 2, status: 'pending' }])
    const before = received.length
    await pass(60)
    expect(received).toHaveLength(before)
  })

  it('sees the stages of a canceled build end, which Drone ends after the build', async () => {
    build = { ...build, stages: [{ number: 1, version: 2, status: 'running' }] }
    const received = open(ann)
    watch.looked(ann, `${path}/builds/3`)
    await pass(20)
    build = { ...build, status: 'killed', version: 2 }
    await pass(6)
    expect(received.at(-1)).toMatchObject({ status: 'killed', stages: [{ status: 'running' }] })
    build = { ...build, stages: [{ number: 1, version: 3, status: 'killed' }] }
    await pass(6)
    expect(received.at(-1)?.stages).toEqual([{ number: 1, version: 3, status: 'killed' }])
    const before = asked(`${path}/builds/3`)
    await pass(60)
    expect(asked(`${path}/builds/3`)).toBe(before)
  })

  it('stops polling a finished build after a minute, even if a stage of it never ends', async () => {
    build = { ...build, status: 'declined', stages: [{ number: 1, version: 2, status: 'blocked' }] }
    open(ann)
    watch.looked(ann, `${path}/builds/3`)
    await pass(70)
    const before = asked(`${path}/builds/3`)
    expect(before).toBeLessThanOrEqual(15)
    await pass(60)
    expect(asked(`${path}/builds/3`)).toBe(before)
  })

  it('has a build polled until it is done, with backoff while no page opens it again @system', async () => {
    open(ann)
    watch.looked(ann, `${path}/builds/3`)
    await pass(600)
    const quick = asked(`${path}/builds/3`)
    expect(quick).toBeGreaterThanOrEqual(100)
    await pass(7200)
    const before = asked(`${path}/builds/3`)
    await pass(600)
    expect(asked(`${path}/builds/3`) - before).toBeLessThanOrEqual(21)
    build = { ...build, status: 'success', version: 2 }
    await pass(60)
    const last = asked(`${path}/builds/3`)
    await pass(120)
    expect(asked(`${path}/builds/3`)).toBe(last)
  })

  it('is not polled without a stream, or after a refusal', async () => {
    watch.looked(ann, `${path}/builds/3`)
    await pass(50)
    expect(calls).toEqual([])
    const received = open(ann)
    await pass(10)
    status = 401
    await pass(120)
    expect(refused).toEqual([ann])
    const before = calls.length
    watch.acted(`${path}/builds/3`, ann)
    await pass(120)
    expect(calls.length).toBe(before)
    // A refused stream is not closed: the browser would reconnect immediately.
    open(bearer('bad'))
    await pass(10)
    expect(refused).toEqual([ann])
    expect(received).not.toEqual([])
  })

  it('does not get what the server sent already', async () => {
    const received = open(ann)
    await pass(6)
    build = { ...build, version: 2 }
    watch.noteEvent(ann, JSON.stringify({ ...hello, build }))
    watch.noteEvent(ann, 'eof')
    const before = received.length
    await pass(30)
    expect(received).toHaveLength(before)
  })
})

describe('a hundred readers of one repository', () => {
  it('cost no more than a question per second together, and all of them hear of a change within six', async () => {
    const people = Array.from({ length: 100 }, (_, number) => bearer(String(number)))
    const all = people.map((one) => open(one))
    await pass(60)
    const before = calls.length
    await pass(60)
    expect(calls.length - before).toBeLessThanOrEqual(60)
    expect(calls.length - before).toBeGreaterThanOrEqual(10)
    build = { ...build, status: 'killed', version: 2 }
    const at = Date.now()
    await pass(6)
    for (const received of all) expect(received.at(-1)).toMatchObject({ status: 'killed' })
    for (const received of all) expect((received.at(-1)?.at ?? Infinity) - at).toBeLessThanOrEqual(6000)
    // Each asks with their own credentials, and gets the answer to these.
    const since = calls.slice(before).filter(({ target }) => target === recent)
    expect(new Set(since.map(({ headers }) => headers.authorization)).size).toBe(100)
    await pass(60)
    for (const received of all) expect(received.filter(({ version }) => version === 2)).toHaveLength(1)
  })

  it('with one build open poll it once, in turn', async () => {
    const people = Array.from({ length: 100 }, (_, number) => bearer(String(number)))
    for (const one of people) {
      open(one)
      watch.looked(one, `${path}/builds/3`)
    }
    await pass(60)
    calls.length = 0
    await pass(100)
    expect(calls.length).toBeLessThanOrEqual(100)
    const ofBuild = calls.filter(({ target }) => target === `${path}/builds/3`)
    expect(ofBuild.length).toBeLessThanOrEqual(21)
    expect(new Set(ofBuild.map(({ headers }) => headers.authorization)).size).toBe(ofBuild.length)
  })
})

describe('people with different rights', () => {
  const secret = { id: 70, number: 1, status: 'running', version: 1, updated: 0 }

  it('get only their own answers, and a change polls only people who can see it', async () => {
    const ofEve = { id: 2, slug: 'eve/secret', build: secret }
    own['Bearer eve'] = [ofEve]
    const [toAnn, toEve] = [open(ann), open(bearer('eve'))]
    await pass(62)
    expect(toAnn.map(({ id }) => id)).toEqual([7])
    expect(toEve.map(({ id }) => id)).toEqual([70])
    own['Bearer eve'] = [{ ...ofEve, build: { ...secret, version: 2 } }]
    watch.acted('/api/repos/eve/secret/builds/1', bearer('eve'))
    const before = calls.filter(({ headers }) => headers.cookie).length
    await pass(0.3)
    expect(toEve.at(-1)?.version).toBe(2)
    expect(calls.filter(({ headers }) => headers.cookie).length).toBe(before)
    expect(toAnn.map(({ id }) => id)).toEqual([7])
  })

  it('with repositories that no other person has shown recently come first', async () => {
    for (let number = 0; number < 99; number += 1) open(bearer(String(number)))
    own['Bearer eve'] = [{ id: 2, slug: 'eve/secret', build: secret }]
    const toEve = open(bearer('eve'))
    await pass(60)
    own['Bearer eve'] = [{ id: 2, slug: 'eve/secret', build: { ...secret, status: 'killed', version: 2 } }]
    await pass(6)
    expect(toEve.at(-1)?.status).toBe('killed')
  })
})

it('a slow or dead server has no more than eight questions open', async () => {
  let waiting = 0
  let max = 0
  const hanging: Upstream = {
    ...upstream,
    async get() {
      waiting += 1
      max = Math.max(max, waiting)
      return new Promise<IncomingMessage>(() => {})
    },
  }
  watch.stop()
  watch = createWatch(hanging)
  for (let number = 0; number < 100; number += 1) open(bearer(String(number)))
  await pass(60)
  expect(max).toBe(8)
})
