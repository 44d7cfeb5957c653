import * as schema from '@flightdeck/api/schema'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createFigures } from '../../operation/figures.ts'
import { createHealth } from '../../operation/health.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { expectAnswer } from '../../conformance/live-server.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ figures: createFigures(tmpdir()) })
})
afterAll(() => app.close())

const ask = async (method: string, path: string): Promise<unknown> => {
  const [status, body] = await app.answer(path, { as: 'boss', method })
  expect(status).toBe(method === 'GET' ? 200 : 204)
  const answer = schema.findEndpoint(method, path)?.answer
  return answer ? expectAnswer(answer, body) : body
}

it('lists what waits and what runs, and holds it back while it is paused', async () => {
  const { bench } = app
  bench.commit(pipelines({ first: '', second: 'depends_on: [first]', third: 'concurrency: { limit: 2 }' }))
  await ask('DELETE', '/api/queue')
  await bench.startBuild()
  expect(await bench.isIdle()).toBe(true)

  // A stage that waits for another is not in the queue.
  expect(await ask('GET', '/api/queue')).toMatchObject([
    { name: 'first', status: 'pending' },
    { name: 'third', status: 'pending' },
  ])
  expect(await ask('GET', '/api/builds/incomplete')).toMatchObject([
    { slug: 'acme/web', build: { number: 1, status: 'pending' } },
  ])
  expect(await ask('GET', '/api/builds/incomplete/v2')).toMatchObject([
    { repo_slug: 'acme/web', build_number: 1, stage_name: 'first', stage_limit: '0', stage_limit_repo: '0' },
    { repo_slug: 'acme/web', build_number: 1, stage_name: 'third', stage_limit: '2', stage_status: 'pending' },
  ])
  expect(await ask('GET', '/api/system/stats')).toMatchObject({
    users: { total: 6 },
    repos: { active: 1 },
    builds: { pending: 1, running: 0, total: 1 },
    watchers: null,
  })

  await ask('POST', '/api/queue')
  const stage = await bench.take()
  const [step] = stage.steps
  expect(await ask('GET', '/api/queue')).toMatchObject([{ name: 'first', status: 'running' }, { name: 'third' }])
  expect(await ask('GET', '/api/system/stats')).toMatchObject({ builds: { pending: 0, running: 1, total: 1 } })

  // Readers of a log are counted.
  if (!step) throw new Error('no step')
  const live = await bench.runStep(step)
  const reader = new AbortController()
  const lines = bench.ci.logs.follow(step.id, reader.signal)
  expect(await ask('GET', '/api/system/stats')).toMatchObject({ streams: { [step.id]: 1 } })
  reader.abort()
  for await (const _ of lines ?? []) throw new Error('no line was written')
  expect(await ask('GET', '/api/system/stats')).toMatchObject({ streams: { [step.id]: 0 } })
  await bench.endStep(live)
  expect(await ask('GET', '/api/system/stats')).toMatchObject({ streams: {} })

  const metrics = await app.request('/metrics', { as: 'robot' })
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await metrics.text()
  for (const line of [
    'drone_build_count 1',
    'drone_running_builds 1',
    'drone_running_jobs 1',
    'drone_pending_jobs 1',
    'flightdeck_log_readers 0',
    'flightdeck_http_request_duration_seconds_count{method="POST",route="/api/queue",status="204"} 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  // Every line is a comment or a name with a number: what Prometheus reads.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|[a-z_]+(\{[^{}]+\})? \d+(\.\d+)?(e-\d+)?)$/)

  await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(await ask('GET', '/api/queue')).toEqual([])
  expect(await ask('GET', '/api/builds/incomplete')).toEqual([])
  expect(await ask('GET', '/api/builds/incomplete/v2')).toEqual([])
})

it('knows the readers of events', async () => {
  const before = (await ask('GET', '/api/system/stats')) as { events: { subscribers: number } }
  const stream = await app.request('/api/stream', { as: 'boss' })
  expect(await ask('GET', '/api/system/stats')).toMatchObject({
    events: { subscribers: before.events.subscribers + 1 },
  })
  await stream.body?.cancel()
})

it('answers for templates like an edition without them', async () => {
  expect(await app.answer('/api/templates', { as: 'boss' })).toEqual([501, { message: 'Not Implemented' }])
  expect((await app.answer('/api/templates', { as: 'boss', method: 'POST' }))[0]).toBe(405)
})

it('reports what is wrong to anyone, without excluded checks', async () => {
  const problems = { database: 'The database cannot be written: disk is full', forge: 'Gitea cannot be reached' }
  const checks = Object.entries(problems).map(([name, text]) => ({ name, maxAgeMs: 0, check: () => text }))
  const failing = await createTestApp({ health: createHealth(checks, { version: '1.2.3' }) })
  const ask = async (path: string) => failing.answer(path)
  expect(await ask('/readyz')).toEqual([
    503,
    {
      state: 'failing',
      version: '1.2.3',
      problems: [problems.database, problems.forge],
      checks: {
        database: { state: 'failing', message: problems.database },
        forge: { state: 'failing', message: problems.forge },
      },
    },
  ])
  expect(await ask('/readyz?exclude=forge')).toMatchObject([503, { problems: [problems.database] }])
  for (const query of ['exclude=forge,database', 'exclude=forge&exclude=database']) {
    expect(await ask(`/readyz?${query}`)).toMatchObject([200, { state: 'ok', problems: [], checks: {} }])
  }
  await failing.close()
})

it('gives its figures without a token where the options say so, and then not through a proxy @system', async () => {
  const from = async (metricsAccess: 'token' | 'loopback' | 'anyone', remoteAddress: string, headers = {}) => {
    const open = await createTestApp({ metricsAccess })
    const socket = { remoteAddress, localAddress: '127.0.0.1' }
    const answer = await open.app.request('/metrics', { headers }, { incoming: { socket } })
    await open.close()
    return answer.status
  }
  expect(await from('token', '127.0.0.1')).toBe(401)
  expect(await from('loopback', '127.0.0.1')).toBe(200)
  expect(await from('loopback', '::ffff:127.0.0.1')).toBe(200)
  expect(await from('loopback', '10.0.0.9')).toBe(401)
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])
    expect(await from('loopback', '127.0.0.1', { [name]: '127.0.0.1' })).toBe(401)
  expect(await from('anyone', '10.0.0.9')).toBe(200)
})

it('is healthy for anyone, by any method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'HEAD']) {
    const response = await app.request('/healthz', { method })
    expect([response.status, await response.text()]).toEqual([200, method === 'HEAD' ? '' : 'OK'])
  }
})
