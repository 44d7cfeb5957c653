/** Environments: their deployments, who can deploy, and the differences between them. */
import type { Comparison, Environment } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findBuildByNumber, updateBuild } from '../../store/builds.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Call, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let first: string
const base = '/api/repos/acme/web'
beforeEach(async () => {
  app = await createTestApp()
  first = app.bench.commit(pipelines({ default: '' }), 'First')
  await app.bench.push(first)
})
afterEach(() => app.close())

const deploy = (as: Person, target: string, { number = 1, how = 'promote' } = {}) =>
  app.answer(`${base}/builds/${number}/${how}?target=${encodeURIComponent(target)}`, { as, method: 'POST' })
const finish = async (number: number, status: 'success' | 'failure') => {
  const build = await findBuildByNumber(app.bench.db, app.bench.repo.id, number)
  if (build) await updateBuild(app.bench.db, { ...build, status })
}
const environment = async (name: string, as: Person = 'rae', query = ''): Promise<Environment> => {
  const [status, answer] = await app.answer(`${base}/environments/${encodeURIComponent(name)}${query}`, { as })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer as Environment
}
const protect = (name: string, json: unknown, more: Call = {}) =>
  app.answer(`${base}/environments/${encodeURIComponent(name)}`, { as: 'ann', method: 'PUT', json, ...more })
const stages = async (number: number) => (await app.bench.build(number)).stages.map(({ status }) => status)

it('return the current build of an environment, and its history page by page', async () => {
  await deploy('wes', 'eu/production')
  await finish(2, 'success')
  const second = app.bench.commit(pipelines({ default: '' }), 'Second')
  await app.bench.push(second)
  await deploy('ann', 'eu/production', { number: 3, how: 'rollback' })
  await finish(4, 'failure')
  await deploy('ann', 'staging')
  const known = await environment('eu/production')
  expect(known.items.map(({ number, event }) => [number, event])).toEqual([
    [4, 'rollback'],
    [2, 'promote'],
  ])
  expect(known.current).toMatchObject({ number: 2, after: first, actor: 'wes' })
  expect(known.head).toEqual({ branch: 'main', sha: second })
  expect(known.next).toBeUndefined()
  const [top, rest] = [
    await environment('eu/production', 'rae', '?per_page=1'),
    await environment('eu/production', 'rae', '?before=4'),
  ]
  expect([top.items.map(({ number }) => number), top.next]).toEqual([[4], 4])
  expect(rest.items.map(({ number }) => number)).toEqual([2])
  expect(await environment('nowhere')).toEqual({ name: 'nowhere', items: [], may_deploy: false })
})

it('compare commits: what one has that the other has not @system', async () => {
  const second = app.bench.source.commit({ 'engine.txt': 'on\n' }, 'Add an engine')
  const ask = async (from: string, to: string, as: Person = 'rae') =>
    app.answer(`${base}/compare?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`, { as })
  const [status, answer] = await ask(first, 'refs/heads/main')
  expect(status).toBe(200)
  expect(answer as Comparison).toMatchObject({
    from: first,
    to: second,
    commits: [{ sha: second, title: 'Add an engine' }],
    files: [{ path: 'engine.txt', change: 'added', hunks: [{ lines: ['+on'] }] }],
    total: 1,
  })
  const [, back] = await ask(second, first)
  expect(back).toMatchObject({ commits: [], without: 1, files: [{ path: 'engine.txt', change: 'deleted' }] })
  expect((await ask(first, first))[1]).toEqual({ from: first, to: first, commits: [], files: [], total: 0 })
  for (const bad of ['--output=x', 'refs/heads/none', 'HEAD', '', 'f'.repeat(40), `${first}^`])
    expect([bad, (await ask(first, bad))[0]]).toEqual([bad, 404])
  expect((await ask(first, second, 'otto'))[0]).toBe(404)
})

