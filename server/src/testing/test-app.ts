/**
 * For tests: the whole server behind `app.request`, without a socket, on a real database, real git
 * and real log files. The users are those of the recordings; tests drive builds through `bench`.
 */
import { randomBytes, scryptSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo, User } from '@flightdeck/api'
import { createEmbeddedApp } from '../apps/embedded-app.ts'
import type { HttpDependencies } from '../http/context.ts'
import { createCloneServer } from '../source/git/clone-server.ts'
import { createPushServer } from '../source/git/push-server.ts'
import { buildSearchScript } from './bundles.ts'
import { openBench, type Bench } from './test-bench.ts'
import { createPasswordQueue } from '../people/password-queue.ts'
import { sealToken } from '../people/tokens.ts'
import { openSecretsBox } from '../lib/secrets-box.ts'
import { setPermissions } from '../store/permissions.ts'
import { createBuildSearch } from '../store/build-search/search.ts'
import { createRepo, findRepo, updateRepo } from '../store/repos.ts'
import { createUser, findUser, setPassword, setToken, updateUser } from '../store/users.ts'

export const publicUrl = 'http://ci.example.com'
export const rpcSecret = 'the secret of all runners'
export const page = `<!doctype html><script>theme()</script><script type="module" src="/assets/app-1.js"></script>`

const rights = {
  ann: { read: true, write: true, admin: true },
  wes: { read: true, write: true, admin: false },
  rae: { read: true, write: false, admin: false },
}

/**
 * `otto` has no rights, `boss` is the administrator without any row, `robot` a machine account
 * without rights.
 */
export type Person = 'ann' | 'wes' | 'rae' | 'otto' | 'boss' | 'robot'

export interface Call {
  as?: Person
  method?: string
  /** Sent as JSON. */
  json?: unknown
  form?: Record<string, string>
  body?: string
  headers?: Record<string, string>
}

export const tokenOf = (person: Person): string => `token-of-${person}`.padEnd(32, '0')
export const passwordOf = (person: Person): string => `password of ${person}`

/**
 * A hash with low cost: a current one takes a tenth of a second, also at each sign-in.
 */
const cheapHash = (password: string): string => {
  const [N, r, p, salt] = [16, 8, 1, randomBytes(16)]
  const hash = scryptSync(password, salt, 32, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

async function addPeople(bench: Bench, dependencies: HttpDependencies, passwords: boolean): Promise<void> {
  const { db } = bench
  await updateUser(db, bench.user.id, { admin: false })
  for (const login of ['ann', 'wes', 'rae', 'otto', 'boss', 'robot'] as const) {
    const user =
      login === 'ann'
        ? bench.user
        : await createUser(db, { login, admin: login === 'boss', machine: login === 'robot', created: 1 })
    await setToken(db, user.id, sealToken(dependencies.box, tokenOf(login)))
    if (passwords) await setPassword(db, user.id, cheapHash(passwordOf(login)))
    const rightsOfLogin = login === 'ann' || login === 'wes' || login === 'rae' ? rights[login] : null
    if (rightsOfLogin) await setPermissions(db, { userId: user.id, repoId: bench.repo.id }, rightsOfLogin, 1)
  }
}

export interface TestAppOptions extends Partial<HttpDependencies> {
  /** Changes of one build within this time are merged into one event. */
  mergeMs?: number
  passwords?: boolean
  /** How long a runner's poll or watch waits, and a refusal. */
  pollMs?: number
  holdMs?: number
  rpcSecret?: string | undefined
  /** In place of the store's own. */
  durable?: () => Promise<void>
}

export async function createTestApp({
  passwords = false,
  pollMs = 60_000,
  holdMs = 1,
  mergeMs = 0,
  durable,
  ...given
}: TestAppOptions = {}) {
  const bench = await openBench({ mergeMs })
  const webRoot = join(bench.dir, 'web')
  mkdirSync(join(webRoot, 'assets'), { recursive: true })
  writeFileSync(join(webRoot, 'index.html'), page)
  const failures: unknown[] = []
  const search = createBuildSearch({ database: join(bench.dir, 'db.sqlite'), script: buildSearchScript })
  const dependencies: HttpDependencies = {
    store: { ...bench.store, ...(durable && { durable }), close: async () => {} },
    ci: bench.ci,
    search,
    box: openSecretsBox(bench.dir),
    publicUrl,
    version: '1.2.3',
    rpc: {
      secret: 'rpcSecret' in given ? given.rpcSecret : rpcSecret,
      runners: bench.ci.remote,
      clones: createCloneServer({ environment: bench.git.environment, folder: join(bench.dir, 'git', 'served') }),
      pushes: createPushServer(),
      pollMs,
      holdMs,
    },
    webRoot,
    log: (_message, error) => error !== undefined && failures.push(error),
    now: () => bench.clock.now,
    sleep: async () => {},
    // Disables refusals due to a busy machine.
    passwordLine: createPasswordQueue({ waitMs: 600_000 }),
    ...given,
  }
  await addPeople(bench, dependencies, passwords)
  const app = createEmbeddedApp(dependencies)

  async function request(path: string, call: Call = {}): Promise<Response> {
    const headers = new Headers(call.headers)
    if (call.as) headers.set('Authorization', `Bearer ${tokenOf(call.as)}`)
    let body = call.body
    if (call.json !== undefined) {
      body = JSON.stringify(call.json)
      headers.set('Content-Type', 'application/json')
    }
    if (call.form) {
      body = new URLSearchParams(call.form).toString()
      headers.set('Content-Type', 'application/x-www-form-urlencoded')
    }
    return app.request(path, { method: call.method ?? 'GET', headers, ...(body !== undefined && { body }) })
  }

  return {
    bench,
    app,
    dependencies,
    webRoot,
    /** Log entries; a passing test has none. */
    failures,
    request,
    /** Status and body as one value, to compare both at once. */
    async answer(path: string, call: Call = {}): Promise<[number, unknown]> {
      const response = await request(path, call)
      const text = await response.text()
      const isJson = response.headers.get('content-type') === 'application/json'
      return [response.status, isJson ? (JSON.parse(text) as unknown) : text]
    },
    async repo(): Promise<Repo> {
      return (await findRepo(bench.db, bench.repo.id)) ?? bench.repo
    },
    async changeRepo(changes: Partial<Repo>): Promise<Repo> {
      return updateRepo(bench.db, { ...((await findRepo(bench.db, bench.repo.id)) ?? bench.repo), ...changes })
    },
    /** A repository that was never activated, without permissions. */
    addRepo: (namespace: string, name: string): Promise<Repo> =>
      createRepo(bench.db, {
        uid: `${namespace}/${name}`,
        namespace,
        name,
        path: join(bench.dir, namespace, name),
        default_branch: 'main',
        visibility: 'private',
        now: 1,
      }),
    async user(id: number): Promise<User | null> {
      return findUser(bench.db, id)
    },
    async close(): Promise<void> {
      await search.close()
      await bench.close()
    },
  }
}
export type TestApp = Awaited<ReturnType<typeof createTestApp>>
