/**
 * From sign-in to commit statuses with the real server as a process, and fake Gitea, GitHub and
 * GitLab below a path: OAuth, real git, signed webhooks, and attacks. Gogs is tested for real
 * (`gogs.system.test.ts`).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Build, Repo, User } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGitea } from '../testing/forges/gitea.ts'
import { startGithub } from '../testing/forges/github.ts'
import { startGitlab } from '../testing/forges/gitlab.ts'
import type { StandForge } from '../testing/forges/stand.ts'
import { eventsOf } from '../testing/forges/payloads.ts'
import type { StandRepository } from '../testing/forges/world.ts'
import { isOver, until } from '../testing/forge-world.ts'
import { spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const run = promisify(execFile)
const starts = { gitea: startGitea, github: startGithub, gitlab: startGitlab }
const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - test -z "$SECRET_OF_NOBODY"
`

describe.each(['gitea', 'github', 'gitlab'] as const)('with %s', (kind) => {
  const namespace = kind === 'gitlab' ? 'team/sub' : 'team'
  const slug = `${encodeURIComponent(namespace)}/app`
  const events = eventsOf(kind)
  let folder: string
  let forge: StandForge
  let server: ServerProcess
  let address: string
  let cookie: string
  let app: StandRepository
  let work: ReturnType<typeof testRepository>

  const call = (path: string, method = 'GET', as = cookie): Promise<Response> =>
    fetch(`${address}${path}`, { method, headers: { Cookie: as }, redirect: 'manual' })
  async function json<T>(path: string, method = 'GET'): Promise<T> {
    const answer = await call(path, method)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const builds = () => json<Build[]>(`/api/repos/${slug}/builds`)
  const buildWhere = async (isRight: (build: Build) => boolean): Promise<Build> => {
    const list = await until(builds, (all) => all.some(isRight))
    return list.find(isRight) ?? expect.fail('no build')
  }
  /** The token is valid for one push, as that of a user with write access. */
  const push = async (...refs: string[]): Promise<void> => {
    const { access } = forge.world.tokensFor('ann')
    const to = new URL(`${forge.url}/${namespace}/app.git`)
    to.username = 'oauth2'
    to.password = access
    await run('git', ['-C', work.path, 'push', '-q', '-f', to.href, ...refs])
  }
  const cookiesOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((text) => text.split(';', 1)[0])
      .join('; ')
  async function begin(): Promise<{ kept: string; to: string }> {
    const answer = await fetch(`${address}/login`, { redirect: 'manual' })
    return { kept: cookiesOf(answer), to: answer.headers.get('location') ?? '' }
  }
  const finish = (query: string, kept: string): Promise<Response> =>
    fetch(`${address}/login${query}`, { headers: { Cookie: kept }, redirect: 'manual' })
  async function signIn(login: string): Promise<Response> {
    const { kept, to } = await begin()
    return finish(new URL(forge.agree(to, login)).search, kept)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flightdeck-stand-'))
    forge = await starts[kind]('/git')
    const { world } = forge
    for (const login of ['ann', 'bob', 'eve']) world.addPerson(login)
    world.addOrganization(namespace, 'ann')
    app = world.addRepository(`${namespace}/app`, { ann: 'admin', bob: 'read' })
    work = testRepository(join(folder, 'work'))
    work.commit({ '.drone.yml': pipeline }, 'First')
    await push('HEAD:main')
    const name = kind.toUpperCase()
    const environment = {
      [`FLIGHTDECK_${name}_CLIENT_ID`]: forge.clientId,
      [`FLIGHTDECK_${name}_CLIENT_SECRET`]: forge.clientSecret,
    }
    const words = ['--port', '0', '--data', join(folder, 'data'), `--${kind}`, forge.url, '--isolation', 'none']
    server = spawnServer(words, environment)
    address = await server.ready
  })
  afterAll(async () => {
    server?.kill('SIGTERM')
    await server?.ended
    await forge?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('signs in with OAuth', async () => {
    const answer = await signIn('ann')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    cookie = cookiesOf(answer)
    expect(await json<User>('/api/user')).toMatchObject({ login: 'ann', admin: false })
  })

  it('lets no answer in that was not asked for in this browser', async () => {
    const { kept, to } = await begin()
    const back = new URL(forge.agree(to, 'eve'))
    const code = back.searchParams.get('code') ?? ''
    const state = back.searchParams.get('state') ?? ''
    const other = await begin()
    const tries = [
      [`?code=${code}&state=${state}`, ''],
      [`?code=${code}&state=${state}`, other.kept],
      [`?code=${code}&state=`, kept],
      [`?code=${code}`, kept],
      [`?code=${code}&state=${state}x`, kept],
      [`?code=&state=${state}`, kept],
      [`?error=access_denied&state=${state}`, kept],
    ] as const
    for (const [query, cookies] of tries) {
      const answer = await finish(query, cookies)
      expect(answer.headers.get('location')?.startsWith('/login/error')).toBe(true)
      const eve = await call('/api/user', 'GET', cookiesOf(answer))
      expect(eve.status).toBe(401)
    }
    expect(new URL(to).searchParams.get('redirect_uri')).toBe(`${address}/login`)
  })

  it('reads the repositories with the rights of the person', async () => {
    const repos = await until(
      () => json<Repo[]>('/api/user/repos'),
      (list) => list.length > 0,
    )
    expect(repos).toMatchObject([{ namespace, name: 'app', private: true, uid: String(app.id) }])
    const eve = cookiesOf(await signIn('eve'))
    expect((await call(`/api/repos/${slug}`, 'GET', eve)).status).toBe(404)
  })

  it('enables: one hook, also for two people at the same time', async () => {
    await Promise.all([json(`/api/repos/${slug}`, 'POST'), json(`/api/repos/${slug}`, 'POST')])
    expect(app.hooks.map(({ url }) => url)).toEqual([`${address}/hook`])
    expect(app.hooks[0]?.secret.length).toBeGreaterThan(20)
  })

  it('builds a push once, and sends the status to the forge', async () => {
    const before = work.git('rev-parse', 'HEAD')
    const after = work.commit({ a: '1' }, 'Second')
    await push('HEAD:main')
    const [event, payload] = events.push(app, { ref: 'refs/heads/main', before, after, message: 'Second' })
    expect(await forge.deliver(app, event, payload)).toEqual([200])
    const build = await buildWhere((one) => one.after === after && isOver(one))
    expect(build).toMatchObject({
      event: 'push',
      status: 'success',
      before,
      target: 'main',
      sender: 'ann',
      message: 'Second',
      trigger: '@hook',
    })
    const name = 'continuous-integration/drone/push'
    const sent = await until(
      () => app.statuses.filter(({ sha, context }) => sha === after && context === name),
      (list) => list.at(-1)?.state === 'success',
    )
    expect(sent.at(-1)?.url).toBe(`${address}/${slug}/${build.number}`)
    // A redelivery, and the same events in another order.
    await forge.deliver(app, event, payload)
    await forge.deliver(app, event, payload)
    expect((await builds()).filter((one) => one.after === after)).toHaveLength(1)
  })

  it('builds the branch and the tag of one push, each once', async () => {
    const after = work.git('rev-parse', 'HEAD')
    work.git('tag', '-a', '-m', 'One', 'v1.0.0')
    await push('HEAD:release', 'v1.0.0')
    const zeros = '0'.repeat(40)
    const branch = events.push(app, { ref: 'refs/heads/release', before: zeros, after, message: 'Second' })
    const tag = events.push(app, { ref: 'refs/tags/v1.0.0', before: zeros, after, message: 'Second' })
    await forge.deliver(app, ...branch)
    await forge.deliver(app, ...tag)
    expect(await buildWhere(({ ref }) => ref === 'refs/heads/release')).toMatchObject({ event: 'push', before: zeros })
    expect(await buildWhere(({ ref }) => ref === 'refs/tags/v1.0.0')).toMatchObject({
      event: 'tag',
      after,
      before: zeros,
    })
    if (kind === 'gitea') {
      const created = { ref: 'v1.0.0', ref_type: 'tag', sha: work.git('rev-parse', 'v1.0.0') }
      const { repository, sender } = tag[1] as Record<string, unknown>
      await forge.deliver(app, 'create', { ...created, repository, sender })
      await forge.deliver(app, ...tag)
    }
    const [, again] = branch
    await forge.deliver(app, branch[0], again)
    const count = await builds()
    expect(count.filter(({ ref }) => ref === 'refs/tags/v1.0.0')).toHaveLength(1)
    expect(count.filter(({ ref }) => ref === 'refs/heads/release')).toHaveLength(1)
  })

  // Of the three, only GitHub has deployments.
  it.runIf(kind === 'gitea')('builds a branch that is reported as created, but not as pushed', async () => {
    work.git('checkout', '-q', '-b', 'renamed')
    const after = work.commit({ renamed: '1' }, 'Under a new name')
    await push('HEAD:refs/heads/renamed')
    const [, pushed] = events.push(app, { ref: 'refs/heads/renamed', before: '0'.repeat(40), after, message: '' })
    const created = { ...(pushed as object), ref: 'renamed', ref_type: 'branch', sha: after }
    for (let times = 0; times < 2; times += 1) expect(await forge.deliver(app, 'create', created)).toEqual([200])
    const build = await buildWhere((one) => one.after === after)
    expect(build).toMatchObject({ event: 'push', ref: 'refs/heads/renamed', target: 'renamed' })
    work.git('checkout', '-q', 'main')
  })

  it.runIf(kind === 'github')('builds a deployment as a promotion, and reports its status', async () => {
    const after = work.git('rev-parse', 'HEAD')
    for (const [id, ref, expected] of [
      [41, 'main', 'refs/heads/main'],
      [42, 'v1.0.0', 'refs/tags/v1.0.0'],
      [43, after, after],
    ] as const) {
      await forge.deliver(app, ...events.deployment(app, { id, ref, after, environment: 'Production EU' }))
      const build = await buildWhere((one) => one.event === 'promote' && one.ref === expected && isOver(one))
      expect(build).toMatchObject({ after, status: 'success', deploy_to: 'Production EU', params: { count: '2' } })
      await until(
        () => app.deployments.filter((one) => one.id === id),
        (list) => list.at(-1)?.state === 'success',
      )
    }
    const contexts = app.statuses.map(({ context }) => context)
    expect(contexts).toContain('continuous-integration/drone/promote/production-eu')
  })

  it('answers a hook at once while the forge hangs', async () => {
    const after = work.git('rev-parse', 'HEAD')
    forge.lie = { kind: 'never' }
    try {
      const [event, payload] = events.push(app, { ref: 'refs/heads/slow', before: '', after, message: 'x' })
      expect(await forge.deliver(app, event, payload)).toEqual([200])
      expect(await json<User>('/api/user')).toMatchObject({ login: 'ann' })
    } finally {
      forge.lie = undefined
      forge.letGo()
    }
  })

  it('refuses hooks that are forged, unsigned or of another repository', async () => {
    const count = (await builds()).length
    const other = forge.world.addRepository(`${namespace}/other`, { ann: 'admin' })
    const after = work.git('rev-parse', 'HEAD')
    const [event, payload] = events.push(app, { ref: 'refs/heads/x', before: '0'.repeat(40), after, message: 'x' })
    const hook = { id: 1, url: `${address}/hook`, secret: 'guessed', events: [], active: true }
    expect(await forge.deliver({ ...app, hooks: [hook] }, event, payload)).toEqual([400])
    expect(await forge.deliver({ ...app, hooks: [{ ...hook, secret: '' }] }, event, payload)).toEqual([400])
    const secretInAddress = `${address}/hook?secret=${encodeURIComponent(app.hooks[0]?.secret ?? '')}`
    expect(await forge.deliver({ ...app, hooks: [{ ...hook, url: secretInAddress }] }, event, payload)).toEqual([400])
    const [, unknown] = events.push(other, { ref: 'refs/heads/main', before: '', after, message: 'x' })
    expect(await forge.deliver({ ...other, hooks: app.hooks }, event, unknown)).toEqual([400])
    expect(await builds()).toHaveLength(count)
  })

  it('builds a pull request of a fork once it is approved, with the picture of its author', async () => {
    work.git('checkout', '-q', '-b', 'fix')
    const head = work.commit({ b: '1' }, 'Fix')
    const ref = kind === 'gitlab' ? 'refs/merge-requests/5/head' : 'refs/pull/5/head'
    await push(`HEAD:${ref}`)
    const facts = {
      number: 5,
      head,
      title: 'Fix it',
      source: 'fix',
      target: 'main',
      fork: true,
      action: 'opened',
    } as const
    const [event, payload] = events.pullRequest(app, facts)
    expect(await forge.deliver(app, event, payload)).toEqual([200])
    const build = await buildWhere((one) => one.after === head)
    expect(build).toMatchObject({
      event: 'pull_request',
      status: 'pending',
      ref,
      title: 'Fix it',
      source: 'fix',
      target: 'main',
      source_repo: 'bob/app',
      author_login: 'bob',
    })
    expect(build.author_avatar).toContain('/avatars/bob')
    const name = 'continuous-integration/drone/pr'
    await until(
      () => app.statuses.filter(({ sha, context }) => sha === head && context === name),
      (list) => list.at(-1)?.state === 'pending',
    )
    // Labels and titles start no builds.
    const count = (await builds()).length
    const [edited, label] = events.pullRequest(app, { ...facts, action: 'labelled' })
    expect(await forge.deliver(app, edited, label)).toEqual([200])
    expect(await builds()).toHaveLength(count)
    // Another target makes another build, which waits for approval like the first one, whatever was
    // decided there.
    await call(`/api/repos/${slug}/builds/${build.number}/approve/1`, 'POST')
    await buildWhere((one) => one.number === build.number && isOver(one))
    const moved = events.pullRequest(app, { ...facts, action: 'retargeted', target: 'release' })
    for (let times = 0; times < 2; times += 1) expect(await forge.deliver(app, ...moved)).toEqual([200])
    const second = await buildWhere((one) => one.after === head && one.target === 'release')
    expect(await json<Build>(`/api/repos/${slug}/builds/${second.number}`)).toMatchObject({
      status: 'pending',
      stages: [{ status: 'blocked' }],
    })
    const [, closed] = events.pullRequest(app, { ...facts, action: 'closed' })
    expect(await forge.deliver(app, event, closed)).toEqual([200])
    expect(await buildWhere((one) => one.number === second.number && isOver(one))).toMatchObject({ status: 'killed' })
    expect(await builds()).toHaveLength(count + 1)
    work.git('checkout', '-q', 'main')
  })

  it('builds a pull request whose webhooks were lost, and closes it when it is gone', async () => {
    const fork = forge.world.addRepository('bob/app', { ann: 'read', bob: 'admin' })
    work.git('checkout', '-q', '-b', 'lost')
    const head = work.commit({ lost: '1' }, 'Nobody told')
    await push(`HEAD:refs/${kind === 'gitlab' ? 'merge-requests' : 'pull'}/6/head`)
    const author = forge.world.people.get('bob') ?? expect.fail('no bob')
    app.pulls = [{ number: 6, title: 'Unheard', source: 'lost', target: 'main', head, from: fork, author }]
    expect((await call(`/api/repos/${slug}/forge/fetch`, 'POST')).status).toBe(204)
    const build = await buildWhere((one) => one.after === head)
    expect(build).toMatchObject({ event: 'pull_request', title: 'Unheard', source_repo: 'bob/app', status: 'pending' })
    app.pulls = []
    expect((await call(`/api/repos/${slug}/forge/fetch`, 'POST')).status).toBe(204)
    expect(await buildWhere((one) => one.number === build.number && isOver(one))).toMatchObject({ status: 'killed' })
    work.git('checkout', '-q', 'main')
  })

  it.runIf(kind === 'github')("runs a pull request's checks on the commit of a merge queue", async () => {
    work.git('checkout', '-q', '-b', 'queue')
    const before = work.git('rev-parse', 'main')
    const pulls = [
      'kind: pipeline',
      'type: exec',
      'name: checks',
      'node: {nobody: has}',
      'trigger: {event: pull_request}',
    ]
    const file = `${pulls.join('\n')}\nsteps: [{name: look, commands: ['true']}]\n---\n${pipeline}trigger: {event: push}\n`
    const after = work.commit({ '.drone.yml': file }, 'Merge pull request #6 from bob/lost\n\nUnheard')
    const ref = `refs/heads/gh-readonly-queue/main/pr-6-${before}`
    await push(`HEAD:${ref}`)
    const pushed = events.push(app, { ref, before: '0'.repeat(40), after, message: 'Merge pull request #6' })
    for (let times = 0; times < 2; times += 1) expect(await forge.deliver(app, ...pushed)).toEqual([200])
    const build = await buildWhere((one) => one.after === after && one.event === 'pull_request')
    expect(build).toMatchObject({
      ref,
      target: 'main',
      before,
      source_repo: 'team/app',
      title: 'Merge pull request #6',
    })
    const contexts = ['push', 'pr'].map((name) => `continuous-integration/drone/${name}`)
    await until(
      () => app.statuses.filter(({ sha }) => sha === after).map(({ context }) => context),
      (sent) => contexts.every((context) => sent.includes(context)),
    )
    const built = (await builds()).filter((one) => one.after === after).map(({ event }) => event)
    expect(built.toSorted()).toEqual(['pull_request', 'push'])
    expect(await json<Build[]>(`/api/repos/${slug}/builds/pulls`)).not.toContainEqual(
      expect.objectContaining({ number: build.number }),
    )
    // The queue gave it up.
    await push(`:${ref}`)
    const removed = { ...(pushed[1] as object), before: after, after: '0'.repeat(40), deleted: true, head_commit: null }
    expect(await forge.deliver(app, 'push', removed)).toEqual([200])
    expect(await buildWhere((one) => one.number === build.number && isOver(one))).toMatchObject({ status: 'killed' })
    work.git('checkout', '-q', 'main')
  })

  it('continues when the access token was revoked early', async () => {
    forge.world.expireAccess()
    const before = work.git('rev-parse', 'HEAD')
    const after = work.commit({ c: '1' }, 'Third')
    await push('HEAD:main')
    const [event, payload] = events.push(app, { ref: 'refs/heads/main', before, after, message: 'Third' })
    // git is the first to use the invalid token.
    expect(await forge.deliver(app, event, payload)).toEqual([200])
    expect(await buildWhere((one) => one.after === after && isOver(one))).toMatchObject({ status: 'success' })
    const name = 'continuous-integration/drone/push'
    await until(
      () => app.statuses.filter(({ sha, context }) => sha === after && context === name),
      (list) => list.at(-1)?.state === 'success',
    )
    expect(await json<User>('/api/user')).toMatchObject({ login: 'ann' })
  })

  it('keeps no token in clear, and says none in its log', async () => {
    expect(server.errors()).not.toContain(forge.clientSecret)
    const { stdout } = await run('grep', ['-rlaE', '"access":|x-oauth-basic', join(folder, 'data')]).catch(() => ({
      stdout: '',
    }))
    expect(stdout).toBe('')
  })

  it('disables: the hook is gone', async () => {
    await json(`/api/repos/${slug}`, 'DELETE')
    expect(app.hooks).toEqual([])
  })
})
