/** What each cause of a build fills in (docs/api §5.3). */
import type { Build, Repo, User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCron } from '../store/cron.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { cronHook, customHook, deployHook, restartHook } from './hooks.ts'

let context: TestContext
let repo: Repo
let wes: User
beforeEach(async () => {
  context = await openContext()
  repo = context.repo
  wes = { ...context.user, login: 'wes' }
})
afterEach(() => context.close())

let [old, head, stray] = ['', '', '']
beforeEach(() => {
  const { history } = context
  old = history.commit(null, 'Old')
  head = history.commit(null, 'Head\n\n')
  for (const name of ['refs/heads/x/y', 'refs/tags/v1']) history.refs.set(name, head)
  stray = history.commit(null, 'Stray')
  history.refs.set('refs/heads/main', head)
})

describe('a build by hand', () => {
  it('is of the head of the default branch', async () => {
    expect(await customHook(context.ci, repo, { params: { A: '1' } }, wes)).toEqual({
      event: 'custom',
      action: '',
      trigger: 'wes',
      actor: 'wes',
      sender: 'wes',
      ref: 'refs/heads/main',
      source: 'main',
      target: 'main',
      before: head,
      after: head,
      message: 'Head',
      link: `http://ci.example.com/link/acme/web/commit/${head}`,
      author: { login: '', name: 'Ada', email: 'ada@example.com', avatar: '' },
      params: { A: '1' },
    })
  })

  it('takes a branch, a message, an action and a commit of that branch', async () => {
    const input = { branch: 'refs/heads/x/y', commit: old, message: 'because', action: 'nightly', params: {} }
    expect(await customHook(context.ci, repo, input, wes)).toMatchObject({
      ref: 'refs/heads/x/y',
      source: 'x/y',
      target: 'x/y',
      before: old,
      after: old,
      message: 'because',
      action: 'nightly',
    })
    const named = await customHook(context.ci, repo, { branch: 'main', commit: '', params: {} }, wes)
    expect(named.after).toBe(head)
  })

  it.each<[string, () => object, { status: number; message: unknown }]>([
    [
      'a branch that is none',
      () => ({ branch: 'refs/pull/7/head' }),
      { status: 400, message: 'refs/pull/7/head is neither a branch nor a tag' },
    ],
    ['a branch that is not there', () => ({ branch: 'gone' }), { status: 404, message: 'Not Found' }],
    ['a commit that is not there', () => ({ commit: 'd'.repeat(40) }), { status: 404, message: 'Not Found' }],
    [
      'a commit of a branch that is not there',
      () => ({ branch: 'gone', commit: old }),
      { status: 404, message: 'Not Found' },
    ],
    [
      'a commit of another branch',
      () => ({ commit: stray }),
      { status: 400, message: expect.stringContaining('is not on main') },
    ],
  ])('refuses %s', async (_what, made, refusal) => {
    const input = made()
    await expect(customHook(context.ci, repo, { params: {}, ...input }, wes)).rejects.toMatchObject(refusal)
  })

  it('needs an owner of the repository', async () => {
    const refusal = { status: 404, message: 'sql: no rows in result set' }
    await expect(customHook(context.ci, { ...repo, user_id: 99 }, { params: {} }, wes)).rejects.toMatchObject(refusal)
  })
})

it('a cron job names a person only if one started it by hand', async () => {
  const base = { repo_id: repo.id, name: 'nightly', branch: 'main', expr: '@daily', next: 1 }
  const plain = await createCron(context.db, base)
  const hook = await cronHook(context.ci, repo, { ...plain, target: 'prod' })
  expect(hook).toEqual({
    event: 'cron',
    trigger: '@cron',
    actor: '',
    sender: '',
    ref: 'refs/heads/main',
    source: '',
    target: 'main',
    before: '',
    after: head,
    message: 'Head',
    link: `http://ci.example.com/link/acme/web/commit/${head}`,
    author: { login: '', name: 'Ada', email: 'ada@example.com', avatar: '' },
    cron: 'nightly',
    // Nor `deploy_to` of the build: recordings/http/cron.json, "run now" of a job with a target.
  })
  expect(await cronHook(context.ci, repo, plain, wes)).toMatchObject({
    actor: 'wes',
    // recordings/http/cron.json: POST by wes.
    sender: '',
    trigger: '@cron',
  })
})

describe('a copy', () => {
  const shared = {
    action: 'opened',
    ref: 'refs/pull/7/head',
    source: 'fix',
    target: 'main',
    before: 'b'.repeat(40),
    after: 'a'.repeat(40),
    message: 'm',
    title: 't',
    link: 'http://a/b',
    cron: 'c',
  }
  const copied = {
    ...shared,
    trigger: 'wes',
    actor: 'wes',
    sender: 'eve',
    sourceRepo: 'eve/web',
    author: { login: 'eve', name: 'Eve', email: 'eve@example.com', avatar: 'http://a/c' },
    parent: 4,
  }
  let build: Build
  beforeEach(async () => {
    build = await context.build([], {
      ...shared,
      number: 4,
      event: 'pull_request',
      sender: 'eve',
      source_repo: 'eve/web',
      author_login: 'eve',
      author_name: 'Eve',
      author_email: 'eve@example.com',
      author_avatar: 'http://a/c',
      params: { A: 'old', B: 'old' },
      deploy_to: 'd',
    })
  })
  const params = { B: 'new', C: 'new' }

  it('is like its build, by the person who started it; the old parameters win', () => {
    expect(restartHook(build, { debug: true, params }, wes)).toEqual({
      ...copied,
      event: 'pull_request',
      deployTo: 'd',
      debug: true,
      params: {
        A: 'old',
        B: 'old',
        C: 'new',
      },
    })
  })

  it('for a deployment has its target; the new parameters win', () => {
    expect(deployHook(build, { event: 'rollback', target: 'prod', params }, wes)).toEqual({
      ...copied,
      event: 'rollback',
      deployTo: 'prod',
      params: {
        A: 'old',
        B: 'new',
        C: 'new',
      },
    })
  })

  it('of a build that says little says as little', () => {
    const { title: _t, params: _p, cron: _c, deploy_to: _d, ...little } = build
    const empty = { title: '', cron: '', deployTo: '', params: {} }
    expect(restartHook(little, { debug: false, params: {} }, wes)).toMatchObject({ ...empty, debug: false })
  })
})
