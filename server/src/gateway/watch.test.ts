import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { personOf } from './ask.ts'
import type { Upstream } from './upstream.ts'
import { createWatch, type Watch } from './watch.ts'

const recent = '/api/user/builds/recent'
const path = '/api/repos/octocat/hello'
let build = { id: 7, number: 3, status: 'running', version: 1, updated: 0 }
let status = 200
const calls: { target: string; headers: Record<string, string> }[] = []
const upstream: Upstream = {
  origin: 'http://drone.example.com',
  send: () => expect.fail('it forwards nothing'),
  async get(target, headers = {}) {
    calls.push({ target, headers })
    const repo = { id: 1, slug: 'octocat/hello' }
    const answers: Record<string, unknown> = {
      [recent]: [{ ...repo, build }],
      [`${path}/builds/3`]: build,
      [path]: repo,
    }
    const body = Readable.from([Buffer.from(JSON.stringify(answers[target]))])
    return Object.assign(body, { statusCode: status }) as unknown as IncomingMessage
  },
  close: () => {},
}
const person = personOf({ cookie: 'a=1; _session_=ann' }) ?? expect.fail('a person')
const asked = (target: string) => calls.filter((call) => call.target === target).length
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

let watch: Watch
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  build = { id: 7, number: 3, status: 'running', version: 1, updated: 0 }
  status = 200
  calls.length = 0
  watch = createWatch(upstream)
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

it('asks every five seconds at first, and ever less often while nothing changes', async () => {
  watch.join(person, () => {})
  await pass(1)
  expect(asked(recent)).toBe(1)
  await pass(30)
  const quick = asked(recent)
  expect(quick).toBeGreaterThanOrEqual(3)
  await pass(570)
  // Half a minute apart in the end: twenty in ten minutes, and those of the beginning.
  expect(asked(recent) - quick).toBeLessThanOrEqual(21)
  expect(asked(recent) - quick).toBeGreaterThanOrEqual(18)
})

it('asks at once after a call that passed through, and every five seconds from then on', async () => {
  watch.join(person, () => {})
  watch.looked(person, `${path}/builds/3`)
  await pass(600)
  const before = [asked(recent), asked(`${path}/builds/3`)] as const
  watch.acted(`${path}/builds/3`)
  await pass(0.2)
  expect([asked(recent), asked(`${path}/builds/3`)]).toEqual(before.map((count) => count + 1))
  await pass(10)
  expect(asked(recent)).toBeGreaterThanOrEqual(before[0] + 2)
})

it('asks with the credentials of the person, and nothing else that the browser sent', async () => {
  watch.join(person, () => {})
  await pass(1)
  expect(calls[0]?.headers).toEqual({ cookie: '_session_=ann' })
})

it('looks after a build until it is done', async () => {
  const told: string[] = []
  watch.join(person, (json) => told.push(json))
  watch.looked(person, `${path}/builds/3`)
  await pass(6)
  build = { ...build, status: 'success', version: 2 }
  await pass(60)
  expect(told.map((json) => (JSON.parse(json) as { build: typeof build }).build.status)).toContain('success')
  const before = asked(`${path}/builds/3`)
  await pass(120)
  expect(asked(`${path}/builds/3`)).toBe(before)
})

it('asks nothing for somebody without a stream, and no more for who is not let in', async () => {
  watch.looked(person, `${path}/builds/3`)
  await pass(120)
  expect(calls).toEqual([])
  status = 401
  watch.join(person, () => {})
  await pass(120)
  expect(asked(recent)).toBe(1)
})

it('a hundred idle readers cost about a question per second', async () => {
  for (let number = 0; number < 100; number += 1) {
    const one = personOf({ authorization: `Bearer ${number}` }) ?? expect.fail('a person')
    watch.join(one, () => {})
  }
  await pass(900)
  const before = asked(recent)
  await pass(200)
  expect(asked(recent) - before).toBeLessThanOrEqual(220)
})
