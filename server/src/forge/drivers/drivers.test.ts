// The drivers of Gitea, Forgejo, GitHub and GitLab against fake forges, below a path.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGitea } from '../../testing/forges/gitea.ts'
import { startGithub } from '../../testing/forges/github.ts'
import { startGitlab } from '../../testing/forges/gitlab.ts'
import type { StandForge } from '../../testing/forges/stand.ts'
import type { StandRepository } from '../../testing/forges/world.ts'
import type { Driver, ForgeRepository, ForgeToken, OAuthSignIn, StatusState } from '../driver.ts'
import { createDriver } from './index.ts'

const starts = { gitea: startGitea, forgejo: startGitea, github: startGithub, gitlab: startGitlab }
const kinds = ['gitea', 'forgejo', 'github', 'gitlab'] as const
const sha = 'a'.repeat(40)
const redirectUri = 'https://ci.example.com/login'
const verifier = 'a-verifier-that-is-as-long-as-the-protocol-wants-it'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const hookUrl = 'https://ci.example.com/hook'

const all = async (driver: Driver, token: ForgeToken): Promise<ForgeRepository[]> => {
  const found: ForgeRepository[] = []
  for await (const { repositories } of driver.repositories(token)) found.push(...repositories)
  return found
}

describe.each(kinds)('the driver of %s', (kind) => {
  let forge: StandForge
  let driver: Driver
  let signIn: OAuthSignIn
  let token: ForgeToken
  let app: StandRepository

  beforeEach(async () => {
    forge = await starts[kind]('/git')
    const { url, clientId, clientSecret, world } = forge
    driver = await createDriver({ kind, url, clientId, clientSecret })
    if (driver.signIn.kind !== 'oauth') throw new Error('expected OAuth')
    signIn = driver.signIn
    world.addPerson('ann')
    world.addPerson('bob')
    world.addOrganization('team', 'ann')
    app = world.addRepository('team/app', { ann: 'admin', bob: 'read' })
    token = { access: world.tokensFor('ann').access }
  })
  afterEach(() => forge.close())

  const refOf = ({ id, namespace, name }: StandRepository) => ({ id: String(id), namespace, name })

  const signedIn = (): Promise<ForgeToken> => {
    const back = new URL(forge.agree(signIn.authorizeUrl({ state: 's', redirectUri, challenge }), 'ann'))
    return signIn.exchange({ code: back.searchParams.get('code') ?? '', redirectUri, verifier })
  }

  it('signs in, with a code that is good once and for its verifier only', async () => {
    const back = new URL(forge.agree(signIn.authorizeUrl({ state: 's', redirectUri, challenge }), 'ann'))
    const code = back.searchParams.get('code') ?? ''
    const got = await signIn.exchange({ code, redirectUri, verifier })
    expect(got.expiresAtMs).toBeGreaterThan(Date.now() + 7_000_000)
    expect(await driver.currentUser(got)).toMatchObject({ login: 'ann', name: 'ANN', email: 'ann@example.com' })
    await expect(signIn.exchange({ code, redirectUri, verifier })).rejects.toMatchObject({ failure: 'unauthorized' })
    const other = new URL(forge.agree(signIn.authorizeUrl({ state: 's', redirectUri, challenge }), 'ann'))
    const stolen = { code: other.searchParams.get('code') ?? '', redirectUri, verifier: `${verifier}!` }
    await expect(signIn.exchange(stolen)).rejects.toMatchObject({ failure: 'unauthorized' })
  })

  it('refreshes with rotation: the old refresh token is dead', async () => {
    const first = await signedIn()
    const second = await signIn.refresh(first.refresh ?? '')
    expect(second.refresh).not.toBe(first.refresh)
    await expect(driver.currentUser(first)).rejects.toMatchObject({ failure: 'unauthorized', status: 401 })
    expect((await driver.currentUser(second)).login).toBe('ann')
    await expect(signIn.refresh(first.refresh ?? '')).rejects.toMatchObject({ failure: 'unauthorized' })
  })

  it('says which client is not known, without its secret', async () => {
    const { url, clientId } = forge
    const wrong = await createDriver({ kind, url, clientId, clientSecret: 'not the secret' })
    if (wrong.signIn.kind !== 'oauth') throw new Error('expected OAuth')
    const { signIn: asWrong } = wrong
    for (const ask of [() => asWrong.refresh('x'), () => asWrong.exchange({ code: 'x', redirectUri, verifier })]) {
      const failed = ask()
      await expect(failed).rejects.toMatchObject({ failure: 'refused' })
      await expect(failed).rejects.toThrow(/check the client ID and secret/)
      await expect(failed).rejects.not.toThrow(/not the secret/)
    }
  })

  it('returns the rights of a person on a repository', async () => {
    const bob = { access: forge.world.tokensFor('bob').access }
    forge.world.addRepository('team/open', { ann: 'write' }, 'public')
    const [mine] = await all(driver, token)
    const link = `${forge.url}/team/app`
    expect(mine).toMatchObject({ id: String(app.id), namespace: 'team', name: 'app', visibility: 'private', link })
    expect(mine?.permissions).toEqual({ read: true, write: true, admin: true })
    expect((await all(driver, bob)).map(({ permissions }) => permissions)).toEqual([
      { read: true, write: false, admin: false },
    ])
    const open = await driver.repositoryByName(bob, { namespace: 'team', name: 'open' })
    expect(open).toMatchObject({ visibility: 'public', permissions: { read: true, admin: false } })
    expect(await driver.organizations(token)).toEqual(['team'])
    expect(await driver.organizations(bob)).toEqual([])
  })

  it.skipIf(kind === 'gitlab')(
    'shows public repositories to accounts only, where the forge requires sign-in',
    async () => {
      const open = forge.world.addRepository('team/open', { ann: 'write' }, 'public')
      const seen = async (by: Driver) => [
        (await all(by, token)).find(({ name }) => name === 'open')?.visibility,
        (await by.repositoryById(token, String(open.id)))?.visibility,
        (await by.repositoryByName(token, { namespace: 'team', name: 'open' }))?.visibility,
      ]
      expect(await seen(driver)).toEqual(['public', 'public', 'public'])
      forge.requiresSignIn = true
      const { url } = forge
      expect(await seen(await createDriver({ kind, url }))).toEqual(['internal', 'internal', 'internal'])
    },
  )

  it('reads all of many repositories in pages, each once', async () => {
    for (let index = 0; index < 120; index += 1) {
      const { id } = app
      // The same git for all forges: only the list matters.
      const more = { ...app, id: id + 1_000 + index, name: `app-${index}` }
      forge.world.repositories.set(more.id, more)
    }
    const ids = (await all(driver, token)).map(({ id }) => id)
    expect(ids).toHaveLength(121)
    expect(new Set(ids).size).toBe(121)
  })

  it('ends a list with endless pages', async () => {
    const one =
      kind === 'gitlab'
        ? { id: 1, path_with_namespace: 'a/b', visibility: 'public' }
        : { id: 1, owner: { login: 'a' }, name: 'b', private: false }
    forge.lie = { kind: 'text', text: JSON.stringify([one]) }
    expect(await all(driver, token)).toHaveLength(1)
  })

  it('finds a repository by id and by name, and follows a rename', async () => {
    expect(await driver.repositoryById(token, String(app.id))).toMatchObject({ name: 'app' })
    expect(await driver.repositoryById(token, '999')).toBeNull()
    expect(await driver.repositoryByName(token, { namespace: 'team', name: 'none' })).toBeNull()
    forge.world.rename(app, 'team/renamed')
    expect(await driver.repositoryById(token, String(app.id))).toMatchObject({ name: 'renamed' })
  })

  it('acts on the repository of that id, though another one took its name over', async () => {
    const ref = refOf(app)
    forge.world.rename(app, 'team/moved')
    const other = forge.world.addRepository('team/app', { ann: 'admin' })
    await driver.setStatus(token, ref, sha, {
      state: 'success',
      context: 'c',
      description: 'd',
      url: 'https://x.example',
    })
    await driver.installHook(token, ref, { url: hookUrl, secret: 's' })
    expect(app.statuses).toHaveLength(1)
    expect(app.hooks).toHaveLength(1)
    expect(other.statuses).toEqual([])
    expect(other.hooks).toEqual([])
  })

  it('installs one hook, however often and at once', async () => {
    app.hooks.push({ id: 7, url: `${hookUrl}?secret=drone`, secret: 'old', events: [], active: true })
    app.hooks.push({ id: 8, url: hookUrl, secret: 'old', events: [], active: true })
    app.hooks.push({ id: 9, url: 'https://other.example.com/hook', secret: 'theirs', events: [], active: true })
    const secrets = ['one', 'two', 'three']
    await Promise.all(secrets.map((secret) => driver.installHook(token, refOf(app), { url: hookUrl, secret })))
    expect(
      app.hooks.map(({ url, secret }) => [url, secret]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ).toEqual([
      [hookUrl, 'three'],
      ['https://other.example.com/hook', 'theirs'],
    ])
    expect(app.hooks.find(({ url }) => url === hookUrl)?.events).toContain('push')
    expect((await driver.listHooks(token, refOf(app))).map(({ url }) => url)).toContain(hookUrl)
    await driver.removeHook(token, refOf(app), hookUrl)
    await driver.removeHook(token, refOf(app), hookUrl)
    expect(app.hooks.map(({ url }) => url)).toEqual(['https://other.example.com/hook'])
  })

  it('removes its hook from a repository that was renamed since', async () => {
    const ref = refOf(app)
    await driver.installHook(token, ref, { url: hookUrl, secret: 's' })
    forge.world.rename(app, 'team/moved')
    const other = forge.world.addRepository('team/app', { ann: 'admin' })
    other.hooks.push({ id: 7, url: hookUrl, secret: 'other', events: [], active: true })
    await driver.removeHook(token, ref, hookUrl)
    expect(app.hooks).toEqual([])
    expect(other.hooks).toHaveLength(1)
  })

  it('says that a person may not install a hook', async () => {
    const bob = { access: forge.world.tokensFor('bob').access }
    const failed = driver.installHook(bob, refOf(app), { url: hookUrl, secret: 's' })
    await expect(failed).rejects.toMatchObject({ failure: 'forbidden', status: 403 })
  })

  it('takes the hook that it installed', async () => {
    await driver.installHook(token, refOf(app), { url: hookUrl, secret: 's' })
    expect(app.hooks[0]?.secret).toBe('s')
  })

  it('ignores the hook of a repository that is gone', async () => {
    forge.world.repositories.delete(app.id)
    await driver.removeHook(token, refOf(app), hookUrl)
  })

  it('sets every state of a build, again and again', async () => {
    const states: StatusState[] = [
      'pending',
      'running',
      'blocked',
      'success',
      'failure',
      'error',
      'killed',
      'skipped',
      'declined',
    ]
    for (const state of states) {
      const status = { state, context: 'ci/push', description: 'x'.repeat(1_000), url: 'https://ci.example.com/1' }
      await driver.setStatus(token, refOf(app), sha, status)
      await driver.setStatus(token, refOf(app), sha, status)
    }
    const last = app.statuses.at(-1)
    expect(last).toMatchObject({ sha, context: 'ci/push', url: 'https://ci.example.com/1' })
    expect(['error', 'failed']).toContain(last?.state)
    expect(last?.description.length).toBeLessThanOrEqual(255)
  })

  it('lists all open pull requests, each with its head, its target and its author', async () => {
    const fork = forge.world.addRepository('bob/app', { bob: 'admin' })
    const author = forge.world.people.get('bob') ?? forge.world.addPerson('bob')
    const facts = { source: 'fix', target: 'main', author, head: sha }
    app.pulls = Array.from({ length: 120 }, (_, index) => ({
      ...facts,
      number: index + 1,
      title: `Fix ${index + 1}`,
      from: index === 0 ? app : fork,
    }))
    const pulls = (await driver.openPullRequests?.(token, refOf(app))) ?? []
    expect(new Set(pulls.map(({ number }) => number)).size).toBe(120)
    const ref = kind === 'gitlab' ? 'refs/merge-requests' : 'refs/pull'
    expect(pulls.find(({ number }) => number === 1)).toMatchObject({ fork: false, sourceRepositoryId: String(app.id) })
    expect(pulls.find(({ number }) => number === 7)).toMatchObject({
      title: 'Fix 7',
      ref: `${ref}/7/head`,
      source: 'fix',
      target: 'main',
      head: sha,
      fork: true,
      sourceRepositoryId: String(fork.id),
      author: { login: 'bob' },
    })
  })

  it('sends a status to no other address, for any sha', async () => {
    const status = { state: 'success', context: 'c', description: 'd', url: 'https://x.example' } as const
    await expect(driver.setStatus(token, refOf(app), '../../../hooks', status)).rejects.toMatchObject({
      failure: 'refused',
    })
  })

  it('refuses names that resolve to another path', async () => {
    expect(await driver.repositoryByName(token, { namespace: '..', name: '../user' }).catch(() => null)).toBeNull()
    const asked = forge.requests.map(({ path }) => path)
    for (const path of asked) expect(path.startsWith('/git/api/')).toBe(true)
  })
})

describe('a status of gitlab', () => {
  it.each([
    ['main', 'main'],
    ['refs/heads/main', 'main'],
    ['refs/tags/v1', 'v1'],
    ['refs/merge-requests/5/head', undefined],
    ['', undefined],
  ])('names the branch or tag of %s', async (ref, expected) => {
    const forge = await startGitlab()
    try {
      const { world, url } = forge
      const { id, namespace, name, statuses } = world.addRepository('ann/app', { ann: 'admin' })
      const driver = await createDriver({ kind: 'gitlab', url })
      const token = { access: world.tokensFor('ann').access }
      const status = { state: 'success', context: 'c', description: 'd', url: 'https://ci.example.com/1', ref } as const
      await driver.setStatus(token, { id: String(id), namespace, name }, sha, status)
      expect(statuses[0]?.ref).toBe(expected)
    } finally {
      await forge.close()
    }
  })
})

describe('a project in a subgroup of gitlab', () => {
  it('is found, and has its hook and status', async () => {
    const forge = await startGitlab()
    try {
      const { world, url } = forge
      world.addPerson('ann')
      world.addOrganization('group/sub', 'ann')
      const project = world.addRepository('group/sub/app', { ann: 'admin' })
      const driver = await createDriver({ kind: 'gitlab', url })
      const token = { access: world.tokensFor('ann').access }
      const found = await driver.repositoryByName(token, { namespace: 'group/sub', name: 'app' })
      expect(found).toMatchObject({ id: String(project.id), namespace: 'group/sub', name: 'app' })
      expect(found?.permissions.admin).toBe(true)
      expect(await driver.organizations(token)).toEqual(['group/sub'])
      expect(driver.cloneUrl({ namespace: 'group/sub', name: 'app' })).toBe(`${url}/group/sub/app.git`)
      expect(driver.links.commit('group/sub/app', sha)).toBe(`${url}/group/sub/app/-/commit/${sha}`)
    } finally {
      await forge.close()
    }
  })
})

describe('a deployment of github', () => {
  it('has its status', async () => {
    const forge = await startGithub()
    try {
      const { world, url } = forge
      world.addPerson('ann')
      const { id, namespace, name, deployments } = world.addRepository('ann/app', { ann: 'admin' })
      const driver = await createDriver({ kind: 'github', url })
      const token = { access: world.tokensFor('ann').access }
      const status = { environment: 'production', description: 'd', url: 'https://ci.example.com/1' }
      const repo = { id: String(id), namespace, name }
      for (const state of ['running', 'success'] as const)
        await driver.setDeploymentStatus?.(token, repo, '5', { ...status, state })
      expect(deployments.map(({ state }) => state)).toEqual(['in_progress', 'success'])
    } finally {
      await forge.close()
    }
  })
})
