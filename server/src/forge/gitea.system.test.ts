/**
 * From an empty folder to a build of each kind, with a real Gitea or Forgejo below a path and the
 * real server, in separate processes. Runs if FLIGHTDECK_GITEA or FLIGHTDECK_FORGEJO names the
 * program.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Build, Repo, User } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ForgeClone } from '../testing/forge-clone.ts'
import { cookiesOf, isOver, until } from '../testing/forge-world.ts'
import { giteaPrograms, startGiteaWorld, type Gitea, type GiteaWorld } from '../testing/gitea.ts'
import { forgePassword } from '../testing/real-forge.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
  - git remote get-url origin
  - echo "$DRONE_BUILD_EVENT of $DRONE_COMMIT_REF"
  - 'if test -e broken; then echo "Error: it is broken"; exit 1; fi'
  - 'if test -e held; then until test -e "$(cat held)"; do sleep 0.1; done; fi'
`

interface Connection {
  hook: { state: string; error: string; seen: number }
  mirror: { fetched: number; error: string }
  acts_as: string
}

interface Status {
  id: number
  context: string
  status: string
  description: string
  target_url: string
}

interface Hook {
  id: number
  events: string[]
  active: boolean
  config: { url: string; content_type: string }
}

// A file without tests would fail.
if (giteaPrograms.length === 0)
  it.skip('needs the program of a Gitea (FLIGHTDECK_GITEA) or a Forgejo (FLIGHTDECK_FORGEJO)', () => {})

describe.each(giteaPrograms)('with a real $kind', ({ kind, program }) => {
  let world: GiteaWorld
  let forge: Gitea
  let address: string
  let ann: string
  let app: ForgeClone

  const json = <T>(path: string, method = 'GET', as = ann) => world.json<T>(as, path, method)
  const call = (path: string, method = 'GET', as = ann) => world.call(as, path, method)
  const builds = (slug = 'acme/app') => json<Build[]>(`/api/repos/${slug}/builds`)
  const buildWhere = (isRight: (build: Build) => boolean, slug = 'acme/app') => world.buildWhere(ann, slug, isRight)
  const hooks = async () => (await forge.api('ann', 'GET', '/repos/acme/app/hooks')) as Hook[]
  /** The oldest first. */
  const statuses = async (sha: string) => {
    const all = (await forge.api('ann', 'GET', `/repos/acme/app/commits/${sha}/statuses`)) as Status[]
    return all
      .toSorted((a, b) => a.id - b.id)
      .map(({ context, status, description, target_url }) => ({ context, status, description, target_url }))
  }
  const push = async (...refs: string[]) => app.git('push', '-q', 'origin', ...refs)
  const fetchNow = () => call('/api/repos/acme/app/forge/fetch', 'POST')

  beforeAll(async () => {
    world = await startGiteaWorld({ kind, program, path: '/git' }, ['ann', 'bob', 'cid', 'eve'])
    ;({ forge, address } = world)
    // Steps run in another account.
    chmodSync(world.folder, 0o755)
    await forge.api('ann', 'POST', '/orgs', { username: 'acme', visibility: 'private' })
    const units = ['repo.code', 'repo.pulls', 'repo.issues']
    for (const [login, permission] of [
      ['bob', 'read'],
      ['cid', 'write'],
    ]) {
      const team = { name: `${permission}ers`, permission, units, includes_all_repositories: true }
      const { id } = (await forge.api('ann', 'POST', '/orgs/acme/teams', team)) as { id: number }
      await forge.api('ann', 'PUT', `/teams/${id}/members/${login}`)
    }
    await forge.api('ann', 'POST', '/orgs/acme/repos', { name: 'app', private: true, default_branch: 'main' })
    app = await world.clone('ann', 'acme/app')
    await app.git('checkout', '-q', '-b', 'main')
    await app.commit('.drone.yml', pipeline, 'First')
    await push('main')
  })
  afterAll(() => world?.close())

  it('signs in where the person agrees, and a second time without a question', async () => {
    const begun = await fetch(`${address}/login`, { redirect: 'manual' })
    const asked = new URL(begun.headers.get('location') ?? '')
    expect(asked.href.startsWith(`${forge.url}/login/oauth/authorize?`)).toBe(true)
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    const back = await forge.agree('ann', asked.href)
    const answer = await fetch(back, { headers: { Cookie: cookiesOf(begun) }, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    ann = cookiesOf(answer)
    expect(await json<User>('/api/user')).toMatchObject({ login: 'ann', admin: false, email: 'ann@example.com' })
    // The code is good once, and only with the verifier of this browser.
    expect((await fetch(back, { redirect: 'manual' })).headers.get('location')).toContain('/login/error')
    const other = await fetch(`${address}/login`, { redirect: 'manual' })
    const stolen = await forge.agree('eve', other.headers.get('location') ?? '')
    const mine = await fetch(stolen, { headers: { Cookie: cookiesOf(begun) }, redirect: 'manual' })
    expect(mine.headers.get('location')).toContain('/login/error')
    expect((await world.signIn('ann')).headers.get('location')).toBe('/')
  })

  it('reads the repositories of an organization with the rights of its teams', async () => {
    const list = (as: string) =>
      until(
        () => json<Repo[]>('/api/user/repos', 'GET', as),
        (repos) => repos.length > 0,
      )
    const rightsOf = async (as: string) => {
      expect((await list(as)).map(({ slug }) => slug)).toEqual(['acme/app'])
      return (await json<Repo>('/api/repos/acme/app', 'GET', as)).permissions
    }
    expect(await rightsOf(ann)).toMatchObject({ read: true, write: true, admin: true })
    expect(await rightsOf(await world.enter('bob'))).toMatchObject({ read: true, write: false, admin: false })
    expect(await rightsOf(await world.enter('cid'))).toMatchObject({ read: true, write: true, admin: false })
    const eve = await world.enter('eve')
    await json('/api/user/repos', 'POST', eve)
    expect((await call('/api/repos/acme/app', 'GET', eve)).status).toBe(404)
  })

  it('activates: one hook at the forge, and a mirror', async () => {
    // Of a Drone server that was here before. The API changes no secret of a hook.
    const config = { url: `${address}/hook?secret=of-drone`, content_type: 'json', secret: 'of-drone' }
    await forge.api('ann', 'POST', '/repos/acme/app/hooks', { type: 'gitea', config, events: ['push'], active: true })
    await Promise.all([json('/api/repos/acme/app', 'POST'), json('/api/repos/acme/app', 'POST')])
    const found = await hooks()
    expect(found).toMatchObject([{ active: true, config: { url: `${address}/hook`, content_type: 'json' } }])
    expect(found[0]?.events.toSorted()).toEqual(
      expect.arrayContaining(['create', 'delete', 'pull_request', 'pull_request_sync', 'push']),
    )
    const state = await json<Connection>('/api/repos/acme/app/forge')
    expect(state).toMatchObject({ hook: { state: 'installed', error: '' }, mirror: { error: '' }, acts_as: 'ann' })
  })

  it('builds a push from the mirror, with statuses at the forge', async () => {
    const before = await app.git('rev-parse', 'HEAD')
    const permission = join(world.folder, 'go-on')
    const sha = await app.commit('held', permission, 'Second')
    await push('main')
    // A build that is over before its pending status was sent sends only the final one.
    await until(
      () => statuses(sha),
      (all) => all.some(({ status }) => status === 'pending'),
    )
    writeFileSync(permission, '')
    const build = await buildWhere((one) => one.after === sha && isOver(one))
    expect(build).toMatchObject({ event: 'push', status: 'success', sender: 'ann', target: 'main', trigger: '@hook' })
    expect(build).toMatchObject({ before, author_login: 'ann', author_email: 'ann@example.com' })
    expect(build.message.trim()).toBe('Second')
    expect(build.author_avatar).toMatch(/^http/)
    expect(build.link).toContain(`${forge.url}/acme/app/compare/`)
    const log = JSON.stringify(await json(`/api/repos/acme/app/builds/${build.number}/logs/1/2`))
    expect(log).toContain(`${forge.url}/acme/app.git`)
    const context = 'continuous-integration/drone/push'
    const target_url = `${address}/acme/app/${build.number}`
    const sent = await until(
      () => statuses(sha),
      (all) => all.some(({ status }) => status === 'success'),
    )
    for (const one of sent) expect(one).toMatchObject({ context, target_url })
    expect(sent.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1])).toEqual([
      'pending',
      'success',
    ])
    expect(sent.at(-1)?.description).toBe('Build is passing')
    expect(await forge.api('ann', 'GET', `/repos/acme/app/commits/${sha}/status`)).toMatchObject({ state: 'success' })
  })

  it('names the failed step and its error in the status', async () => {
    const sha = await app.commit('broken', '1', 'Break it')
    await push('main')
    await buildWhere((one) => one.after === sha && isOver(one))
    // The cause is found a moment after the end.
    await until(
      () => statuses(sha),
      (all) =>
        all.some(({ status, description }) => status === 'failure' && /^look failed: .*it is broken/.test(description)),
    )
    await app.git('rm', '-q', 'broken')
    await app.git('commit', '-q', '-m', 'Mend it')
    await push('main')
  })

  it('builds a branch and a tag of one push once each, and forgets a deleted branch', async () => {
    await app.git('checkout', '-q', '-b', 'feature/x')
    const sha = await app.commit('b', '1', 'Feature')
    await app.git('tag', '-a', '-m', 'Tag', 'v1')
    await push('feature/x', 'v1')
    await buildWhere((one) => one.event === 'push' && one.after === sha && isOver(one))
    const tag = await buildWhere((one) => one.event === 'tag' && isOver(one))
    expect(tag).toMatchObject({ ref: 'refs/tags/v1', after: sha, status: 'success', sender: 'ann' })
    await until(
      () => statuses(sha),
      (all) => all.some(({ context, status }) => context.endsWith('/tag') && status === 'success'),
    )
    await app.git('tag', 'light')
    await push('light')
    await buildWhere((one) => one.ref === 'refs/tags/light' && isOver(one))
    const count = (await builds()).length
    await push(':feature/x', ':light')
    await until(
      () => json<Build[]>('/api/repos/acme/app/builds/branches'),
      (list) => list.every(({ target }) => target !== 'feature/x'),
    )
    await fetchNow()
    expect(await builds()).toHaveLength(count)
    expect((await builds()).filter(({ after }) => after === sha)).toHaveLength(3)
    await app.git('checkout', '-q', 'main')
  })

  it('starts nothing for a push that asks for it', async () => {
    for (const message of ['Words [ci skip]', '[skip ci] words', 'Words\n\n***NO_CI***']) {
      await app.commit('skipped', message, message)
      await push('main')
    }
    await fetchNow()
    const sha = await app.commit('a', '2', 'After the skipped ones')
    await push('main')
    await buildWhere((one) => one.after === sha && isOver(one))
    const messages = (await builds()).map(({ message }) => message.trim())
    expect(messages.filter((message) => /\[|NO_CI/.test(message))).toEqual([])
  })

  describe('a pull request of a fork', () => {
    let fork: ForgeClone
    let pull: string
    const ofPull = async () => (await builds()).filter(({ event }) => event === 'pull_request')
    const latest = async () => (await ofPull())[0]

    it('waits for approval when it is opened, and after each push', async () => {
      await forge.api('bob', 'POST', '/repos/acme/app/forks', {})
      fork = await world.clone('bob', 'bob/app')
      await until(
        () =>
          fork.git('fetch', '-q', 'origin').then(
            () => true,
            () => false,
          ),
        (isThere) => isThere,
      )
      await fork.git('checkout', '-q', '-B', 'fix', 'origin/main')
      const sha = await fork.commit('c', '1', 'Fix it')
      await fork.git('push', '-q', 'origin', 'fix')
      const made = await forge.openPull('bob', 'acme/app', 'bob:fix', { title: 'A fix', body: 'Please' })
      pull = `/repos/acme/app/pulls/${made.number}`
      const waiting = await buildWhere(({ event }) => event === 'pull_request')
      const { number } = made
      expect(waiting).toMatchObject({
        action: 'opened',
        ref: `refs/pull/${number}/head`,
        after: sha,
        title: 'A fix',
        message: 'Please',
        source: 'fix',
        target: 'main',
        source_repo: 'bob/app',
        status: 'pending',
        author_login: 'bob',
        link: `${forge.url}/acme/app/pulls/${number}`,
      })
      const [asked] = await until(
        () => statuses(sha),
        (all) => all.length > 0,
      )
      expect(asked).toMatchObject({ context: 'continuous-integration/drone/pr', status: 'pending' })
      await call(`/api/repos/acme/app/builds/${waiting.number}/approve/1`, 'POST')
      expect(await buildWhere((one) => one.number === waiting.number && isOver(one))).toMatchObject({
        status: 'success',
      })
      await until(
        () => statuses(sha),
        (all) => all.some(({ status }) => status === 'success'),
      )
      const second = await fork.commit('c', '2', 'Fix it more')
      await fork.git('push', '-q', 'origin', 'fix')
      const next = await buildWhere(({ event, after }) => event === 'pull_request' && after === second)
      expect(next).toMatchObject({ action: 'synchronized', status: 'pending' })
    })

    it('starts nothing for a label, an assignee, a title or a comment', async () => {
      const count = (await ofPull()).length
      const issue = pull.replace('/pulls/', '/issues/')
      const label = (await forge.api('ann', 'POST', '/repos/acme/app/labels', { name: 'kind', color: '#aabbcc' })) as {
        id: number
      }
      await forge.api('ann', 'POST', `${issue}/labels`, { labels: [label.id] })
      await forge.api('ann', 'PATCH', pull, { assignees: ['ann'] })
      await forge.api('ann', 'PATCH', pull, { title: 'Another title' })
      await forge.api('ann', 'PATCH', pull, { body: 'Another text' })
      await forge.api('ann', 'POST', `${issue}/comments`, { body: 'Words' })
      await fetchNow()
      expect(await ofPull()).toHaveLength(count)
    })

    it('is built again for another target, and when it is reopened; closing ends what waits', async () => {
      await push('main:release')
      await buildWhere(({ target, event }) => event === 'push' && target === 'release')
      const count = (await ofPull()).length
      await forge.api('ann', 'PATCH', pull, { base: 'release' })
      await until(ofPull, (list) => list.length === count + 1)
      expect(await latest()).toMatchObject({ target: 'release', status: 'pending' })
      await forge.api('ann', 'PATCH', pull, { state: 'closed' })
      const waiting = (await ofPull())[0]?.number
      expect(await buildWhere((one) => one.number === waiting && isOver(one))).toMatchObject({ status: 'killed' })
      await forge.api('ann', 'PATCH', pull, { state: 'open' })
      await until(ofPull, (list) => list.length === count + 2)
      expect(await latest()).toMatchObject({ action: 'opened', target: 'release', status: 'pending' })
    })

    it('is found without its webhook', async () => {
      const [hook] = await hooks()
      await forge.api('ann', 'DELETE', `/repos/acme/app/hooks/${hook?.id}`)
      const sha = await fork.commit('c', '3', 'Lose the webhook')
      await fork.git('push', '-q', 'origin', 'fix')
      await until(
        async () => {
          await fetchNow()
          return builds()
        },
        (list) => list.some(({ after }) => after === sha),
      )
      expect((await latest())?.action).toBe('synchronized')
      await json('/api/repos/acme/app/repair', 'POST')
      expect(await hooks()).toHaveLength(1)
    })

    it('makes a push of its target when it is merged, and none of its own', async () => {
      const count = (await ofPull()).length
      // The forge tries first whether it can be merged.
      await until(
        () =>
          forge.api('ann', 'POST', `${pull}/merge`, { Do: 'merge' }).then(
            () => true,
            () => false,
          ),
        (isMerged) => isMerged,
      )
      const merged = await buildWhere(
        (one) => one.event === 'push' && one.target === 'release' && isOver(one) && one.message.startsWith('Merge'),
      )
      expect(merged).toMatchObject({ status: 'success', sender: 'ann' })
      await fetchNow()
      expect(await ofPull()).toHaveLength(count)
      expect((await ofPull()).filter((one) => !isOver(one))).toEqual([])
    })
  })

  it('follows a repository that is renamed, and its organization, without a hook', async () => {
    const before = await json<Repo>('/api/repos/acme/app')
    await forge.api('ann', 'PATCH', '/repos/acme/app', { name: 'tool' })
    await app.git('remote', 'set-url', 'origin', `${forge.url}/acme/tool.git`)
    const sha = await app.commit('d', '1', 'After the new name')
    await push('main')
    // The webhook of this push names the repository by its new name.
    await until(
      () => call('/api/repos/acme/tool'),
      ({ ok }) => ok,
    )
    expect(await json<Repo>('/api/repos/acme/tool')).toMatchObject({ id: before.id, uid: before.uid, active: true })
    await buildWhere((one) => one.after === sha && isOver(one), 'acme/tool')
    const old = await fetch(`${address}/api/repos/acme/app/builds`, { headers: { Cookie: ann }, redirect: 'manual' })
    expect([old.status, old.headers.get('location')]).toEqual([301, '/api/repos/acme/tool/builds'])
    await until(
      async () => (await forge.api('ann', 'GET', `/repos/acme/tool/commits/${sha}/statuses`)) as Status[],
      (all) => all.some(({ status, target_url }) => status === 'success' && target_url.includes('/acme/tool/')),
    )
  })

  it('follows a repository that is transferred to a person, whose new name it follows too', async () => {
    await forge.api('root', 'POST', '/repos/acme/tool/transfer', { new_owner: 'cid' })
    const cid = await world.enter('cid')
    await json('/api/user/repos', 'POST', cid)
    expect(await json<Repo>('/api/repos/cid/tool', 'GET', cid)).toMatchObject({ active: true })
    const list = await json<Build[]>('/api/repos/cid/tool/builds', 'GET', cid)
    expect(list.length).toBeGreaterThan(3)
    await forge.api('root', 'POST', '/admin/users/cid/rename', { new_username: 'cyd' })
    await forge.api('root', 'PATCH', '/admin/users/cyd', {
      login_name: 'cyd',
      source_id: 0,
      password: forgePassword('cyd'),
      must_change_password: false,
    })
    const clone = await world.clone('cyd', 'cyd/tool')
    await clone.git('fetch', '-q', 'origin')
    await clone.git('checkout', '-q', '-B', 'main', 'origin/main')
    const sha = await clone.commit('e', '1', 'By another name')
    await clone.git('push', '-q', 'origin', 'main')
    await until(
      () => call('/api/repos/cyd/tool', 'GET', cid),
      ({ ok }) => ok,
    )
    await until(
      () => json<Build[]>('/api/repos/cyd/tool/builds', 'GET', cid),
      (all) => all.some((one) => one.after === sha && isOver(one)),
    )
    forge.forgetSessions()
    // The account stays the same under its new name; a new person with the old name gets another
    // account.
    const cyd = await world.enter('cyd')
    expect(await json<User>('/api/user', 'GET', cyd)).toMatchObject({ login: 'cyd' })
    const other = { username: 'cid', email: 'other@example.com', password: forgePassword('cid') }
    await forge.api('root', 'POST', '/admin/users', { ...other, must_change_password: false })
    const thief = await world.enter('cid')
    await json('/api/user/repos', 'POST', thief)
    expect((await call('/api/repos/cyd/tool', 'GET', thief)).status).toBe(404)
    expect((await call('/api/repos/cid/tool', 'GET', thief)).status).toBe(404)
    expect(await json<Connection>('/api/repos/cyd/tool/forge', 'GET', cyd)).toMatchObject({ acts_as: 'cyd' })
    // Ann was an owner of the organization, and has no relation to this person.
    await until(
      async () => {
        await json('/api/user/repos', 'POST')
        return (await call('/api/repos/cyd/tool')).status
      },
      (status) => status === 404,
    )
  })

  it('disables: the hook is gone', async () => {
    const cyd = await world.enter('cyd')
    await json('/api/repos/cyd/tool', 'DELETE', cyd)
    expect(await forge.api('cyd', 'GET', '/repos/cyd/tool/hooks')).toEqual([])
  })

  it('keeps no token in clear, and says none in its log', () => {
    const database = readFileSync(join(world.folder, 'data', 'flightdeck.db')).toString('latin1')
    // Access tokens of these forges are JSON Web Tokens.
    expect(database).not.toMatch(/eyJ[\w-]{20,}\.eyJ/)
    expect(world.server.errors()).not.toMatch(/eyJ[\w-]{20,}\.eyJ/)
  })
})
