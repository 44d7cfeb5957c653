import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personOf, type Person } from './viewer-request.ts'
import type { Upstream } from './upstream.ts'
import { createWatch, type Watch } from './poller.ts'

/** A server with many builds that reports none, as Drone does when one is created or cancelled. */
const recent = '/api/user/builds/recent'
const hello = { id: 1, slug: 'octocat/hello' }
const path = '/api/repos/octocat/hello'
interface Made {
  id: number
  number: number
  status: string
  version: number
  updated: number
}
let builds: Made[]
let others: Made[]
/** Without a permission row: what their recent builds lack. */
let without: Set<string>
let calls: string[]

const newestFirst = (list: Made[]) => list.toSorted((a, b) => b.id - a.id)
function answer(target: string, authorization = ''): unknown {
  const { pathname, searchParams } = new URL(target, 'http://drone')
  const own = without.has(authorization) ? [] : builds
  const withRepo = [
    ...own.map((build) => ({ ...hello, build })),
    ...others.map((build) => ({ id: 2, slug: 'octocat/other', build })),
  ]
  if (pathname === recent) return withRepo.toSorted((a, b) => b.build.id - a.build.id).slice(0, 25)
  if (pathname === '/api/user/repos') {
    const [mine] = newestFirst(own)
    const [other] = newestFirst(others)
    return [
      ...(mine ? [{ ...hello, build: mine }] : []),
      ...(other ? [{ id: 2, slug: 'octocat/other', build: other }] : []),
    ]
  }
  if (pathname === `${path}/builds` || pathname === `${path}/builds/branches`) {
    const size = Number(searchParams.get('per_page') ?? 25)
    return newestFirst(builds).slice(0, size)
  }
  const number = /^\/api\/repos\/octocat\/hello\/builds\/(\d+)$/.exec(pathname)?.[1]
  if (number !== undefined) return builds.find((build) => build.number === Number(number)) ?? null
  return pathname === path ? hello : { id: 2, slug: 'octocat/other' }
}
const upstream: Upstream = {
  origin: 'http://drone.example.com',
  send: () => expect.fail('it forwards nothing'),
  async get(target, headers = {}) {
    calls.push(target)
    const body = Readable.from([Buffer.from(JSON.stringify(answer(target, headers.authorization)))])
    return Object.assign(body, { statusCode: 200 }) as unknown as IncomingMessage
  },
  close: () => {},
}

let id = 0
const make = (status = 'pending', number = builds.length + 1): Made => {
  id += 1
  return { id, number, status, version: 1, updated: Math.floor(Date.now() / 1000) }
}
const change = (list: Made[], isIt: (build: Made) => boolean, status: string) =>
  list.map((one) =>
    isIt(one) ? { ...one, status, version: one.version + 1, updated: Math.floor(Date.now() / 1000) } : one,
  )
const person = (token: string) => personOf({ authorization: `Bearer ${token}` }) ?? expect.fail('a person')
const ann = person('ann')
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

let watch: Watch
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  id = 0
  builds = []
  others = []
  without = new Set()
  calls = []
  watch = createWatch(upstream)
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

/**
 * The page of a person that has read some addresses: the state of each build by slug and number.
 */
function page(who: Person, ...read: string[]): Map<string, string> {
  const shown = new Map<string, string>()
  for (const target of read) {
    const text = JSON.stringify(answer(target, who.headers.authorization))
    const passing = watch.reads(who, target)
    // In pieces, as it comes.
    for (let at = 0; at < text.length; at += 100) passing?.add(Buffer.from(text.slice(at, at + 100)))
    passing?.end()
    watch.looked(who, target)
    for (const one of JSON.parse(text) as (Made & { slug?: string; build?: Made })[]) {
      const build = one.build ?? one
      shown.set(`${one.slug ?? hello.slug} ${build.number}`, build.status)
    }
  }
  watch.join(who, (json) => {
    const { slug, build } = JSON.parse(json) as { slug: string; build: Made }
    shown.set(`${slug} ${build.number}`, build.status)
  })
  return shown
}
const of = (shown: Map<string, string>, status: string) => [...shown.values()].filter((one) => one === status).length

