/** The rules of the connection, on a real database and a driver without a forge: who is who, and what is refused. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Repo, User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import type { Mirrors } from '../interfaces/mirrors.ts'
import { makeSecretsBox } from '../secrets-box.ts'
import { findForgeAccount, setForgeToken } from '../store/forge-accounts.ts'
import { findForgeRepo, setForgeRepoState } from '../store/forge-repos.ts'
import { openStore, type Store } from '../store/open.ts'
import { findPermissions } from '../store/permissions.ts'
import { markerRef, replaceRefs } from '../store/refs.ts'
import { findRepo, findRepoBySlug, updateRepo } from '../store/repos.ts'
import { createSession, findSession } from '../store/sessions.ts'
import { createUser, findUser, findUserByLogin, updateUser } from '../store/users.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, type Driver, type ForgeRepository, type ForgeToken, type ForgeUser } from './driver.ts'
import type { ParsedHook } from './events.ts'
import { pullRequestHook } from './events-to-builds.ts'
import { asOwner } from './owners.ts'
import type { Admission } from './people.ts'
import { createReceiver } from './receive.ts'
import { startRights } from './rights.ts'
import { isAddressable } from './rows.ts'
import { findForgeOrigin } from './runner-access.ts'
import { createSignIn } from './sign-in.ts'
import { nextAttempt } from './statuses-queue.ts'
import { createSync } from './sync.ts'
import { createTokens, NoToken } from './tokens.ts'

const sha = (digit: string): string => digit.repeat(40)
const everybody: Admission = { access: 'everybody', organizations: [], admins: [] }
const nobody = { login: '', name: '', email: '', avatar: '', id: '' }

let store: Store
let forge: ForgeContext
let people: Map<string, ForgeUser>
let repositories: ForgeRepository[]
let refreshes: string[]
let organizations: string[]
let mirror: Map<string, string>
let built: Hook[]
let clock: number

const person = (id: string, login: string): ForgeUser => ({ id, login, name: '', email: '', avatar: '', admin: false })
const repository = (id: string, slug: string, more: Partial<ForgeRepository> = {}): ForgeRepository => {
  const at = slug.lastIndexOf('/')
  return {
    id,
    namespace: slug.slice(0, at),
    name: slug.slice(at + 1),
    visibility: 'private',
    defaultBranch: 'main',
    archived: false,
    link: '',
    permissions: { read: true, write: true, admin: true },
    ...more,
  }
}

const page = (path: string): string => `https://git.example.com/${path}`

function makeDriver(): Driver {
  const whose = (token: ForgeToken): ForgeUser => {
    const found = people.get(token.access)
    if (found) return found
    throw new ForgeError('unauthorized', 'The forge refused the token (401).')
  }
  return {
    kind: 'gitea',
    title: 'Gitea',
    url: 'https://git.example.com',
    signIn: {
      kind: 'oauth',
      authorizeUrl: ({ state, challenge }) => page(`authorize?state=${state}&challenge=${challenge}`),
      exchange: async ({ code }) => ({
        access: code,
        refresh: `refresh of ${code}`,
        expiresAtMs: Date.now() + 3_600_000,
      }),
      async refresh(token) {
        refreshes.push(token)
        await new Promise((resolve) => setImmediate(resolve))
        if (token === 'dead') throw new ForgeError('unauthorized', 'The refresh token is dead.')
        return { access: 'renewed', refresh: `next after ${token}`, expiresAtMs: Date.now() + 3_600_000 }
      },
    },
    links: {
      repository: (repo) => page(repo),
      commit: (repo, commit) => page(`${repo}/commit/${commit}`),
      branch: (repo, branch) => page(`${repo}/src/branch/${branch}`),
      tag: (repo, tag) => page(`${repo}/src/tag/${tag}`),
      file: (repo, commit, path) => page(`${repo}/src/commit/${commit}/${path}`),
      compare: (repo, before, after) => page(`${repo}/compare/${before}...${after}`),
      pullRequest: (repo, number) => page(`${repo}/pulls/${number}`),
      author: (login) => page(login),
    },
    currentUser: async (token) => whose(token),
    organizations: async () => organizations,
    async *repositories(token) {
      whose(token)
      yield { repositories, total: repositories.length }
    },
    repositoryById: async (token, id) => {
      whose(token)
      return repositories.find((one) => one.id === id) ?? null
    },
    repositoryByName: async () => null,
    listHooks: async () => [],
    installHook: async (_token, _repo, { url }) => ({ id: '1', url, active: true }),
    removeHook: async () => undefined,
    hookByHand: { contentType: 'application/json', events: ['push'], page: (repo) => page(repo) },
    setStatus: async () => undefined,
    hasStatuses: true,
    cloneUrl: ({ namespace, name }) => page(`${namespace}/${name}.git`),
    netrc: (token) => ({ machine: 'git.example.com', login: token.access, password: 'x-oauth-basic' }),
    verifyHook(header, body, secret) {
      const right = createHmac('sha256', secret).update(body).digest()
      const given = Buffer.from(header('x-signature') ?? '', 'hex')
      return secret !== '' && given.length === right.length && timingSafeEqual(given, right)
    },
    parseHook: (_header, body) => JSON.parse(Buffer.from(body).toString()) as ParsedHook,
  }
}

const mirrors: Mirrors = {
  path: (repoId) => `/data/mirrors/${repoId}.git`,
  fetch: async () => undefined,
  size: async () => 1,
  record: async () => undefined,
  refs: async () => mirror,
  changes: async () => ({ present: [], gone: [] }),
  head: async (_repoId, name) => (/^[0-9a-f]{40}$/.test(name) ? name : (mirror.get(name) ?? null)),
  remove: async () => undefined,
}

beforeEach(() => {
  store = openStore(':memory:')
  people = new Map([['ann', person('1', 'ann')]])
  repositories = []
  refreshes = []
  organizations = []
  mirror = new Map()
  built = []
  clock = 1_700_000_000
  const box = makeSecretsBox(Buffer.alloc(32, 1))
  const driver = makeDriver()
  const unused = async (): Promise<never> => {
    throw new Error('not asked for here')
  }
  forge = {
    db: store.db,
    driver,
    box,
    tokens: createTokens({ db: store.db, box, driver }),
    mirrors,
    git: {
      readFile: unused,
      resolve: unused,
      isAncestor: unused,
      commit: unused,
      changes: unused,
      sources: { between: unused, find: unused, endingIn: unused, authors: unused, listAfter: unused },
    },
    ci: {
      events: { publish: async () => undefined, subscribe: () => () => undefined, subscribers: () => 0, stop: unused },
      async trigger(_repoId, hook, source?: HookSource) {
        if (source && !(await source.take(store.db))) return null
        built.push(hook)
        return null
      },
      cancelWaiting: async () => undefined,
    },
    publicUrl: 'https://ci.example.com',
    hookUrl: 'https://ci.example.com/hook',
    statusName: 'continuous-integration/drone',
    statusSkipped: false,
    now: () => clock,
    log: () => undefined,
    activate: async (repo) => repo,
    deactivate: async (repo) => repo,
    stopped: new AbortController().signal,
  }
})
afterEach(() => store.close())

const signInOf = (admission = everybody) => createSignIn(forge, { admission, onNew: () => undefined })
const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? ''

/** Signs in with the code that is also the token. */
async function signIn(code: string, admission = everybody): Promise<User | string> {
  const oauth = signInOf(admission)
  const { url, kept } = oauth.begin()
  const result = await oauth.finish({ kept, state: stateOf(url), code })
  return 'user' in result ? result.user : result.refused
}
async function signedIn(code: string, admission = everybody): Promise<User> {
  const user = await signIn(code, admission)
  return typeof user === 'string' ? expect.fail(user) : user
}

