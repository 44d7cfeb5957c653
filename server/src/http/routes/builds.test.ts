import { renameSync } from 'node:fs'
import type { Build } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Call, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let sha: string
beforeAll(async () => {
  app = await createTestApp()
  sha = app.bench.commit(pipelines({ first: '', second: 'depends_on: [first]' }))
})
afterAll(() => app.close())

const at = (rest: string, call: Call = {}) => app.answer(`/api/repos/acme/web/builds${rest}`, { as: 'wes', ...call })
const post = (rest: string, call: Call = {}) => at(rest, { method: 'POST', ...call })
const noRows = [404, { message: 'sql: no rows in result set' }]
const notNumber = (parser: string) => [400, { message: `strconv.${parser}: parsing "x": invalid syntax` }]

describe('starting', () => {
  it('takes branch, commit and message; every other key of the query is a parameter', async () => {
    const [status, build] = await post('?branch=main&who=me&who=you&message=hello&action=nightly&access_token=x')
    expect(status).toBe(200)
    expect(build).toMatchObject({
      number: 1,
      event: 'custom',
      status: 'pending',
      trigger: 'wes',
      action: 'nightly',
      message: 'hello',
      after: sha,
      params: { who: 'me', message: 'hello', action: 'nightly' },
    })
    expect(build).not.toHaveProperty('stages')
    expect(await post(`?commit=${sha.slice(0, 8)}`)).toMatchObject([200, { number: 2, after: sha }])
    expect(await post('', { form: { branch: 'main', who: 'x' } })).toMatchObject([
      200,
      { number: 3, ref: 'refs/heads/main' },
    ])
    expect(await post('?branch=nowhere')).toMatchObject([404, {}])
  })

  it('says why git cannot read the repository', async () => {
    const { path } = app.bench.source
    renameSync(path, `${path}-away`)
    const [status, answer] = await post('')
    renameSync(`${path}-away`, path)
    expect([status, answer]).toEqual([500, { message: expect.stringContaining('git cannot read the repository: ') }])
    expect(app.failures).toEqual([])
  })

  it('restarts, in debug mode when asked', async () => {
    expect(await post('/1')).toMatchObject([200, { number: 4, parent: 1, params: { who: 'me' } }])
    const [, build] = await post('/1?debug=true&who=they&more=1')
    expect(build).toMatchObject({ number: 5, debug: true, params: { who: 'me', more: '1' } })
    expect((build as { params: object }).params).not.toHaveProperty('debug')
    expect(await post('/99')).toEqual(noRows)
    expect(await post('/x')).toEqual(notNumber('ParseInt'))
  })

  it('promotes and rolls back', async () => {
    expect(await post('/99/promote')).toEqual(noRows)
    expect(await post('/1/promote')).toEqual([400, { message: 'Missing target environment' }])
    expect(await post('/1/promote?target=production&who=them')).toMatchObject([
      200,
      { number: 6, event: 'promote', deploy_to: 'production', parent: 1, params: { who: 'them' } },
    ])
    expect(await post('/1/rollback?target=staging')).toMatchObject([200, { event: 'rollback', deploy_to: 'staging' }])
  })
})

it('lists what an exec pipeline ignores, and still runs it @system', async () => {
  const other = await createTestApp()
  const ignoring = 'services: [{name: db, image: postgres}]\nvolumes: [{name: cache, temp: {}}]'
  other.bench.commit(
    pipelines({ plain: '', full: ignoring }) + pipelines({ image: 'services: [{name: db}]' }).replace('exec', 'docker'),
  )
  const build = await other.bench.startBuild()
  const ignored = async (number: number) => {
    const [, answer] = await other.answer(`/api/repos/acme/web/builds/${number}`, { as: 'rae' })
    return (answer as Build).stages?.map((stage) => [stage.name, stage.status, stage.ignored])
  }
  const expected = [
    ['plain', 'pending', undefined],
    ['full', 'pending', ['services', 'volumes']],
    ['image', 'pending', undefined],
  ]
  expect(await ignored(1)).toEqual(expected)
  expect(build).toMatchObject({ status: 'pending' })
  // A copy uses the same file.
  await other.answer('/api/repos/acme/web/builds/1', { as: 'wes', method: 'POST' })
  expect(await ignored(2)).toEqual(expected)
  await other.close()
})