it('let only those deploy that the rule names, however they ask @system', async () => {
  expect((await environment('production', 'wes')).may_deploy).toBe(true)
  await deploy('wes', 'production')
  await finish(2, 'success')
  expect((await protect('production', { who: 'administrators' }, { as: 'wes' }))[0]).toBe(404)
  expect((await protect('production', { who: 'administrators' }))[0]).toBe(200)
  const refusal = [403, { message: 'Only repository administrators can deploy to production' }]
  expect(await deploy('wes', 'production')).toEqual(refusal)
  expect(await deploy('wes', 'production', { number: 2, how: 'rollback' })).toEqual(refusal)
  expect(await app.answer(`${base}/builds/2`, { as: 'wes', method: 'POST' })).toEqual(refusal)
  expect(await app.answer(`${base}/builds/2/again?stage=default`, { as: 'wes', method: 'POST' })).toEqual(refusal)
  expect((await deploy('wes', 'staging'))[0]).toBe(200)
  for (const as of ['ann', 'boss'] as const) expect([as, (await deploy(as, 'production'))[0]]).toEqual([as, 200])
  expect((await environment('production', 'wes')).may_deploy).toBe(false)
  expect((await environment('production', 'ann')).may_deploy).toBe(true)

  await protect('production', { who: 'people', people: 'WES, rae' })
  expect((await environment('production')).rule).toMatchObject({ who: 'people', people: ['WES', 'rae'] })
  expect((await deploy('wes', 'production'))[0]).toBe(200)
  expect(await deploy('ann', 'production')).toEqual([403, { message: 'Only WES and rae can deploy to production' }])
  expect((await deploy('rae', 'production'))[0]).toBe(404)
  expect(await app.answer(`${base}/environments`, { as: 'rae' })).toEqual([
    200,
    [{ name: 'production', who: 'people', people: ['WES', 'rae'], approval: false }],
  ])
  // A missing environment counts as removed: a 404 is for users without access to the repository.
  for (const status of [204, 204])
    expect((await app.answer(`${base}/environments/production`, { as: 'ann', method: 'DELETE' }))[0]).toBe(status)
  for (const as of ['rae', 'otto'] as const)
    expect((await app.answer(`${base}/environments/production`, { as, method: 'DELETE' }))[0]).toBe(404)
  expect((await deploy('ann', 'production'))[0]).toBe(200)
  const [, log] = await app.answer('/api/audit?kind=settings', { as: 'boss' })
  const text = JSON.stringify(log)
  for (const action of ['environment.protected', 'environment.unprotected']) expect(text).toContain(action)
})

it('name the people of a rule to members only, also in a public repository', async () => {
  await deploy('wes', 'production')
  await protect('production', { who: 'people', people: 'wes' })
  await app.changeRepo({ visibility: 'public' })
  const rule = { name: 'production', who: 'people', people: ['wes'], approval: false }
  for (const as of ['rae', 'boss'] as const) {
    expect(await app.answer(`${base}/environments`, { as })).toEqual([200, [rule]])
    expect((await environment('production', as)).rule).toEqual(rule)
  }
  expect((await app.answer(`${base}/environments`, { as: 'otto' }))[0]).toBe(404)
  expect((await app.answer(`${base}/environments`))[0]).toBe(401)
  expect(await environment('production', 'otto')).not.toHaveProperty('rule')
  expect(JSON.stringify(await app.answer(`${base}/environments/production`))).not.toContain('"rule"')
})

it('hold a deployment until a permitted person approves it @system', async () => {
  await protect('production', { who: 'administrators', approval: true })
  await deploy('ann', 'production')
  expect(await stages(2)).toEqual(['blocked'])
  const approve = (number: number, as: Person) =>
    app.answer(`${base}/builds/${number}/approve/1`, { as, method: 'POST' })
  expect(await approve(2, 'wes')).toEqual([
    403,
    { message: 'Only repository administrators can approve deployments to production' },
  ])
  expect((await approve(2, 'ann'))[0]).toBe(204)
  expect(await stages(2)).toEqual(['pending'])
  // An approval is for one deployment.
  await app.answer(`${base}/builds/2`, { as: 'ann', method: 'POST' })
  expect(await stages(3)).toEqual(['blocked'])
  // The protection of this environment does not affect another one.
  await deploy('wes', 'staging', { number: 3, how: 'rollback' })
  expect(await stages(4)).toEqual(['pending'])
})

it('hold a deployment that the forge requests if not all writers can deploy', async () => {
  const fromForge = (target: string) =>
    app.bench.push(first, { event: 'promote', deployTo: target, deployId: 7, sender: 'somebody' })
  await fromForge('production')
  expect(await stages(2)).toEqual(['pending'])
  await protect('production', { who: 'people', people: 'ann' })
  await fromForge('production')
  expect(await stages(3)).toEqual(['blocked'])
})

it('refuse rules that say nothing, and too many @system', async () => {
  const refused: [unknown, string][] = [
    [{ who: 'nobody' }, 'Invalid who: use writers, administrators, people'],
    [{ who: 'people', people: ' , ' }, 'Enter at least one login'],
    [
      { who: 'people', people: Array.from({ length: 101 }, (_, index) => `p${index}`).join(' ') },
      'At most 100 people can be listed',
    ],
  ]
  for (const [json, message] of refused) expect(await protect('production', json)).toEqual([400, { message }])
  expect((await protect('x'.repeat(251), {}))[0]).toBe(400)
  for (let index = 0; index < 100; index += 1) await protect(`env-${index}`, {})
  expect(await protect('one-more', {})).toMatchObject([400, { message: expect.stringContaining('the limit is 100') }])
  expect((await protect('env-7', { approval: true }))[0]).toBe(200)
})