describe('a build with more newer ones than the recent builds hold', () => {
  beforeEach(() => {
    builds = [make('running', 1)]
    for (let number = 1; number <= 40; number += 1) others.push(make('success', number))
  })

  it.each(['/api/user/repos', `${path}/builds`, `${path}/builds/branches`])(
    'is followed until it ends where %s is on a screen',
    async (target) => {
      const shown = page(ann, target)
      await pass(60)
      builds = change(builds, () => true, 'killed')
      await pass(6)
      expect(shown.get('octocat/hello 1')).toBe('killed')
    },
  )

  it('is followed for days, at the same pace', async () => {
    const shown = page(ann, '/api/user/repos')
    await pass(7200)
    builds = change(builds, () => true, 'killed')
    await pass(6)
    expect(shown.get('octocat/hello 1')).toBe('killed')
    await pass(60)
    const before = calls.length
    await pass(60)
    expect(calls.slice(before).filter((target) => target !== recent)).toEqual([])
  })

  it('that another person cancels through us is reported within half a second', async () => {
    const shown = page(ann, '/api/user/repos')
    page(person('bob'), '/api/user/repos')
    await pass(62)
    builds = change(builds, () => true, 'killed')
    watch.acted(`${path}/builds/1`, person('bob'))
    await pass(0.5)
    expect(shown.get('octocat/hello 1')).toBe('killed')
  })

  it('is polled once for a hundred readers, who all receive its end', async () => {
    const all = Array.from({ length: 100 }, (_, number) => page(person(String(number)), '/api/user/repos'))
    await pass(60)
    const before = calls.length
    await pass(60)
    expect(calls.length - before).toBeLessThanOrEqual(61)
    builds = change(builds, () => true, 'killed')
    await pass(6)
    expect(all.map((shown) => shown.get('octocat/hello 1'))).toEqual(all.map(() => 'killed'))
  })
})

describe('forty builds at once', () => {
  it.each(['pending', 'success'])('%s are all told to an open list', async (status) => {
    builds = Array.from({ length: 30 }, (_, index) => make('success', index + 1))
    const shown = page(ann, `${path}/builds`)
    await pass(60)
    builds = [...builds, ...Array.from({ length: 40 }, (_, index) => make(status, index + 31))]
    await pass(6)
    expect(Array.from({ length: 40 }, (_, index) => shown.get(`octocat/hello ${index + 31}`))).toEqual(
      Array.from({ length: 40 }, () => status),
    )
  })

  it('that are cancelled are all reported, also those that no list contains any more', async () => {
    builds = Array.from({ length: 40 }, (_, index) => make('pending', index + 1))
    const shown = page(ann, `${path}/builds`)
    for (const build of builds) watch.noteEvent(ann, JSON.stringify({ ...hello, build }))
    for (const build of builds) shown.set(`octocat/hello ${build.number}`, build.status)
    await pass(60)
    builds = change(builds, () => true, 'killed')
    await pass(6)
    expect(of(shown, 'killed')).toBe(40)
    // Each list contains many builds: no request per build.
    const before = calls.length
    await pass(60)
    expect(calls.length - before).toBeLessThanOrEqual(13)
  })

  it('of as many repositories reach the list of repositories', async () => {
    for (let number = 1; number <= 30; number += 1) others.push(make('success', number))
    builds = [make('success', 1)]
    const shown = page(ann, '/api/user/repos')
    await pass(60)
    builds.push(make('pending', 2))
    for (let number = 31; number <= 70; number += 1) others.push(make('success', number))
    await pass(6)
    expect(shown.get('octocat/hello 2')).toBe('pending')
  })
})

describe('a reader without a permission row', () => {
  beforeEach(() => {
    without.add('Bearer root')
    builds = [make('success', 1)]
  })

  it('hears of new builds, and of their ends', async () => {
    const shown = page(person('root'), `${path}/builds`)
    await pass(60)
    builds.push(make('pending', 2))
    await pass(6)
    expect(shown.get('octocat/hello 2')).toBe('pending')
    builds = change(builds, ({ number }) => number === 2, 'killed')
    await pass(6)
    expect(shown.get('octocat/hello 2')).toBe('killed')
    const before = calls.length
    await pass(60)
    expect(calls.length - before).toBeLessThanOrEqual(61)
  })

  it.each(['/api/repos/octocat/hello/builds', '/hook'])('hears of what passes through at once: %s', async (call) => {
    const shown = page(person('root'), `${path}/builds`)
    await pass(62)
    builds.push(make('pending', 2))
    watch.acted(call, null, call === '/hook' ? ['octocat/hello'] : [])
    await pass(0.5)
    expect(shown.get('octocat/hello 2')).toBe('pending')
  })
})

describe('a webhook', () => {
  it.each([['octocat/hello'], ['octocat/unknown'], []])(
    'that names %s shows its build within half a second',
    async (...slugs) => {
      builds = [make('success', 1)]
      const all = Array.from({ length: 20 }, (_, number) =>
        page(person(String(number)), '/api/user/repos', `${path}/builds`),
      )
      for (let second = 0; second < 12; second += 1) {
        // At any moment between two questions.
        await pass(1.1)
        builds.push(make('pending', builds.length + 1))
        watch.acted('/hook', null, slugs)
        await pass(0.5)
        for (const shown of all) expect(shown.get(`octocat/hello ${builds.length}`)).toBe('pending')
      }
    },
  )
})