describe('reading', () => {
  it('lists pages, newest first @system', async () => {
    const numbers = async (query: string) =>
      ((await at(query, { as: 'rae' }))[1] as { number: number }[]).map(({ number }) => number)
    expect(await numbers('?per_page=3')).toEqual([7, 6, 5])
    expect(await numbers('?page=3&per_page=3')).toEqual([1])
    expect(await numbers('?page=x&per_page=1000')).toHaveLength(7)
    expect(await numbers('?page=99')).toEqual([])
    expect(await numbers('?page=9223372036854775807&per_page=3')).toEqual([])
    // Values that Go's Atoi refuses are not numbers, and values that it accepts are.
    for (const page of ['9223372036854775808', '0x2', '2e0', '%202', '1'.repeat(400)])
      expect(await numbers(`?page=${page}&per_page=3`)).toEqual([7, 6, 5])
    expect(await numbers('?page=%2B2&per_page=%2B3')).toEqual([4, 3, 2])
    expect(await numbers('?per_page=0x3')).toHaveLength(7)
    expect(await numbers('?branch=nowhere')).toEqual([])
    expect(await numbers('?branch=main&status=failure')).toHaveLength(7)
    expect(await numbers('?tag=v1')).toEqual([])
  })

  it('shows one with its stages', async () => {
    const [status, build] = await at('/1', { as: 'rae' })
    expect([status, build]).toMatchObject([
      200,
      {
        stages: [
          { name: 'first', status: 'pending' },
          { name: 'second', status: 'waiting_on_dependencies' },
        ],
      },
    ])
    expect(await at('/latest')).toMatchObject([200, { number: 7, stages: [{}, {}] }])
    expect(await at('/latest?branch=main&ref=refs/heads/nowhere')).toMatchObject([200, { number: 7 }])
    expect(await at('/latest?branch=nowhere')).toEqual(noRows)
    expect(await at('/99')).toEqual(noRows)
    expect(await at('/x')).toEqual(notNumber('ParseInt'))
    expect((await at('/99999999999999999999'))[0]).toBe(400)
  })

  it('keeps the newest per branch and environment until it is dropped', async () => {
    await app.bench.push(sha, { ref: 'refs/heads/feature/a b', target: 'feature/a b' })
    expect(await at('/branches')).toMatchObject([200, [{ target: 'feature/a b' }]])
    expect(await at('/deployments')).toMatchObject([200, [{ deploy_to: 'staging' }, { deploy_to: 'production' }]])
    expect(await at('/pulls')).toEqual([200, []])
    const drop = (rest: string) => at(rest, { method: 'DELETE' })
    expect(await drop('/branches/feature/a%20b')).toEqual([204, ''])
    expect(await drop('/branches/feature%2Fa%20b')).toEqual([204, ''])
    expect(await drop('/deployments/staging')).toEqual([204, ''])
    expect(await drop('/pulls/x')).toEqual([204, ''])
    expect(await at('/branches')).toEqual([200, []])
    expect(await at('/deployments')).toMatchObject([200, [{ deploy_to: 'production' }]])
  })
})

describe('ending', () => {
  it('cancels, and again without effect', async () => {
    const cancel = () => at('/1', { method: 'DELETE' })
    const [status, build] = await cancel()
    expect([status, build]).toMatchObject([
      200,
      { number: 1, status: 'killed', stages: [{ status: 'skipped' }, { status: 'skipped' }] },
    ])
    expect(await cancel()).toEqual([200, build])
    expect(await at('/99', { method: 'DELETE' })).toEqual(noRows)
    expect(await at('/x', { method: 'DELETE' })).toEqual(notNumber('ParseInt'))
  })

  it('purges older ones, those that still run too', async () => {
    const purge = (before: string) => at(`?before=${before}`, { as: 'ann', method: 'DELETE' })
    expect(await purge('x')).toEqual(notNumber('ParseInt'))
    expect(await purge('5')).toEqual([204, ''])
    expect(await at('/4')).toEqual(noRows)
    expect((await at('/5'))[0]).toBe(200)
  })

  it('ends running ones first: their runner is told to stop, and its later output is dropped @system', async () => {
    const own = await createTestApp()
    own.bench.commit(pipelines({ a: '' }))
    await own.bench.startBuild()
    const stage = await own.bench.take()
    const step = await own.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
    await own.bench.ci.runners.appendLog(step.id, [{ pos: 0, out: 'x', time: 0 }])
    await own.bench.startBuild()
    const stopped = own.bench.ci.runners.watch(stage.build_id, AbortSignal.timeout(10_000))
    const path = '/api/repos/acme/web/builds'
    expect(await own.answer(`${path}?before=2`, { as: 'ann', method: 'DELETE' })).toEqual([204, ''])
    expect(await stopped).toBe(true)
    // The last event says that the build was canceled, and by whom.
    const last = own.bench.events.findLast(({ build }) => build.number === 1)
    expect(last?.build).toMatchObject({ status: 'killed', canceled_by: 'ann' })
    await expect(own.bench.endStep(step)).rejects.toMatchObject({ status: 404 })
    await expect(own.bench.ci.runners.appendLog(step.id, [{ pos: 1, out: 'y', time: 0 }])).rejects.toThrow('stream')
    expect(await own.bench.ci.logs.read(step.id)).toBeNull()
    // The one after it is whole and can be taken.
    expect((await own.bench.take()).number).toBe(1)
    expect(own.failures).toEqual([])
    await own.close()
  })
})

describe('approving and declining', () => {
  it('is for builds that wait for it', async () => {
    await app.changeRepo({ protected: true })
    const build = await app.bench.push(sha)
    const number = build?.number ?? 0
    expect(await at(`/${number}`)).toMatchObject([200, { stages: [{ status: 'blocked' }, {}] }])
    expect(await post(`/${number}/approve/1`)).toEqual([204, ''])
    expect(await at(`/${number}`)).toMatchObject([200, { stages: [{ status: 'pending' }, {}] }])
    expect(await post(`/${number}/approve/1`)).toEqual([
      400,
      { message: 'Cannot approve a Pipeline with Status "pending"' },
    ])
    const other = await app.bench.push(sha)
    expect(await post(`/${other?.number}/decline`)).toEqual([204, ''])
    expect(await at(`/${other?.number}`)).toMatchObject([200, { status: 'declined' }])
    expect(await post(`/${other?.number}`)).toEqual([400, { message: 'cannot start a declined build' }])
  })

  it('names what is missing', async () => {
    expect(await post('/x/approve/1')).toEqual([400, { message: 'Invalid build number' }])
    expect(await post('/5/approve/x')).toEqual([400, { message: 'Invalid stage number' }])
    expect(await post('/99/approve/1')).toEqual([404, { message: 'Build not found' }])
    expect(await post('/5/decline/99')).toEqual([404, { message: 'Stage not found' }])
  })
})

it('takes parameters of any name', async () => {
  const [, build] = await at('?constructor=1&toString=2', { method: 'POST' })
  expect((build as { params: object }).params).toEqual({ constructor: '1', toString: '2' })
  await at(`/${(build as { number: number }).number}`, { method: 'DELETE' })
})
