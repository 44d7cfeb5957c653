/**
 * From an empty folder to a build of each kind, with a real Gogs and the real server in separate
 * processes. Runs if FLIGHTDECK_GOGS names the program of a Gogs 0.13.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Build, Repo, User } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ForgeClone } from '../testing/forge-clone.ts'
import { isOver, until } from '../testing/forge-world.ts'
import { gogsFork, gogsProgram, startGogsWorld, type GogsWorld } from '../testing/gogs.ts'
import { forgePassword, type RealForge } from '../testing/real-forge.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const run = promisify(execFile)
const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - git remote get-url origin
  - echo "$DRONE_BUILD_EVENT of $DRONE_COMMIT_REF"
`

interface Connection {
  hook: { state: string; error: string; seen: number; manual?: { secret: string } }
  mirror: { fetched: number; error: string }
  acts_as: string
}

// Needs the program of a Gogs (FLIGHTDECK_GOGS).
describe.skipIf(!gogsProgram)('with a real Gogs', () => {
  let world: GogsWorld
  let gogs: RealForge
  let address: string
  let cookie: string

  const signIn = (login: string, password?: string) => world.signIn(login, password)
  const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const call = (path: string, method = 'GET', as = cookie) => world.call(as, path, method)
  const json = <T>(path: string, method = 'GET', as = cookie) => world.json<T>(as, path, method)
  const builds = (slug = 'ann/app') => json<Build[]>(`/api/repos/${slug}/builds`)
  const buildWhere = (isRight: (build: Build) => boolean, slug = 'ann/app') => world.buildWhere(cookie, slug, isRight)
  let app: ForgeClone

  beforeAll(async () => {
    world = await startGogsWorld(gogsProgram ?? '', ['ann', 'bob'])
    gogs = world.forge
    address = world.address
    await gogs.api('ann', 'POST', '/user/repos', { name: 'app', private: true })
    app = await world.clone('ann', 'ann/app')
    await app.commit('.drone.yml', pipeline, 'First')
    await app.git('push', '-q', 'origin', 'master')
  })
  afterAll(() => world?.close())

  it('signs in with the form, and refuses a wrong password', async () => {
    const wrong = await signIn('ann', 'another word')
    expect([wrong.status, wrong.headers.get('location')?.split('?')[0]]).toEqual([303, '/login/error'])
    const right = await signIn('ann')
    expect([right.status, right.headers.get('location')]).toEqual([303, '/'])
    cookie = cookieOf(right)
    expect(await json<User>('/api/user')).toMatchObject({ login: 'ann', admin: false })
    // A second time: Gogs refuses another token with the same name.
    expect((await signIn('ann')).headers.get('location')).toBe('/')
    expect((await signIn('ANN', forgePassword('ann'))).headers.get('location')).toBe('/')
    const basic = `Basic ${Buffer.from(`ann:${forgePassword('ann')}`).toString('base64')}`
    const tokens = await fetch(`${gogs.url}/api/v1/users/ann/tokens`, { headers: { Authorization: basic } })
    const named = ((await tokens.json()) as { name: string }[]).filter(({ name }) => name.startsWith('flightdeck'))
    expect(named).toHaveLength(1)
    expect(await (await fetch(`${address}/api/forge`)).json()).toMatchObject({ title: 'Gogs', sign_in: 'password' })
  })

  it('reads the repositories, with the rights of the person', async () => {
    const repos = await until(
      () => json<Repo[]>('/api/user/repos'),
      (list) => list.some(({ slug }) => slug === 'ann/app'),
    )
    expect(repos.map(({ slug }) => slug)).toEqual(['ann/app'])
    const bob = cookieOf(await signIn('bob'))
    await json('/api/user/repos', 'POST', bob)
    expect((await call('/api/repos/ann/app', 'GET', bob)).status).toBe(404)
  })

  it('activates: a hook at Gogs, and a mirror', async () => {
    // Of a Drone server that was here before. Gogs changes no secret of a hook.
    const config = { url: `${address}/hook?secret=of-drone`, content_type: 'json', secret: 'of-drone' }
    await gogs.api('ann', 'POST', '/repos/ann/app/hooks', { type: 'gogs', config, events: ['push'], active: true })
    await json('/api/repos/ann/app', 'POST')
    const hooks = (await gogs.api('ann', 'GET', '/repos/ann/app/hooks')) as { config: { url: string } }[]
    expect(hooks.map(({ config }) => config.url)).toEqual([`${address}/hook`])
    const state = await json<Connection>('/api/repos/ann/app/forge')
    expect(state).toMatchObject({ hook: { state: 'installed', error: '' }, mirror: { error: '' }, acts_as: 'ann' })
  })

  it('builds a push within seconds, from the mirror, with the forge as origin', async () => {
    const pushed = Math.floor(Date.now() / 1000)
    const sha = await app.commit('a', '1', 'Second')
    await app.git('push', '-q', 'origin', 'master')
    const build = await buildWhere((one) => one.after === sha && isOver(one))
    expect(build).toMatchObject({ event: 'push', status: 'success', sender: 'ann', target: 'master', trigger: '@hook' })
    expect((await json<Connection>('/api/repos/ann/app/forge')).hook.seen).toBeGreaterThanOrEqual(pushed)
    const log = JSON.stringify(await json(`/api/repos/ann/app/builds/${build.number}/logs/1/2`))
    expect(log).toContain(`${gogs.url}/ann/app.git`)
  })

  it('builds a new branch and a tag, and forgets a deleted branch', async () => {
    await app.git('checkout', '-q', '-b', 'feature/x')
    const sha = await app.commit('b', '1', 'Feature')
    await app.git('tag', '-a', '-m', 'Tag', 'v1')
    await app.git('push', '-q', 'origin', 'feature/x', 'v1')
    await buildWhere(({ event, after, target }) => event === 'push' && after === sha && target === 'feature/x')
    const tag = await buildWhere((one) => one.event === 'tag' && isOver(one))
    expect(tag).toMatchObject({ ref: 'refs/tags/v1', after: sha, status: 'success' })
    const count = (await builds()).length
    await app.git('push', '-q', 'origin', ':feature/x')
    await until(
      () => json<Build[]>('/api/repos/ann/app/builds/branches'),
      (list) => list.every(({ target }) => target !== 'feature/x'),
    )
    expect(await builds()).toHaveLength(count)
    await app.git('checkout', '-q', 'master')
  })

  it('builds a pull request from a fork once it is approved, and ends what waits when it is closed', async () => {
    await gogs.api('ann', 'PUT', '/repos/ann/app/collaborators/bob', { permission: 'read' })
    await gogsFork(gogs, 'bob', 'ann/app')
    const fork = await world.clone('bob', 'bob/app')
    await fork.git('fetch', '-q', 'origin')
    await fork.git('checkout', '-q', '-B', 'fix', 'origin/master')
    const sha = await fork.commit('c', '1', 'Fix it')
    await fork.git('push', '-q', 'origin', 'fix')
    const made = await gogs.form('bob', '/ann/app/compare/master...bob:fix', { title: 'A fix', content: 'Please' })
    expect(made.headers.get('location')).toContain('/ann/app/pulls/1')
    const waiting = await buildWhere(({ event }) => event === 'pull_request')
    expect(waiting).toMatchObject({
      ref: 'refs/pull/1/head',
      after: sha,
      title: 'A fix',
      source: 'fix',
      target: 'master',
      source_repo: 'bob/app',
      status: 'pending',
      author_login: 'bob',
    })
    expect((await json<Build[]>('/api/repos/ann/app/builds/pulls')).map(({ number }) => number)).toEqual([
      waiting.number,
    ])
    await call(`/api/repos/ann/app/builds/${waiting.number}/approve/1`, 'POST')
    expect(await buildWhere((one) => one.number === waiting.number && isOver(one))).toMatchObject({ status: 'success' })

    const second = await fork.commit('c', '2', 'Fix it more')
    await fork.git('push', '-q', 'origin', 'fix')
    const next = await buildWhere(({ event, after }) => event === 'pull_request' && after === second)
    expect(next).toMatchObject({ action: 'synchronized', status: 'pending' })

    // A lost webhook does not matter: Gogs has no list of pull requests, but their heads are in the
    // mirror.
    for (const { id } of (await gogs.api('ann', 'GET', '/repos/ann/app/hooks')) as { id: number }[])
      await gogs.api('ann', 'DELETE', `/repos/ann/app/hooks/${id}`)
    const third = await fork.commit('c', '3', 'Lose the webhook')
    await fork.git('push', '-q', 'origin', 'fix')
    // Gogs writes the head a moment after the push.
    const unheard = await until(
      async () => {
        await call('/api/repos/ann/app/forge/fetch', 'POST')
        return builds()
      },
      (list) => list.some(({ after }) => after === third),
    )
    const facts = { event: 'pull_request', action: 'synchronized', title: 'A fix', source_repo: 'bob/app' }
    expect(unheard.find(({ after }) => after === third)).toMatchObject({ ...facts, status: 'pending' })
    await json('/api/repos/ann/app/repair', 'POST')

    await gogs.api('ann', 'PATCH', '/repos/ann/app/issues/1', { state: 'closed' })
    for (const { number } of [next, ...unheard.filter(({ after }) => after === third)])
      expect(await buildWhere((one) => one.number === number && isOver(one))).toMatchObject({ status: 'killed' })
  })

  it('follows a repository that was renamed without a hook', async () => {
    const before = await json<Repo>('/api/repos/ann/app')
    await gogs.form('ann', '/ann/app/settings', { action: 'update', repo_name: 'tool', description: '', website: '' })
    await json('/api/user/repos', 'POST')
    const after = await json<Repo>('/api/repos/ann/tool')
    expect(after).toMatchObject({ id: before.id, uid: before.uid, active: true })
    expect((await json<Build[]>('/api/repos/ann/tool/builds')).length).toBeGreaterThan(3)
    const old = await fetch(`${address}/api/repos/ann/app/builds`, { headers: { Cookie: cookie }, redirect: 'manual' })
    expect([old.status, old.headers.get('location')]).toEqual([301, '/api/repos/ann/tool/builds'])
    await app.git('remote', 'set-url', 'origin', `${gogs.url}/ann/tool.git`)
    const sha = await app.commit('d', '1', 'After the new name')
    await app.git('push', '-q', 'origin', 'master')
    expect(await buildWhere((one) => one.after === sha && isOver(one), 'ann/tool')).toMatchObject({ status: 'success' })
  })

  it('keeps no token and no password in clear, and none on a command line or in a log', async () => {
    expect(await gogs.api('ann', 'GET', '/user')).toMatchObject({ username: 'ann' })
    const database = readFileSync(join(world.folder, 'data', 'flightdeck.db')).toString('latin1')
    expect(database).not.toContain(forgePassword('ann'))
    expect(database).not.toMatch(/"access":/)
    expect(world.server.errors()).not.toContain(forgePassword('ann'))
    const { stdout } = await run('grep', [
      '-rlE',
      'x-oauth-basic|password-of-ann',
      join(world.folder, 'data', 'mirrors'),
    ]).catch(() => ({ stdout: '' }))
    expect(stdout).toBe('')
  })

  it('disables: the hook is gone', async () => {
    await json('/api/repos/ann/tool', 'DELETE')
    expect(await gogs.api('ann', 'GET', '/repos/ann/tool/hooks')).toEqual([])
  })
})