describe('the way back from the forge', () => {
  it.each([
    ['another state', (state: string, kept: string) => ({ state: `${state}x`, kept })],
    ['no state', (_state: string, kept: string) => ({ state: '', kept })],
    ['no cookie', (state: string) => ({ state, kept: '' })],
    ['neither', () => ({ state: '', kept: '' })],
    ['a cookie of its own making', (state: string) => ({ state, kept: Buffer.from(state).toString('base64') })],
  ])('refuses %s', async (_what, change) => {
    const oauth = signInOf()
    const { url, kept } = oauth.begin()
    const answer = { ...change(stateOf(url), kept), code: 'ann' }
    expect(await oauth.finish(answer)).toEqual({ refused: expect.stringContaining('was not begun in this browser') })
    expect(await findUserByLogin(store.db, 'ann')).toBeNull()
  })

  it('refuses the cookie of another sign-in', async () => {
    const oauth = signInOf()
    const [mine, other] = [oauth.begin(), oauth.begin()]
    expect(await oauth.finish({ kept: mine.kept, state: stateOf(other.url), code: 'ann' })).toHaveProperty('refused')
  })
})

describe('who is who', () => {
  it('knows a person by the id, whatever the login is by now', async () => {
    const ann = await signedIn('ann')
    people.set('ann', person('1', 'anna'))
    expect(await signedIn('ann')).toMatchObject({ id: ann.id, login: 'anna' })
  })

  it('gives whoever takes a login over a new account, without rights or administration', async () => {
    const ann = await signedIn('ann', { ...everybody, admins: ['ann'] })
    expect(ann.admin).toBe(true)
    people.set('thief', person('9', 'ann'))
    const thief = await signedIn('thief', { ...everybody, admins: ['ann'] })
    expect(thief).toMatchObject({ login: 'ann', admin: false })
    expect(thief.id).not.toBe(ann.id)
    expect(await findUser(store.db, ann.id)).toMatchObject({ login: 'ann-1', admin: true })
  })

  it('leaves an account of this server to its owner', async () => {
    const own = await createUser(store.db, { login: 'ann', admin: true, created: 1, password: 'a hash' })
    expect(await signedIn('ann')).toMatchObject({ login: 'ann-1', admin: false })
    expect(await findUser(store.db, own.id)).toMatchObject({ login: 'ann', admin: true })
  })

  it('lets in members, invited people, or everybody', async () => {
    const members: Admission = { access: 'members', organizations: ['Acme'], admins: [] }
    expect(await signIn('ann', members)).toBe('User must be a member of an approved organization')
    organizations = ['acme']
    expect(await signIn('ann', members)).toMatchObject({ login: 'ann' })
    people.set('bob', person('2', 'bob'))
    const invited: Admission = { access: 'invited', organizations: [], admins: [] }
    expect(await signIn('bob', invited)).toBe('User registration is disabled')
    const waiting = await createUser(store.db, { login: 'bob', created: 1 })
    expect(await signIn('bob', invited)).toMatchObject({ id: waiting.id })
    await updateUser(store.db, waiting.id, { active: false })
    expect(await signIn('bob', invited)).toBe('Account is not active')
  })
})

