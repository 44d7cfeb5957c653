/**
 * The forge connection on a real database, with a driver without a forge whose responses are the
 * bench's fields.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { User } from '@flightdeck/api'
import { expect } from 'vitest'
import type { ForgeContext } from '../forge/context.ts'
import { ForgeError, type Driver, type ForgeRepository, type ForgeToken, type ForgeUser } from '../forge/driver.ts'
import { noPerson, type ParsedHook, type PullRequestFacts } from '../forge/events.ts'
import type { Admission } from '../forge/people.ts'
import { createSignIn } from '../forge/sign-in.ts'
import { createSync } from '../forge/sync.ts'
import { createTokens } from '../forge/tokens.ts'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import type { Mirrors } from '../interfaces/mirrors.ts'
import { errorMessage } from '../lib/error-message.ts'
import { makeSecretsBox } from '../lib/secrets-box.ts'
import { openStore, type Db } from '../store/open.ts'

export const everybody: Admission = { access: 'everybody', organizations: [], admins: [] }
export const shaOf = (digit: string): string => digit.repeat(40)

export const person = (id: string, login: string): ForgeUser => ({
  id,
  login,
  name: '',
  email: '',
  avatar: '',
  admin: false,
  external: false,
})

export const repository = (id: string, slug: string, more: Partial<ForgeRepository> = {}): ForgeRepository => {
  const at = slug.lastIndexOf('/')
  return {
    id,
    namespaceId: '',
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

/** `acme/web` as webhooks name it. */
export const hookRepository = {
  id: '11',
  namespace: 'acme',
  name: 'web',
  private: true,
  defaultBranch: 'main',
  link: '',
  cloneUrl: '',
} as const

/** A pull request of `acme/web` at the forge, but for its action, target and repository. */
export const pullRequest = {
  kind: 'pull-request',
  number: 7,
  title: 'A fix',
  body: '',
  ref: 'refs/pull/7/head',
  source: 'fix',
  head: shaOf('c'),
  base: shaOf('a'),
  sourceRepository: 'acme/web',
  sourceRepositoryId: '11',
  fork: false,
  link: '',
  author: noPerson,
  draft: false,
  merged: false,
  sender: noPerson,
} as const

/** The state of the forge and its git, which tests change. */
export interface ForgeWorld {
  /** Users by access token. */
  people: Map<string, ForgeUser>
  repositories: ForgeRepository[]
  organizations: string[]
  /** The target of each ref of the mirror. */
  mirror: Map<string, string>
  /** The repositories that have a mirror. */
  mirrors: Set<number>
  /** Access tokens that see no repository. */
  hidden: Set<string>
  /** The open pull requests of every repository. */
  pulls: PullRequestFacts[]
  /** Requests about repositories get no response. */
  isDown: boolean
  /** Token refreshes never end. */
  isHanging: boolean
  /** Unix seconds. */
  clock: number
  /** Refresh tokens that were used. */
  refreshes: string[]
  /** Started builds. */
  built: Hook[]
  /** Lines of the server's log. */
  logged: string[]
}

const page = (path: string): string => `https://git.example.com/${path}`

function makeDriver(world: ForgeWorld): Driver {
  const whose = (token: ForgeToken): ForgeUser => {
    const found = world.people.get(token.access)
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
        world.refreshes.push(token)
        await (world.isHanging ? new Promise<never>(() => undefined) : new Promise((resolve) => setImmediate(resolve)))
        if (world.isDown) throw new ForgeError('unavailable', 'The forge cannot answer.')
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
    organizations: async () => world.organizations,
    async *repositories(token) {
      whose(token)
      yield { repositories: world.repositories, total: world.repositories.length }
    },
    repositoryById: async (token, id) => {
      if (world.isDown) throw new ForgeError('unavailable', 'The forge cannot answer.')
      whose(token)
      if (world.hidden.has(token.access)) return null
      return world.repositories.find((one) => one.id === id) ?? null
    },
    repositoryByName: async () => null,
    listHooks: async () => [],
    installHook: async (_token, _repo, { url }) => ({ id: '1', url, active: true }),
    removeHook: async () => undefined,
    hookByHand: { contentType: 'application/json', events: ['push'], page: (repo) => page(repo) },
    openPullRequests: async () => world.pulls,
    setStatus: async () => undefined,
    hasStatuses: true,
    cloneUrl: ({ namespace, name }) => page(`${namespace}/${name}.git`),
    fetchUrl: ({ namespace, name }) => page(`${namespace}/${name}.git`),
    netrc: (token) => ({ machine: 'git.example.com', login: token.access, password: 'x-oauth-basic' }),
    verifyHook(header, { body }, secret) {
      const right = createHmac('sha256', secret).update(body).digest()
      const given = Buffer.from(header('x-signature') ?? '', 'hex')
      return secret !== '' && given.length === right.length && timingSafeEqual(given, right)
    },
    parseHook: (_header, body) => JSON.parse(Buffer.from(body).toString()) as ParsedHook,
  }
}

