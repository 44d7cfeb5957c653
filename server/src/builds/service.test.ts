/** The interface of the CI for other folders (`interfaces/ci.ts`). */
import type { Repo, User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCard } from '../store/cards.ts'
import { createCron, findCron } from '../store/cron.ts'
import { createRepo, updateRepo } from '../store/repos.ts'
import { createSecret } from '../store/secrets.ts'
import { pipelines } from '../testing/test-bench.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { createCi, type CiDeps, type EmbeddedCi } from './service.ts'

const exec = { kind: 'pipeline', type: 'exec' }
const system = { proto: 'http', host: 'localhost', link: 'http://localhost', version: '2.0.0' }
let context: TestContext
let ci: EmbeddedCi
let repo: Repo
let wes: User
const asked: string[] = []
const open = (more: Partial<CiDeps> = {}): EmbeddedCi => {
  const { events, logs, git, files, writes, db } = context.ci
  return createCi({
    db,
    events,
    logs,
    git,
    files,
    writes,
    repositories: {
      refused: () => [],
      sync: async (user) => void asked.push(`sync ${user.login}`),
      enable: async (it, by) => (asked.push(`enable ${it.slug} ${by.login}`), it),
      disable: async (it) => (asked.push(`disable ${it.slug}`), it),
    },
    decrypt: (sealed) => (sealed === 'damaged' ? expect.fail('no key') : `open ${sealed}`),
    derive: (text) => `sealed(${text})`,
    system,
    now: () => context.clock.now,
    ...more,
  })
}
beforeEach(async () => {
  context = await openContext()
  ci = open()
  repo = context.repo
  wes = { ...context.user, login: 'wes' }
  asked.length = 0
  context.history.commit(pipelines({ a: '' }))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await ci.close()
  await context.close()
})
const start = async () => (await ci.start(repo, { params: {} }, wes)) ?? expect.fail('no build')
const settled = async () => {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const take = async () => (await ci.runners.request(exec, AbortSignal.timeout(10_000))) ?? expect.fail('no stage')

it('starts builds of others while git does not answer about one repository', async () => {
  const { git } = context.ci
  let answer = () => {}
  const hangs = new Promise<void>((done) => (answer = done))
  const resolve = vi.fn<typeof git.resolve>(async (path, name) => {
    if (path.includes('slow')) await hangs
    return git.resolve(path, name)
  })
  ci = open({ git: { ...git, resolve } })
  const names = { uid: 'acme/slow', namespace: 'acme', name: 'slow', path: '/repos/slow' }
  const row = await createRepo(context.ci.db, { ...names, default_branch: 'main', visibility: 'private', now: 1 })
  const slow = await updateRepo(context.ci.db, { ...row, active: true, user_id: wes.id, config_path: '.drone.yml' })
  const held = [1, 2, 3].map(() => ci.start(slow, { params: {} }, wes))
  expect((await start()).repo_id).toBe(repo.id)
  answer()
  await Promise.all(held)
})

describe('copies', () => {
  it.each([
    ['declined', 'cannot start a declined build'],
    ['blocked', 'cannot start a blocked build'],
  ] as const)('of a %s build are refused', async (status, message) => {
    const { number } = await context.build([{ name: 'a', status: 'blocked' }], { status })
    const restart = ci.restart(repo, number, { debug: false, params: {} }, wes)
    await expect(restart).rejects.toMatchObject({ status: 400, message })
  })
  it('name their parent, the person who started them, and their target', async () => {
    const { number } = await start()
    const copy = await ci.restart(repo, number, { debug: true, params: { A: '1' } }, wes)
    expect(copy).toMatchObject({ parent: number, actor: 'wes', debug: true, params: { A: '1' }, event: 'custom' })
    const input = { event: 'promote', target: 'prod', params: {} } as const
    expect(await ci.deploy(repo, number, input, wes)).toMatchObject({ event: 'promote', deploy_to: 'prod' })
    const nowhere = ci.deploy(repo, number, { ...input, target: '' }, wes)
    await expect(nowhere).rejects.toMatchObject({ status: 400, message: 'Missing target environment' })
    await expect(ci.deploy(repo, 99, input, wes)).rejects.toMatchObject({ status: 404 })
  })
})

it('requests for work go through the queue, its pause and its end', async () => {
  ci.pauseQueue()
  const { id } = await start()
  let given: number | undefined
  void ci.runners.request(exec, AbortSignal.timeout(10_000)).then((stage) => (given = stage?.build_id))
  await settled()
  expect(given).toBeUndefined()
  expect((await ci.runnersState('1.2.3')).paused).toBe(true)
  const [build] = await ci.withReasons([await context.read(id)])
  expect(build?.waiting?.text).toBe('The queue is paused')
  expect((await ci.stagesWithReasons(build?.stages ?? []))[0]?.waiting?.text).toBe('The queue is paused')
  ci.resumeQueue()
  await settled()
  expect(given).toBe(id)
  const state = await ci.runnersState('1.2.3')
  expect(state).toMatchObject({ paused: false, runners: [{ builtin: true, version: '1.2.3' }], total: 1 })
})

it('a cancel names the person; a purge, too', async () => {
  const { id, number } = await start()
  expect(await ci.cancel(repo, number, wes)).toMatchObject({ status: 'killed', canceled_by: 'wes' })
  await ci.purge(repo, number + 1, wes)
  await expect(context.read(id)).rejects.toMatchObject({ status: 404 })
})

it('approval and refusal go to the stage that is meant', async () => {
  const { id, number } = await context.build([
    { name: 'a', status: 'blocked' },
    { name: 'b', status: 'blocked' },
  ])
  await ci.approve(repo, number, 2, wes)
  await ci.decline(repo, number, 1, wes)
  expect(await context.statuses(id)).toEqual(['declined', 'declined', 'pending'])
})

it('repositories are found, enabled and disabled by their source', async () => {
  await ci.sync(wes)
  await ci.enable(repo, wes)
  await ci.disable(repo)
  expect(asked).toEqual(['sync wes', 'enable acme/web wes', 'disable acme/web'])
})

describe('a cron job', () => {
  const input = { name: 'Nightly', expr: '0 0 3 * * *', branch: 'main' }
  it('is stored as it is checked, in the zone of the server', async () => {
    context.clock.now = Date.parse('2026-07-01T10:00:00Z') / 1000
    ci = open({ timeZone: 'Europe/Berlin' })
    const job = await ci.createCron(repo, input)
    const next = Date.parse('2026-07-02T01:00:00Z') / 1000
    expect(job).toMatchObject({ name: 'nightly', repo_id: repo.id, next })
    const off = await ci.changeCron(job, { disabled: true })
    expect(await ci.changeCron({ ...off, next: 5 }, { disabled: false })).toMatchObject({ next })
    expect(await ci.runCron(repo, 'nightly', wes)).toMatchObject({
      event: 'cron',
      cron: 'nightly',
      actor: 'wes',
      sender: '',
    })
    await expect(ci.runCron(repo, 'other', wes)).rejects.toMatchObject({ status: 404 })
    // Without a zone, UTC applies from the next start.
    ci = open()
    await ci.recover()
    expect((await findCron(context.db, repo.id, 'nightly'))?.next).toBe(next + 7_200)
  })

  it('fires by the clock, also where the first attempt could not be written', async () => {
    const job = { repo_id: repo.id, expr: '@daily', branch: 'main', next: context.clock.now }
    await createCron(context.db, { ...job, name: 'soon' })
    await createCron(context.db, { ...job, name: 'lost', branch: 'gone' })
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    vi.spyOn(context.ci.files, 'plan').mockRejectedValueOnce(full)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    try {
      ci.startClocks()
      vi.advanceTimersByTime(1_000)
      vi.useRealTimers()
      await vi.waitFor(() => expect(context.events.map(({ build }) => build.cron)).toEqual(['soon']), {
        timeout: 10_000,
      })
      await vi.waitFor(() => expect(said).toHaveBeenCalledWith(expect.stringContaining('lost'), 'Not Found'), {
        timeout: 10_000,
      })
      expect(said).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })
})

it('a start ends what was at work, and hands out what waited', async () => {
  const ran = await context.build([{ name: 'a', status: 'running', machine: 'm', started: 1 }], { status: 'running' })
  const waits = await context.build([{ name: 'a' }])
  const runner = ci.runners.request(exec, AbortSignal.timeout(10_000))
  await ci.recover()
  expect(await context.statuses(ran.id)).toEqual(['error', 'error'])
  expect((await runner)?.build_id).toBe(waits.id)
})

it('a card given by hand names its schema in the step', async () => {
  const { id, stages } = await context.build([{ name: 'a', steps: [{}] }])
  const step = stages[0]?.steps?.[0] ?? expect.fail('no step')
  await ci.addCard(step, { schema: 'https://example.com/card.json', data: '{}' })
  expect(await findCard(context.db, step.id)).toBe('{}')
  expect((await context.read(id)).stages[0]?.steps?.[0]?.schema).toBe('https://example.com/card.json')
  expect(context.events.at(-1)?.build.id).toBe(id)
})

it('a commit is read for its page', async () => {
  const sha = context.history.commit(null, 'Message')
  expect(await ci.commitSha(repo, 'refs/heads/main')).toBe(sha)
  expect(await ci.commit(repo, sha)).toMatchObject({ sha, message: 'Message' })
  await expect(ci.commitSha(repo, 'refs/heads/gone')).rejects.toMatchObject({
    status: 404,
    message: 'Commit not found',
  })
})

it('a signature is one that approves', async () => {
  const hmac = await ci.sign(repo, pipelines({ a: '' }), 'key')
  expect(hmac).toMatch(/^[0-9a-f]{64}$/)
})

it('what another machine had is abandoned by its name', async () => {
  await start()
  const stage = await take()
  await ci.remote.accept(stage.id, 'far', { address: '192.0.2.1', signal: AbortSignal.timeout(10_000) })
  await ci.abandon('far', 'gone')
  expect((await take()).id).toBe(stage.id)
})

describe('the secrets of a stage', () => {
  const names = async (event: 'push' | 'pull_request') => {
    await createSecret(context.db, repo.id, { name: 'a', data: 'x' })
    await createSecret(context.db, repo.id, { name: 'b', data: 'y', pull_request: true })
    await context.changeRepo({ trusted: true })
    await ci.trigger(repo.id, {
      event,
      trigger: '@hook',
      ref: 'refs/pull/1/head',
      source: 'x',
      target: 'main',
      before: '',
      message: 'm',
      after: await ci.commitSha(repo, 'refs/heads/main'),
    })
    const stage = await take()
    await ci.runners.accept(stage.id, 'm')
    const { secrets, ...told } = await ci.runners.details(stage.id)
    expect(told).toMatchObject({ stage: { machine: 'm' }, cloneFrom: '/nowhere', system, repo: { id: repo.id } })
    expect(told.config).toBe(pipelines({ a: '' }))
    return secrets.map(({ name, data }) => `${name} ${data}`)
  }
  it('are opened', async () => {
    expect(await names('push')).toEqual(['a open x', 'b open y'])
  })
  it('of a pull request are those that it may see', async () => {
    expect(await names('pull_request')).toEqual(['b open y'])
  })
  it('that cannot be opened are named, and stop the stage', async () => {
    await createSecret(context.db, repo.id, { name: 'broken', data: 'damaged' })
    await start()
    const stage = await take()
    await ci.runners.accept(stage.id, 'm')
    await expect(ci.runners.details(stage.id)).rejects.toThrow(/broken/)
  })
})

describe('the built-in runner', () => {
  it('takes a stage once, is known by its name, and is the only one to have it', async () => {
    await start()
    const stage = await take()
    const accepted = await ci.runners.accept(stage.id, 'm')
    expect(accepted).toMatchObject({ machine: 'm', status: 'pending', version: 2, updated: context.clock.now })
    await expect(ci.runners.accept(stage.id, 'm')).rejects.toMatchObject({ status: 409 })
    await expect(ci.runners.accept(999, 'm')).rejects.toMatchObject({ status: 404 })
    expect((await ci.runnersState('1')).runners[0]).toMatchObject({ machines: ['m'], busy: 1 })
    await ci.runners.updateStage({ ...accepted, status: 'success' })
    expect((await ci.runnersState('1')).runners[0]?.busy).toBe(0)
  })
  it('cannot take what was cancelled while it was handed out', async () => {
    const { number } = await start()
    const stage = await take()
    await ci.cancel(repo, number, wes)
    await expect(ci.runners.accept(stage.id, 'm')).rejects.toMatchObject({ status: 409 })
  })
  it('may say everything of its stage, and another machine nothing', async () => {
    await start()
    const stage = await ci.runners.accept((await take()).id, 'm')
    const call = { address: '192.0.2.1', signal: AbortSignal.timeout(10_000) }
    await expect(ci.remote.updateStage({ ...stage, status: 'success' }, call)).rejects.toMatchObject({ status: 409 })
    const step = { id: 0, step_id: 0, number: 1, name: 's', status: 'pending', exit_code: 0, version: 0 } as const
    const begun = await ci.runners.updateStage({ ...stage, status: 'running', steps: [step] })
    const one = await ci.runners.updateStep({ ...(begun.steps?.[0] ?? expect.fail('no step')), status: 'running' })
    await ci.runners.appendLog(one.id, [{ pos: 0, out: 'x\n', time: 0 }])
    await ci.runners.updateStep({ ...one, status: 'success' })
    expect(await context.isSaved(one.id)).toBe(true)
  })
})
