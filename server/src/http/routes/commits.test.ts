/** A commit and its builds, as our own page asks for them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit } from '@flightdeck/api'
import { findEndpoint } from '@flightdeck/api/schema'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const base = '/api/repos/acme/web/commits'
const get = (path: string, as?: Person) => app.answer(`${base}/${path}`, as && { as })
const answered = async (sha: string): Promise<Commit> => {
  const [status, body] = await get(sha, 'rae')
  expect([status, body]).toEqual([200, expect.anything()])
  const fits = findEndpoint('GET', `${base}/${sha}`)?.answer?.safeParse(body)
  expect(fits?.error).toBeUndefined()
  return body as Commit
}

it('returns message, author, parents and changes; accepts a short sha', async () => {
  const { source } = app.bench
  const first = source.commit({ 'kept.txt': 'one\n' }, 'Begin')
  const sha = source.commit({ 'kept.txt': 'two\n' }, 'Change things\n\nBecause of <reasons>.')
  const commit = await answered(sha)
  expect(commit).toMatchObject({
    sha,
    parents: [first],
    message: 'Change things\n\nBecause of <reasons>.',
    author: { name: 'Ada', email: 'ada@example.com' },
    total: 1,
    files: [{ path: 'kept.txt', added: 1, deleted: 1, hunks: [{ lines: ['-one', '+two'] }] }],
  })
  expect(await answered(sha.slice(0, 8))).toEqual(commit)
})

it('needs read access to builds, and answers the same for hidden and missing ones', async () => {
  const sha = app.bench.source.git('rev-parse', 'HEAD')
  for (const path of [sha, `${sha}/builds`]) {
    const builds = await app.answer('/api/repos/acme/web/builds', { as: 'otto' })
    expect(await get(path, 'otto')).toEqual([404, { message: 'Not Found' }])
    expect(builds[0]).toBe(404)
    expect(await get(path)).toEqual([401, { message: 'Unauthorized' }])
    expect(await app.answer(`/api/repos/acme/none/commits/${path}`)).toEqual([401, { message: 'Unauthorized' }])
    expect((await get(path, 'rae'))[0]).toBe(200)
    await app.changeRepo({ visibility: 'public' })
    expect((await get(path))[0]).toBe(200)
    await app.changeRepo({ visibility: 'private' })
  }
})

it.each(['abc', '0'.repeat(40), '--output=x', 'HEAD^', '%2e%2e%2f', 'a%00b', '%ff', 'main', 'refs%2fheads%2fmain'])(
  'knows no commit %s',
  async (sha) => {
    expect((await get(sha, 'rae'))[0]).toBe(404)
  },
)

it('returns the builds of the commit, the newest first, and no others @system', async () => {
  const { source } = app.bench
  const one = source.commit({ a: '1' }, 'One')
  const other = source.commit({ a: '2' }, 'Two')
  for (const sha of [one, other, one]) await app.bench.push(sha)
  const [status, builds] = await get(`${one}/builds`, 'rae')
  expect(status).toBe(200)
  const list = builds as { number: number; after: string }[]
  expect(list.map(({ after }) => after)).toEqual([one, one])
  expect(list.map(({ number }) => number)).toEqual(list.map(({ number }) => number).toSorted((a, b) => b - a))
})

it.each([
  // What a commit object may hold; git reads some of it as another time, or as none.
  '292277026596 +0000',
  '9223372036854775807 +0000',
  '99999999999999999999999999 +0000',
  '-1 +0000',
  '253402300800 +0000',
  'x',
])('answers a commit of the time %s', async (time) => {
  const { source } = app.bench
  source.commit({ time }, 'A tree')
  const tree = source.git('rev-parse', 'HEAD^{tree}').trim()
  const text = `tree ${tree}\nauthor A <a@x> ${time}\ncommitter A <a@x> ${time}\n\nAbsurd ${time}\n`
  const file = join(app.bench.dir, 'commit')
  writeFileSync(file, text)
  const commit = await answered(source.git('hash-object', '-w', '-t', 'commit', '--literally', file).trim())
  expect(commit.message).toBe(`Absurd ${time}`)
  expect(app.failures).toEqual([])
})

it('limits git processes: with too many waiting, a request gets a Retry-After @system', async () => {
  const sha = (n: number) => n.toString(16).padStart(40, 'a')
  const ask = (one: string) => app.request(`${base}/${one}`, { as: 'rae' })
  const all = await Promise.all(Array.from({ length: 80 }, (_, n) => ask(sha(n))))
  const refused = all.filter(({ status }) => status === 503)
  expect(all.map(({ status }) => status).filter((status) => status !== 404 && status !== 503)).toEqual([])
  // Two at work, and forty places.
  expect(refused.length).toBe(80 - 42)
  for (const { headers } of refused) expect(headers.get('retry-after')).toBe('2')
  // Many requests for the same page share one result.
  const one = app.bench.source.commit({ shared: '1' }, 'Shared')
  const same = await Promise.all(Array.from({ length: 150 }, () => ask(one)))
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
  expect(app.failures).toEqual([])
})
