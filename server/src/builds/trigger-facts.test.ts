/** What a build takes from its hook, its repository and its commit (docs/api §5.2). */
import type { Build, Stage, User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import { limits } from '../pipeline/documents.ts'
import { findConfig } from '../store/builds.ts'
import { findGate } from '../store/approval-gates.ts'
import { listLatest } from '../store/latest.ts'
import { findRepo } from '../store/repos.ts'
import { updateStage } from '../store/stages.ts'
import { findUser, updateUser } from '../store/users.ts'
import { pipelines } from '../testing/test-bench.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { approveStage } from './approval.ts'
import { triggerBuild } from './trigger.ts'

const plain = pipelines({ default: '' })
let context: TestContext
let sha = ''
beforeEach(async () => {
  context = await openContext()
  sha = context.history.commit(plain, 'The first one\n')
})
afterEach(async () => {
  vi.restoreAllMocks()
  await context.close()
})

const push: Hook = {
  event: 'push',
  trigger: '@hook',
  ref: 'refs/heads/main',
  source: 'main',
  target: 'main',
  before: '',
  after: '',
  message: 'change',
}
const trigger = (more: Partial<Hook> = {}, source?: HookSource) =>
  triggerBuild(context.ci, context.closers, context.repo.id, { ...push, after: sha, ...more }, source)
const made = async (more: Partial<Hook> = {}): Promise<Build> => (await trigger(more)) ?? expect.fail('no build')

describe('a build', () => {
  it('has all that its hook says', async () => {
    const told = {
      trigger: 'wes',
      actor: 'wes',
      sender: 'wes',
      action: 'opened',
      link: 'http://a/b',
      title: 'T',
      message: 'M',
      before: 'b',
      ref: 'refs/heads/x',
      source: 'fix',
      target: 'x',
      params: { A: '1' },
      cron: 'nightly',
      debug: true,
    }
    const { now } = context.clock
    expect(
      await made({
        ...told,
        event: 'custom',
        sourceRepo: 'eve/web',
        deployTo: 'prod',
        parent: 0,
        note: 'of many',
        author: {
          login: 'eve',
          name: 'Eve',
          email: 'eve@example.com',
          avatar: 'http://a/c',
        },
      }),
    ).toMatchObject({
      ...told,
      event: 'custom',
      source_repo: 'eve/web',
      deploy_to: 'prod',
      error: 'of many',
      after: sha,
      author_login: 'eve',
      author_name: 'Eve',
      author_email: 'eve@example.com',
      author_avatar: 'http://a/c',
      number: 1,
      status: 'pending',
      timestamp: 0,
      started: 0,
      finished: 0,
      created: now,
      updated: now,
      version: 1,
    })
  })

  it('of a hook that says little', async () => {
    const build = await made()
    expect(build).toMatchObject({
      action: '',
      link: '',
      message: 'change',
      source_repo: '',
      sender: '',
      trigger: '@hook',
      author_login: '',
      author_name: '',
      author_email: '',
      author_avatar: '',
    })
    for (const key of ['error', 'title', 'actor', 'parent', 'params', 'cron', 'deploy_to', 'debug'])
      expect(build).not.toHaveProperty(key)
  })

  it('takes from the commit what the hook leaves out', async () => {
    expect(await made({ message: '' })).toMatchObject({
      message: 'The first one\n',
      author_name: 'Ada',
      author_email: 'ada@example.com',
      author_login: '',
    })
    const author = { login: 'eve', name: 'Eve', email: '', avatar: '' }
    expect(await made({ message: '', author })).toMatchObject({ message: 'The first one\n', author_name: 'Eve' })
    expect(await made({ message: 'own' })).toMatchObject({ message: 'own', author_name: '' })
  })

  it('cuts what is too long', async () => {
    const long = 'x'.repeat(3_000)
    const build = await made({
      message: long,
      title: long,
      sender: long,
      author: { login: long, name: long, email: long, avatar: 'a' },
    })
    expect([build.message.length, build.title?.length]).toEqual([2_000, 2_000])
    const names = [build.sender, build.author_login, build.author_name, build.author_email]
    expect(names.map((name) => name.length)).toEqual([250, 250, 250, 250])
  })

  it('has its stages, the throttle of its repository, its file, and a place among the latest', async () => {
    await context.changeRepo({ throttle: 3 })
    sha = context.history.commit(pipelines({ a: '', b: 'depends_on: [a]' }))
    const { id } = await made()
    const { stages } = await context.read(id)
    const { now } = context.clock
    const times = { started: 0, stopped: 0, created: now, updated: now }
    expect(stages).toMatchObject([
      { ...times, name: 'a', status: 'pending', throttle: 3, repo_id: context.repo.id, build_id: id },
      { ...times, name: 'b', status: 'waiting_on_dependencies', throttle: 3 },
    ])
    expect(await findConfig(context.db, id)).toBe(pipelines({ a: '', b: 'depends_on: [a]' }))
    expect(await findGate(context.db, id)).toEqual({ origin: 'push', gated: false })
    expect((await listLatest(context.db, context.repo.id, 'branch')).map((build) => build.id)).toEqual([id])
    expect(context.events.map(({ build }) => [build.id, build.stages?.length])).toEqual([[id, 2]])
  })

  it('is handed to waiting runners', async () => {
    const waiting = context.ci.queue.request({ kind: 'pipeline', type: 'exec' }, AbortSignal.timeout(10_000))
    const { id } = await made()
    expect((await waiting)?.build_id).toBe(id)
  })
})

describe('there is no build', () => {
  const owner = async (changes: Partial<User>) => {
    const user = await findUser(context.db, context.user.id)
    if (user) await updateUser(context.db, user.id, changes)
  }
  const request = { event: 'pull_request', ref: 'refs/pull/1/head' } as const

  it('for a repository that is not there, or has no owner', async () => {
    const nothing = { status: 404, message: 'sql: no rows in result set' }
    const hook = { ...push, after: sha }
    await expect(triggerBuild(context.ci, context.closers, 99, hook)).rejects.toMatchObject(nothing)
    await context.changeRepo({ user_id: 99 })
    await expect(trigger()).rejects.toMatchObject(nothing)
  })
  it('for an owner who was disabled', async () => {
    await owner({ active: false })
    expect(await trigger()).toBeNull()
  })
  it.each<[string, object, Partial<Hook>, boolean]>([
    [
      'a pull request where none are wanted',
      { ignore_pull_requests: true },
      { ...request, sourceRepo: 'acme/web' },
      false,
    ],
    ['a push where no pull requests are wanted', { ignore_pull_requests: true, ignore_forks: true }, {}, true],
    [
      'a fork’s pull request where none are wanted',
      { ignore_forks: true },
      { ...request, sourceRepo: 'eve/web' },
      false,
    ],
    ['a pull request of nowhere', { ignore_forks: true }, request, false],
    ['an own pull request', { ignore_forks: true }, { ...request, sourceRepo: 'Acme/WEB' }, true],
    ['a fork’s pull request', {}, { ...request, sourceRepo: 'eve/web' }, true],
  ])('or there is: %s', async (_what, settings, hook, expected) => {
    await context.changeRepo(settings)
    expect((await trigger(hook)) !== null).toBe(expected)
  })
  it('if the commit says so, also where the hook does not', async () => {
    expect(await trigger({ message: 'x [ci skip]' })).toBeNull()
    sha = context.history.commit(plain, 'no [CI SKIP]')
    expect(await trigger({ message: '' })).toBeNull()
    expect((await findRepo(context.db, context.repo.id))?.counter).toBe(0)
  })
  it('if nothing in the file is meant', async () => {
    sha = context.history.commit(pipelines({ a: 'trigger: {branch: [other]}' }))
    expect(await trigger()).toBeNull()
    expect(context.events).toEqual([])
  })
  it('if another process has handled it, and then no number either', async () => {
    const source = (taken: boolean): HookSource => ({ git: context.ci.git, take: async () => taken })
    expect(await trigger({}, source(false))).toBeNull()
    expect((await trigger({}, source(true)))?.number).toBe(1)
  })
})

it.each<[string, Partial<Hook>, boolean]>([
  ['branch', { target: 'x' }, true],
  ['event', { event: 'tag' }, true],
  ['action', { action: 'x' }, true],
  ['ref', { ref: 'refs/x' }, true],
  ['target', { deployTo: 'x' }, true],
  ['cron', { cron: 'x' }, true],
  ['none of it', {}, false],
])('a file may look at the %s', async (name, hook, expected) => {
  const conditions = { branch: 'x', event: 'tag', action: 'x', ref: 'refs/x', target: 'x', cron: 'x' }
  const [key, value] = Object.entries(conditions).find(([condition]) => condition === name) ?? ['branch', 'x']
  sha = context.history.commit(pipelines({ a: `trigger: {${key}: [${value}]}` }))
  expect((await trigger(hook)) !== null).toBe(expected)
})
it('a file may use the repository', async () => {
  sha = context.history.commit(pipelines({ a: 'trigger: {repo: [acme/web]}' }))
  expect(await trigger()).not.toBeNull()
})

describe('a file that cannot be used', () => {
  it('makes an error build with the reason, and cancels nothing', async () => {
    await context.changeRepo({ auto_cancel_pushes: true })
    const older = await made()
    sha = context.history.commit(null)
    const { now } = context.clock
    const build = await made({ parent: 0, trigger: 'wes' })
    expect(build).toMatchObject({
      status: 'error',
      trigger: '',
      error: `configuration: .drone.yml not found at ${sha}`,
      started: now,
      finished: now,
    })
    expect(await findConfig(context.db, build.id)).toBeNull()
    expect(await findGate(context.db, build.id)).toEqual({ origin: 'push', gated: false })
    expect((await context.read(build.id)).stages).toEqual([])
    expect((await context.read(older.id)).status).toBe('pending')
    expect(context.events.at(-1)?.build.status).toBe('error')
  })
  it.each([
    [' \n', /^configuration: \.drone\.yml is empty at 0+2$/],
    ['kind: [', /^yaml: /],
  ])('says what is wrong with %j', async (text, expected) => {
    sha = context.history.commit(text)
    const { id, error } = await made()
    expect(error).toMatch(expected)
    // What can be read at all is kept, for a copy.
    expect(await findConfig(context.db, id)).toBe(text.trim() === '' ? null : text)
  })
  it('is read from the path in the settings', async () => {
    await context.changeRepo({ config_path: 'ci/other.yml' })
    expect((await made()).error).toBe(`configuration: ci/other.yml not found at ${sha}`)
    await context.changeRepo({ config_path: '' })
    expect(await made()).not.toHaveProperty('error')
  })
  it.each([
    ['ci.star', 'Starlark', 'def main(ctx):\n  return {"kind": "pipeline", "name": "%s" % ctx.build.branch}\n'],
    ['ci.starlark', 'Starlark', 'def main(ctx):\n  return step("a")\n'],
    ['ci.script', 'Starlark', 'def main(ctx):\n  return [\n'],
    ['ci.jsonnet', 'Jsonnet', "local step(name) = {\n  name: name,\n};\n[step('a')]\n"],
  ])('tells of %s that it is %s', async (path, language, text) => {
    await context.changeRepo({ config_path: path })
    vi.spyOn(context.ci.git, 'readFile').mockResolvedValueOnce(text)
    expect((await made()).error).toBe(`configuration: ${path} is ${language}, which this server does not support`)
  })
  it('may be JSON with a name that ends in .jsonnet, as in Drone', async () => {
    await context.changeRepo({ config_path: 'ci.jsonnet' })
    vi.spyOn(context.ci.git, 'readFile').mockResolvedValueOnce('{"kind": "pipeline", "type": "exec"}')
    expect(await made()).not.toHaveProperty('error')
  })
  it('reports a missing file, whatever its language', async () => {
    await context.changeRepo({ config_path: 'ci.star' })
    expect((await made()).error).toBe(`configuration: ci.star not found at ${sha}`)
  })
  it('passes on the message of git', async () => {
    const readFile = vi.spyOn(context.ci.git, 'readFile').mockRejectedValueOnce(new Error('bad object'))
    expect((await made()).error).toBe('configuration: bad object')
    readFile.mockRejectedValueOnce('cut off')
    expect((await made()).error).toBe('configuration: cut off')
  })
  it('is not kept where it is too large', async () => {
    sha = context.history.commit(`${plain}#${'x'.repeat(limits.text)}`)
    const { id, status } = await made()
    expect(status).toBe('error')
    expect(await findConfig(context.db, id)).toBeNull()
  })
  it('is another matter than a failure of ours', async () => {
    vi.spyOn(context.ci.files, 'plan').mockRejectedValueOnce(new Error('no memory'))
    await expect(trigger()).rejects.toThrow('no memory')
  })
})

describe('older builds', () => {
  it('give way to a newer one', async () => {
    await context.changeRepo({ auto_cancel_pushes: true })
    const older = await made()
    const newer = await made()
    expect([(await context.read(older.id)).status, (await context.read(newer.id)).status]).toEqual([
      'skipped',
      'pending',
    ])
  })
  it('are superseded later if that cannot be written now; the build still exists', async () => {
    await context.changeRepo({ auto_cancel_pushes: true })
    const older = await made()
    const publish = vi.spyOn(context.ci.events, 'publish')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const locks = context.ci.locks
    let failures = 0
    const failing = {
      ...context.ci,
      locks: <T>(key: number, work: () => Promise<T>): Promise<T> => {
        if (key !== older.id || failures > 0) return locks(key, work)
        failures += 1
        return Promise.reject(full)
      },
    }
    const hook = { ...push, after: sha }
    const newer = await triggerBuild(failing, context.closers, context.repo.id, hook)
    expect(newer?.status).toBe('pending')
    await vi.waitFor(async () => expect((await context.read(older.id)).status).toBe('skipped'), { timeout: 10_000 })
    expect(publish).toHaveBeenCalled()
    failures = 0
    const broken = {
      ...failing,
      locks: <T>(key: number, work: () => Promise<T>): Promise<T> =>
        key === newer?.id ? Promise.reject(new Error('broken')) : locks(key, work),
    }
    await expect(triggerBuild(broken, context.closers, context.repo.id, hook)).rejects.toThrow('broken')
  })
})

describe('a copy', () => {
  it('has the file of its parent, whatever the commit has now', async () => {
    const first = await made()
    const other = context.history.commit(null)
    const copy = await made({ parent: first.number, after: other })
    expect(copy).toMatchObject({ number: 2, parent: 1, status: 'pending' })
    expect(await findConfig(context.db, copy.id)).toBe(plain)
  })
  it('of one without a file reads it again', async () => {
    const missing = context.history.commit(null)
    const first = await made({ after: missing })
    expect(first.status).toBe('error')
    const copy = await made({ parent: first.number, after: sha })
    expect(copy.status).toBe('pending')
  })
  it('of a missing build is evaluated on its own', async () => {
    const copy = await made({ parent: 77 })
    expect(copy).toMatchObject({ parent: 77, status: 'pending' })
    expect(await findGate(context.db, copy.id)).toEqual({ origin: 'push', gated: false })
  })
  it('keeps the event that it began with', async () => {
    const first = await made()
    const copy = await made({ parent: first.number, event: 'promote', deployTo: 'prod' })
    expect(await findGate(context.db, copy.id)).toEqual({ origin: 'push', gated: false })
  })
})

describe('approval', () => {
  const statuses = async (hook: Partial<Hook> = {}) => (await context.statuses((await made(hook)).id)).slice(1)
  const request = { event: 'pull_request', ref: 'refs/pull/1/head' } as const
  it.each<[string, object, Partial<Hook>, string]>([
    ['a push', {}, {}, 'pending'],
    ['a push to a protected repository', { protected: true }, {}, 'blocked'],
    ['a tag of a protected repository', { protected: true }, { event: 'tag' }, 'blocked'],
    ['a build by hand', { protected: true }, { event: 'custom' }, 'blocked'],
    ['a cron job', { protected: true }, { event: 'cron' }, 'blocked'],
    ['a pull request', {}, request, 'blocked'],
    ['a pull request of a trusted repository', { trusted: true }, request, 'pending'],
    ['a pull request of a trusted, protected one', { trusted: true, protected: true }, request, 'blocked'],
  ])('%s', async (_what, settings, hook, expected) => {
    await context.changeRepo(settings)
    expect(await statuses(hook)).toEqual([expected])
  })

  const approve = (number: number, stage = 1) =>
    approveStage(context.ci, context.repo, number, stage, { ...context.user, login: 'wes' })
  const copies = async (parent: Build, hook: Partial<Hook> = {}) => {
    const copy = await made({ event: parent.event, ref: parent.ref, parent: parent.number, ...hook })
    return (await context.read(copy.id)).stages
  }
  const facts = (stages: readonly Stage[]) => stages.map(({ status, approved_by: by }) => [status, by])

  it('of a build that waits is none for its copy, also once nothing is protected any more', async () => {
    await context.changeRepo({ protected: true })
    const waiting = await made()
    await context.changeRepo({ protected: false })
    expect(facts(await copies(waiting))).toEqual([['blocked', undefined]])
  })
  it('goes along with its stage, and with no other', async () => {
    sha = context.history.commit(pipelines({ a: '', b: '', c: 'depends_on: [a]' }))
    await context.changeRepo({ protected: true })
    const parent = await made()
    await approve(parent.number, 1)
    await approve(parent.number, 3)
    const [a, ...others] = await copies(parent)
    expect(a).toMatchObject({ status: 'pending', approved: context.clock.now, approved_by: 'wes' })
    expect(facts(others)).toEqual([
      ['blocked', undefined],
      ['waiting_on_dependencies', 'wes'],
    ])
  })
  it('of a pull request is none for a deployment, which sees more secrets', async () => {
    const parent = await made(request)
    await approve(parent.number)
    expect(facts(await copies(parent))).toEqual([['pending', 'wes']])
    expect(facts(await copies(parent, { event: 'promote', deployTo: 'prod' }))).toEqual([['blocked', undefined]])
  })
  it('of a deployment goes along with its copy', async () => {
    const parent = await made(request)
    const deployed = await made({ event: 'promote', parent: parent.number, deployTo: 'prod' })
    await approve(deployed.number)
    expect(facts(await copies(deployed))).toEqual([['pending', 'wes']])
  })
  it('is not noted where none is needed', async () => {
    const parent = await made()
    const [stage = expect.fail('no stage')] = (await context.read(parent.id)).stages
    await updateStage(context.db, { ...stage, approved: 5, approved_by: 'eve' })
    expect(facts(await copies(parent))).toEqual([['pending', undefined]])
  })
})