describe('tokens', () => {
  const give = async (token: ForgeToken): Promise<number> => {
    const ann = await signedIn('ann')
    await setForgeToken(store.db, ann.id, forge.tokens.seal(token))
    return ann.id
  }

  it('are sealed, refreshed once for all who ask, and saved', async () => {
    const id = await give({ access: 'old', refresh: 'first', expiresAtMs: Date.now() + 1_000 })
    const used = await Promise.all(Array.from({ length: 5 }, () => forge.tokens.use(id, async ({ access }) => access)))
    expect([used, refreshes]).toEqual([Array.from({ length: 5 }, () => 'renewed'), ['first']])
    expect((await findForgeAccount(store.db, id))?.token).not.toContain('renewed')
    expect(await forge.tokens.fresh(id, 1_000)).toMatchObject({ access: 'renewed', refresh: 'next after first' })
  })

  it('are refreshed after a 401, once', async () => {
    const id = await give({ access: 'old', refresh: 'first' })
    const call = async ({ access }: ForgeToken) => {
      if (access === 'old') throw new ForgeError('unauthorized', 'No.')
      return access
    }
    expect(await Promise.all([forge.tokens.use(id, call), forge.tokens.use(id, call)])).toEqual(['renewed', 'renewed'])
    expect(refreshes).toEqual(['first'])
  })

  it('that are dead are forgotten', async () => {
    const id = await give({ access: 'old', refresh: 'dead', expiresAtMs: 1 })
    await expect(forge.tokens.use(id, async () => 'used')).rejects.toThrow(NoToken)
    expect((await findForgeAccount(store.db, id))?.token).toBe('')
  })
})