const mirrorsOf = (world: ForgeWorld): Mirrors => ({
  path: (repoId) => `/data/mirrors/${repoId}.git`,
  fetch: async () => undefined,
  size: async () => 1,
  refs: async () => world.mirror,
  changes: async () => ({ present: [], pulls: [], removed: [] }),
  head: async (_repoId, name) => (/^[0-9a-f]{40}$/.test(name) ? name : (world.mirror.get(name) ?? null)),
  list: async () => [...world.mirrors],
  remove: async (repoId) => void world.mirrors.delete(repoId),
})

const unused = async (): Promise<never> => {
  throw new Error('not asked for here')
}

function contextOf(db: Db, world: ForgeWorld): ForgeContext {
  const box = makeSecretsBox(Buffer.alloc(32, 1))
  const driver = makeDriver(world)
  return {
    db,
    driver,
    box,
    tokens: createTokens({ db, box, driver }),
    mirrors: mirrorsOf(world),
    git: {
      readFile: unused,
      resolve: unused,
      isAncestor: unused,
      commit: unused,
      changes: unused,
      sources: {
        between: unused,
        differentFiles: unused,
        find: unused,
        endingIn: unused,
        authors: unused,
        listAfter: unused,
      },
    },
    ci: {
      events: {
        publish: async () => undefined,
        subscribe: () => () => undefined,
        recent: async () => [],
        subscribers: () => 0,
        stop: unused,
      },
      async trigger(_repoId, hook, source?: HookSource) {
        if (source && !(await source.take(db))) return null
        world.built.push(hook)
        return null
      },
      cancelWaiting: async () => undefined,
    },
    publicUrl: 'https://ci.example.com',
    hookUrl: 'https://ci.example.com/hook',
    statusName: 'continuous-integration/drone',
    statusSkipped: false,
    now: () => world.clock,
    log: (message, error) =>
      void world.logged.push(error === undefined ? message : `${message}: ${errorMessage(error)}`),
    activate: async (repo) => repo,
    deactivate: async (repo) => repo,
    stopped: new AbortController().signal,
  }
}

export interface ForgeBench {
  forge: ForgeContext
  world: ForgeWorld
  db: Db
  /**
   * Signs in with a code that is also the token; returns the reason if the user cannot sign in.
   */
  signIn(code: string, admission?: Admission): Promise<User | string>
  signedIn(code: string, admission?: Admission): Promise<User>
  sync(user: User): Promise<void>
  close(): Promise<void>
}

export const signInOf = (forge: ForgeContext, admission = everybody) =>
  createSignIn(forge, { admission, onNew: () => undefined })
export const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? ''

export function openForgeBench(): ForgeBench {
  const store = openStore(':memory:')
  const world: ForgeWorld = {
    people: new Map([['ann', person('1', 'ann')]]),
    repositories: [],
    organizations: [],
    mirror: new Map(),
    mirrors: new Set(),
    hidden: new Set(),
    pulls: [],
    isDown: false,
    isHanging: false,
    clock: 1_700_000_000,
    refreshes: [],
    built: [],
    logged: [],
  }
  const forge = contextOf(store.db, world)
  async function signIn(code: string, admission = everybody): Promise<User | string> {
    const oauth = signInOf(forge, admission)
    const { url, cookie } = oauth.begin()
    const result = await oauth.finish({ cookie, state: stateOf(url), code })
    return 'user' in result ? result.user : result.refused
  }
  return {
    forge,
    world,
    db: store.db,
    signIn,
    async signedIn(code, admission) {
      const user = await signIn(code, admission)
      return typeof user === 'string' ? expect.fail(user) : user
    },
    sync: (user) => createSync(forge).run(user),
    close: () => store.close(),
  }
}
