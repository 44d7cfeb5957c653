/** Waiting reasons as every reader of a build gets them. */
import type { Build, RepoWithBuild, Stage, Waiting } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ pollMs: 20 })
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const get = async <T>(path: string, as: 'wes' | 'boss' = 'wes'): Promise<T> => {
  const [status, body] = await app.answer(path, { as })
  expect(status).toBe(200)
  return body as T
}
const builds = '/api/repos/acme/web/builds'
const reasons = async (number: number): Promise<Record<string, string | undefined>> => {
  const build = await get<Build>(`${builds}/${number}`)
  return Object.fromEntries(
    [['', build], ...(build.stages ?? []).map((one) => [one.name, one] as const)].map(([name, one]) => [
      name as string,
      (one as Stage).waiting?.text,
    ]),
  )
}
const poll = (filter: object) =>
  app.request('/rpc/v2/stage', {
    method: 'POST',
    body: JSON.stringify(filter),
    headers: { 'X-Drone-Token': rpcSecret },
  })
/** As a runner does: a poll that ends without a stage is followed by the next one. */
const take = async (filter: object): Promise<Response> => {
  const response = await poll(filter)
  return response.status === 204 ? take(filter) : response
}
const docker = { kind: 'pipeline', type: 'docker', os: 'linux', arch: 'amd64' }
const dockerFile = 'kind: pipeline\ntype: docker\nname: image\nsteps:\n- name: one\n  image: alpine\n'
const noDocker = 'Waiting for a runner of type docker for linux/amd64; none is connected'

describe('a stage that no runner takes', () => {
  it('is in every answer that has its build', async () => {
    await app.bench.push(app.bench.commit(dockerFile))
    const expected: Waiting = {
      reason: 'runner',
      text: noDocker,
      needs: { type: 'docker', os: 'linux', arch: 'amd64' },
    }
    const one = await get<Build>(`${builds}/1`)
    expect([one.waiting, one.stages?.[0]?.waiting]).toEqual([expected, expected])
    expect((await get<Build[]>(builds))[0]?.waiting).toEqual(expected)
    expect((await get<Build>(`${builds}/latest`)).stages?.[0]?.waiting).toEqual(expected)
    expect((await get<Build[]>(`${builds}/branches`))[0]?.waiting).toEqual(expected)
    expect((await get<RepoWithBuild[]>('/api/user/builds'))[0]?.build.waiting).toEqual(expected)
    expect((await get<RepoWithBuild[]>('/api/user/repos?latest=true'))[0]?.build.waiting).toEqual(expected)
    expect((await get<Stage[]>('/api/queue', 'boss'))[0]?.waiting).toEqual(expected)
    expect((await get<RepoWithBuild[]>('/api/builds/incomplete', 'boss'))[0]?.build.waiting).toEqual(expected)
    const [, started] = await app.answer(builds, { as: 'wes', method: 'POST' })
    expect((started as Build).waiting).toEqual(expected)
  })

  it('waits for a place once such a runner has asked, and for a runner a minute after the last one @system', async () => {
    await app.bench.push(app.bench.commit(dockerFile))
    app.bench.ci.pauseQueue()
    expect(await reasons(1)).toEqual({ '': 'The queue is paused', image: 'The queue is paused' })
    expect((await poll(docker)).status).toBe(204)
    await poll({ ...docker, arch: 'arm64' })
    await poll({ ...docker, labels: { zone: 'a' } })
    app.bench.ci.resumeQueue()
    expect((await reasons(1))['image']).toBe('Waiting for a runner to pick it up')
    app.bench.clock.now += 61
    expect((await reasons(1))['image']).toBe(noDocker)
  })
})

it('names queue position, limits, dependencies and running stages @system', async () => {
  const { bench } = app
  bench.commit(pipelines({ first: '', second: 'concurrency: {limit: 1}', third: 'depends_on: [first, second]' }))
  await bench.startBuild()
  await bench.startBuild()
  const running = await bench.take()
  expect(await reasons(1)).toEqual({
    '': undefined,
    first: undefined,
    second: 'Queued: 1st of 2 (1 of 1 runner slots busy)',
    third: 'Waiting for first and second',
  })
  expect(await reasons(2)).toEqual({
    '': 'Queued: 2nd of 2 (1 of 1 runner slots busy)',
    first: 'Queued: 2nd of 2 (1 of 1 runner slots busy)',
    second: 'Waiting: this pipeline is limited to 1 at a time',
    third: 'Waiting for first and second',
  })
  await bench.endStage(running)
  await bench.ci.cancel(bench.repo, 1, bench.user)
  expect((await reasons(1))['']).toBeUndefined()
  expect(Object.keys(await get<Build>(`${builds}/1`))).not.toContain('waiting')
  expect((await reasons(2))['first']).toBe('Waiting for a runner to pick it up')
})

it('names who must approve, in lists, too @system', async () => {
  const sha = app.bench.commit(pipelines({ one: '', two: 'depends_on: [one]' }))
  const pull = {
    event: 'pull_request',
    action: 'opened',
    ref: 'refs/pull/1/head',
    source: 'x',
    target: 'main',
  } as const
  await app.bench.push(sha, pull)
  const text = 'Waiting for approval (needs write access)'
  expect(await reasons(1)).toEqual({ '': text, one: text, two: text })
  expect((await get<Build[]>(builds)).map(({ waiting }) => waiting?.reason)).toEqual(['approval'])
})

it('does not send reasons to runners, or accept them from runners', async () => {
  await app.bench.push(app.bench.commit(dockerFile))
  await get(`${builds}/1`)
  const response = await take(docker)
  const stage = (await response.json()) as Stage
  expect(stage).not.toHaveProperty('waiting')
  const headers = { 'X-Drone-Token': rpcSecret }
  const accepted = await app.request(`/rpc/v2/stage/${stage.id}?machine=far`, { method: 'POST', headers })
  expect((await get<Build>(`${builds}/1`)).stages?.[0]?.waiting).toEqual({
    reason: 'start',
    text: 'Picked up by far, not started yet',
    machine: 'far',
  })
  const report = { ...((await accepted.json()) as Stage), waiting: { reason: 'place', text: '<b>mine</b>' } }
  await app.request(`/rpc/v2/stage/${stage.id}`, { method: 'PUT', body: JSON.stringify(report), headers })
  const details = await (await app.request(`/rpc/v2/stage/${stage.id}`, { headers })).text()
  expect(details).not.toContain('waiting')
  expect(JSON.stringify(await get(`${builds}/1`))).not.toContain('mine')
})

it('is in the answer to a cron job that is run now, and to a cancel @system', async () => {
  const { bench } = app
  bench.commit(dockerFile)
  await bench.ci.createCron(bench.repo, { name: 'nightly', branch: 'main', expr: '@daily' })
  const [status, started] = await app.answer('/api/repos/acme/web/cron/nightly', { as: 'wes', method: 'POST' })
  expect([status, (started as Build).waiting?.text]).toEqual([200, noDocker])
  const [, ended] = await app.answer(`${builds}/1`, { as: 'wes', method: 'DELETE' })
  const text = 'Canceled by wes'
  expect([(ended as Build).ended?.text, (ended as Build).stages?.[0]?.ended?.text]).toEqual([text, text])
  expect((await get<Build[]>(builds))[0]?.ended).toMatchObject({ reason: 'canceled', by: 'wes' })
})