describe('repositories', () => {
  const synced = async (user: User): Promise<void> => createSync(forge).run(user)

  it('are known by their ids: two that swap names swap nothing else', async () => {
    const ann = await signedIn('ann')
    repositories = [repository('11', 'acme/web'), repository('12', 'acme/tool')]
    await synced(ann)
    const web = (await findForgeRepo(store.db, '11')) ?? expect.fail('not there')
    repositories = [repository('11', 'acme/tool'), repository('12', 'acme/web')]
    await synced(ann)
    expect(await findRepoBySlug(store.db, 'acme/tool')).toMatchObject({ id: web.id, uid: '11' })
    expect(await findRepoBySlug(store.db, 'acme/web')).toMatchObject({ uid: '12' })
  })

  it('that are gone take the right along, and a private one is private at once', async () => {
    const ann = await signedIn('ann')
    repositories = [repository('11', 'acme/web', { visibility: 'public' }), repository('12', 'group/sub/tool')]
    await synced(ann)
    expect(await findRepoBySlug(store.db, 'group/sub/tool')).toMatchObject({ namespace: 'group/sub', name: 'tool' })
    clock += 10
    repositories = [repository('11', 'acme/web', { visibility: 'private' })]
    await synced(ann)
    const [web, tool] = [await findForgeRepo(store.db, '11'), await findForgeRepo(store.db, '12')]
    expect(web).toMatchObject({ private: true, visibility: 'private' })
    expect(await findPermissions(store.db, ann.id, tool?.id ?? 0)).toBeNull()
  })

  it.each(['../etc', 'acme/..', 'api/web', 'acme/a b', 'acme/web.git', 'a//b', '/web', 'login/x', 'acme/%2e%2e'])(
    'called %s have no address here',
    (slug) => {
      expect(isAddressable(repository('11', slug))).toBe(false)
    },
  )

  it('act with the token of another administrator when the owner is gone', async () => {
    const ann = await signedIn('ann')
    people.set('bob', person('2', 'bob'))
    const bob = await signedIn('bob')
    repositories = [repository('11', 'acme/web')]
    await synced(ann)
    await synced(bob)
    const web = (await findForgeRepo(store.db, '11')) ?? expect.fail('not there')
    const owned = await updateRepo(store.db, { ...web, user_id: ann.id })
    people.delete('ann')
    await setForgeToken(store.db, ann.id, '')
    expect(await asOwner(forge, owned, async ({ access }) => access)).toBe('bob')
    expect((await findRepo(store.db, web.id))?.user_id).toBe(bob.id)
  })
})

describe('rights that were taken away', () => {
  it('end here when they are asked, and the sessions of whoever is not known any more', async () => {
    const ann = await signedIn('ann')
    repositories = [repository('11', 'acme/web')]
    await createSync(forge).run(ann)
    const web = (await findForgeRepo(store.db, '11')) ?? expect.fail('not there')
    await createSession(store.db, { hash: 'of ann', user_id: ann.id, created: clock, expires: clock + 1000 })
    const rights = startRights(forge, async () => true)
    await rights.ask(ann.id, web.id)
    expect(await findPermissions(store.db, ann.id, web.id)).toMatchObject({ admin: true })
    repositories = []
    await rights.ask(ann.id, web.id)
    expect(await findPermissions(store.db, ann.id, web.id)).toBeNull()
    expect(await findSession(store.db, 'of ann', clock)).not.toBeNull()
    people.clear()
    await rights.ask(ann.id, web.id)
    expect(await findSession(store.db, 'of ann', clock)).toBeNull()
    await rights.stop()
  })
})

