/** "We had this before", and whether a step is flaky or broken. */
import type { BuildHistory, Repo, Status } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { findRepoBySlug, updateRepo } from '../../store/repos.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const day = 86_400
const polled = { timeout: 10_000 }
const told = async (number: number, as: Person | null = 'wes', slug = 'acme/web'): Promise<BuildHistory> => {
  const [status, body] = await app.answer(`/api/repos/${slug}/builds/${number}/history`, as ? { as } : {})
  expect(status).toBe(200)
  return body as BuildHistory
}
const one = async (...given: Parameters<typeof told>) => (await told(...given)).steps[0]

let commits = 0
const commit = (): string => app.bench.commit(pipelines({ default: '' }), `change ${++commits}`)

/** One build of one step that says this; a failed one's line is known when this resolves. */
async function run(
  text: string | null,
  {
    sha = commit(),
    ref = 'refs/heads/main',
    params = {},
  }: { sha?: string; ref?: string; params?: Record<string, string> } = {},
): Promise<string> {
  const { bench } = app
  await bench.push(sha, { ref, params })
  await finish(text)
  return sha
}
async function finish(text: string | null): Promise<void> {
  const { bench } = app
  const status: Status = text === null ? 'success' : 'failure'
  const stage = await bench.take(['test'])
  const step = await bench.runStep(stage.steps[0] ?? expect.fail('no step'))
  await bench.ci.runners.appendLog(step.id, [{ pos: 0, out: `${text ?? 'fine'}\n`, time: 0 }])
  await bench.endStep(step, status)
  await bench.endStage({ ...stage, steps: [] }, status)
  if (text === null) return
  const isKnown = () =>
    bench.db.selectFrom('causes').select('cause_step_id').where('cause_step_id', '=', step.id).execute()
  await expect.poll(isKnown, polled).toHaveLength(1)
  bench.clock.now += day
}

/** Another repository of the same server, with a build that fails with the same line. */
async function elsewhere(name: string, visibility: Repo['visibility'], text: string): Promise<void> {
  const { bench } = app
  const source = testRepository(`${bench.dir}/repos/acme/${name}`)
  const sha = source.commit({ '.drone.yml': pipelines({ default: '' }) }, 'first')
  await bench.ci.sync(bench.user)
  const found = await findRepoBySlug(bench.db, `acme/${name}`)
  const enabled = await bench.ci.enable(found ?? expect.fail('no repository'), bench.user)
  await updateRepo(bench.db, { ...enabled, visibility })
  const main = { ref: 'refs/heads/main', source: 'main', target: 'main', before: '', after: sha, message: 'change' }
  await bench.ci.trigger(enabled.id, { event: 'push', trigger: '@hook', ...main })
  await finish(text)
}

const line = (seconds: number) => `AssertionError: users table is locked after ${seconds} ms`

it('counts builds with the same line, ignoring numbers, and names what ended it last', async () => {
  const began = app.bench.clock.now
  await run(line(12))
  await run('TypeError: cannot read the property of another thing')
  await run(line(19))
  const fixed = await run(null)
  await run(line(3))
  expect(await one(5)).toMatchObject({
    stage: 1,
    step: 1,
    seen: {
      times: 3,
      repos: 1,
      since: began,
      places: [
        { slug: 'acme/web', number: 3, stage: 1, step: 1 },
        { slug: 'acme/web', number: 1, stage: 1, step: 1 },
      ],
      ended: { slug: 'acme/web', number: 4, commit: fixed },
    },
  })
  // Later builds do not count for an earlier build, and a single occurrence is not "before".
  expect((await one(3))?.seen).toMatchObject({ times: 2 })
  expect((await one(3))?.seen).not.toHaveProperty('ended')
  expect((await one(2))?.seen).toBeUndefined()
  expect(await told(4)).toEqual({ steps: [] })
})

it('is not ended by a run of the same commit @system', async () => {
  const sha = await run(line(1))
  await run(null, { sha })
  await run(line(2))
  expect((await one(3))?.seen).toMatchObject({ times: 2 })
  expect((await one(3))?.seen).not.toHaveProperty('ended')
})

it('counts only repositories that the reader may see, and names no other @system', async () => {
  await elsewhere('secret', 'private', line(1))
  await elsewhere('house', 'internal', line(2))
  await elsewhere('open', 'public', line(3))
  await run(line(4))
  const slugs = async (as: Person | null) => {
    const seen = (await one(1, as))?.seen
    return [seen?.times, seen?.repos, ...(seen?.places.map(({ slug }) => slug) ?? [])]
  }
  expect(await slugs('boss')).toEqual([4, 4, 'acme/open', 'acme/house', 'acme/secret'])
  expect(await slugs('wes')).toEqual([3, 3, 'acme/open', 'acme/house'])
  const repo = await findRepoBySlug(app.bench.db, 'acme/web')
  await updateRepo(app.bench.db, { ...(repo ?? expect.fail('no repository')), visibility: 'public' })
  expect(await slugs(null)).toEqual([2, 2, 'acme/open'])
})

it('ignores lines with too little text @system', async () => {
  await run('panic: 1')
  await run('panic: 2')
  expect((await one(2))?.seen).toBeUndefined()
})

it('returns how many of the last runs failed, and on which commits the step also passed @system', async () => {
  const first = await run(line(1))
  expect((await one(1))?.runs).toBeUndefined()
  await run(null, { sha: first })
  await run(null)
  const second = await run(line(2), { ref: 'refs/heads/main' })
  await run(null, { sha: second })
  await run(line(3))
  expect((await one(6))?.runs).toEqual({
    count: 6,
    failed: 3,
    mixed: [
      { commit: second, failed: 4, passed: 5 },
      { commit: first, failed: 1, passed: 2 },
    ],
  })
})

it('does not take another set of parameters for the same @system', async () => {
  const sha = await run(line(1), { params: { DATABASE: 'old' } })
  await run(null, { sha, params: { DATABASE: 'new' } })
  await run(line(1), { params: { DATABASE: 'old' } })
  expect((await one(3))?.runs).toMatchObject({ count: 3, failed: 2, mixed: [] })
})

it('names the newest other build of the commit in which the step passed, with the same parameters in any order @system', async () => {
  const params = { DATABASE: 'old', LEVEL: '2' }
  const sha = await run(null, { params })
  await run(null, { sha, params: { ...params, DATABASE: 'new' } })
  await run(line(1), { sha, params: { LEVEL: '2', DATABASE: 'old' } })
  expect((await one(3))?.passed).toEqual({ build: 1, stage: 1, step: 1 })
  // A later one, on another branch.
  await run(null, { sha, params, ref: 'refs/heads/side' })
  expect((await one(3))?.passed).toMatchObject({ build: 4 })
  await run(line(1), { params })
  expect((await one(5))?.passed).toBeUndefined()
})

it('uses the default branch if the own one has too few runs @system', async () => {
  for (const text of [null, line(1), null, null]) await run(text)
  await run(line(2), { ref: 'refs/heads/side' })
  expect((await one(5))?.runs).toEqual({ branch: 'main', count: 4, failed: 1, mixed: [] })
})

it('needs read access', async () => {
  await run(line(1))
  expect((await app.answer('/api/repos/acme/web/builds/1/history', {}))[0]).toBe(401)
  expect((await app.answer('/api/repos/acme/web/builds/9/history', { as: 'wes' }))[0]).toBe(404)
})