describe('webhooks', () => {
  const secret = 'of this repository'
  let web: Repo

  beforeEach(async () => {
    const ann = await signedIn('ann')
    repositories = [repository('11', 'acme/web'), repository('12', 'acme/tool')]
    await createSync(forge).run(ann)
    const found = (await findForgeRepo(store.db, '11')) ?? expect.fail('not there')
    web = await updateRepo(store.db, { ...found, active: true, user_id: ann.id })
    await setForgeRepoState(store.db, web.id, { hookSecret: forge.box.encrypt(secret) })
    await replaceRefs(store.db, web.id, new Map([[markerRef, 'seen']]), 1)
  })

  const about = (id: string) => ({
    id,
    namespace: 'acme',
    name: 'web',
    private: true,
    defaultBranch: 'main',
    link: '',
    cloneUrl: 'https://evil.example.com/x.git',
  })
  const push = (before: string, after: string, id = '11') => ({
    event: {
      kind: 'push',
      repository: about(id),
      sender: nobody,
      ref: 'refs/heads/main',
      branch: 'main',
      before,
      after,
      message: 'change',
      author: nobody,
      link: '',
    },
    delivery: '',
    name: 'push',
  })
  const receiver = () => createReceiver(forge, async () => undefined)
  async function send(to: ReturnType<typeof receiver>, payload: unknown, key = secret) {
    const body = Buffer.from(JSON.stringify(payload))
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const answer = await to.receive((name) => (name === 'x-signature' ? signature : undefined), body)
    await to.idle()
    return answer
  }

  it('build once, however often they come', async () => {
    const hooks = receiver()
    mirror.set('refs/heads/main', sha('b'))
    for (let count = 0; count < 3; count += 1) {
      expect(await send(hooks, push(sha('a'), sha('b')))).toMatchObject({ status: 200 })
    }
    expect(built.map(({ after }) => after)).toEqual([sha('b')])
  })

  it('are refused with another secret, for another repository, and for one that is unknown', async () => {
    const hooks = receiver()
    mirror.set('refs/heads/main', sha('b'))
    const badly = { status: 400, message: 'Invalid webhook signature' }
    expect(await send(hooks, push(sha('a'), sha('b')), 'guessed')).toEqual(badly)
    expect(await send(hooks, push(sha('a'), sha('b'), '12'))).toEqual(badly)
    // No secret was ever made for it: an empty one must not do.
    await setForgeRepoState(store.db, web.id, { hookSecret: '' })
    expect(await send(hooks, push(sha('a'), sha('b')), '')).toEqual(badly)
    expect(await send(hooks, push(sha('a'), sha('b'), '99'))).toEqual({
      status: 400,
      message: 'Cannot find repository',
    })
    expect(built).toEqual([])
  })
})

describe('a pull request', () => {
  const event = {
    kind: 'pull-request',
    action: 'opened',
    number: 7,
    title: 'A fix',
    body: '',
    ref: 'refs/pull/7/head',
    source: 'fix',
    target: 'main',
    head: sha('c'),
    base: sha('a'),
    sourceRepository: 'acme/web',
    sourceRepositoryId: '11',
    fork: false,
    link: '',
    author: nobody,
    draft: false,
    merged: false,
    sender: nobody,
    repository: {
      id: '11',
      namespace: 'acme',
      name: 'web',
      private: true,
      defaultBranch: 'main',
      link: '',
      cloneUrl: '',
    },
  } as const

  it('of a fork never goes by the name of the repository itself, and gets no token', async () => {
    const ann = await signedIn('ann')
    repositories = [repository('11', 'acme/web')]
    await createSync(forge).run(ann)
    const web = (await findForgeRepo(store.db, '11')) ?? expect.fail('not there')
    expect(pullRequestHook(event, web, sha('c'), '').sourceRepo).toBe('acme/web')
    // The fork of somebody who has taken the name, and one that was deleted.
    for (const sourceRepository of ['ACME/web', '']) {
      const { sourceRepo = '' } = pullRequestHook({ ...event, fork: true, sourceRepository }, web, sha('c'), '')
      expect(sourceRepo).toBe('unknown/fork')
    }
    const build = { event: 'pull_request', number: 1, source_repo: 'eve/web' } as Parameters<typeof findForgeOrigin>[1]
    expect(await findForgeOrigin(forge, build, web)).toBe('mirror')
    const own = await findForgeOrigin(forge, { ...build, source_repo: 'acme/web' }, web)
    expect(own).toEqual({
      url: 'https://git.example.com/acme/web.git',
      netrc: { machine: 'git.example.com', login: 'ann', password: 'x-oauth-basic' },
    })
    expect(await findForgeOrigin(forge, build, { ...web, private: false })).toMatchObject({ netrc: null })
  })
})

describe('a status that the forge does not take', () => {
  it('is repeated later and later, as the forge asks, and never where it was refused', () => {
    const down = new ForgeError('unavailable', 'Down.')
    expect([0, 1, 2, 20].map((attempts) => nextAttempt(down, attempts, 100) - 100)).toEqual([5, 10, 20, 1800])
    expect(nextAttempt(new ForgeError('rate-limited', 'Later.', { retryAfterMs: 60_000 }), 0, 100)).toBe(160)
    expect(nextAttempt(new ForgeError('refused', 'No.', { status: 422 }), 0, 100)).toBe(0)
    expect(nextAttempt(down, 200, 100)).toBe(0)
  })
})
