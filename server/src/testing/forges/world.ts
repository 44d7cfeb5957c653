/**
 * The data of a fake forge: users, organizations, repositories with real git, hooks, statuses and
 * tokens.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface StandPerson {
  id: number
  login: string
  email: string
}

export type Level = 'read' | 'write' | 'admin'

export interface StandHook {
  id: number
  url: string
  secret: string
  events: string[]
  active: boolean
}

export interface StandStatus {
  sha: string
  state: string
  context: string
  description: string
  url: string
  ref?: string
}

export interface StandPull {
  number: number
  title: string
  source: string
  target: string
  head: string
  /** The repository of the head. */
  from: StandRepository
  author: StandPerson
}

export interface StandRepository {
  id: number
  namespace: string
  name: string
  visibility: 'public' | 'internal' | 'private'
  archived: boolean
  /** The bare repository. */
  path: string
  members: Map<string, Level>
  hooks: StandHook[]
  statuses: StandStatus[]
  deployments: { id: number; state: string; environment: string; url: string }[]
  /** The open ones. */
  pulls: StandPull[]
}

interface Code {
  login: string
  redirectUri: string
  challenge: string
}

interface Tokens {
  access: string
  refresh: string
}

/** The first bare repository of this process; copying it is faster than starting git. */
let firstBare: { name: string; text: Buffer }[] | undefined

/** Creates a bare repository that accepts pushes over HTTP. */
function createBare(path: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(path, folder), { recursive: true })
  if (firstBare) for (const { name, text } of firstBare) writeFileSync(join(path, name), text)
  else {
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', '--template=', path])
    execFileSync('git', ['-C', path, 'config', 'http.receivepack', 'true'])
    firstBare = ['HEAD', 'config'].map((name) => ({ name, text: readFileSync(join(path, name)) }))
  }
}

export class StandWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'flightdeck-forge-'))
  readonly people = new Map<string, StandPerson>()
  /** GitLab groups by full path. */
  readonly organizations = new Map<string, Set<string>>()
  readonly repositories = new Map<number, StandRepository>()
  /** Slugs of repositories that were renamed. */
  readonly formerSlugs = new Map<string, number>()
  readonly #codes = new Map<string, Code>()
  /** Access token → login. */
  readonly #access = new Map<string, string>()
  readonly #refresh = new Map<string, { login: string; access: string }>()
  #lastId = 100

  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  addPerson(login: string): StandPerson {
    const person = { id: this.nextId(), login, email: `${login}@example.com` }
    this.people.set(login, person)
    return person
  }

  addOrganization(path: string, ...members: string[]): void {
    this.organizations.set(path, new Set(members))
  }

  addRepository(
    slug: string,
    members: Record<string, Level>,
    visibility: StandRepository['visibility'] = 'private',
  ): StandRepository {
    const id = this.nextId()
    const at = slug.lastIndexOf('/')
    const path = join(this.folder, `${id}.git`)
    createBare(path)
    const repository: StandRepository = {
      id,
      namespace: slug.slice(0, at),
      name: slug.slice(at + 1),
      visibility,
      archived: false,
      path,
      members: new Map(Object.entries(members)),
      hooks: [],
      statuses: [],
      deployments: [],
      pulls: [],
    }
    this.repositories.set(id, repository)
    return repository
  }

  slugOf({ namespace, name }: StandRepository): string {
    return `${namespace}/${name}`
  }

  rename(repository: StandRepository, slug: string): void {
    this.formerSlugs.set(this.slugOf(repository), repository.id)
    const at = slug.lastIndexOf('/')
    repository.namespace = slug.slice(0, at)
    repository.name = slug.slice(at + 1)
    this.formerSlugs.delete(slug)
  }

  /** Finds a repository by its current names; undefined if the user cannot see it. */
  bySlug(slug: string, login: string | undefined): StandRepository | undefined {
    const found = [...this.repositories.values()].find((repository) => this.slugOf(repository) === slug)
    return found && this.levelOf(found, login) ? found : undefined
  }

  byId(id: number, login: string | undefined): StandRepository | undefined {
    const found = this.repositories.get(id)
    return found && this.levelOf(found, login) ? found : undefined
  }

  levelOf(repository: StandRepository, login: string | undefined): Level | undefined {
    const role = login === undefined ? undefined : repository.members.get(login)
    if (role) return role
    if (repository.visibility === 'public') return 'read'
    return repository.visibility === 'internal' && login !== undefined ? 'read' : undefined
  }

  repositoriesOf(login: string): StandRepository[] {
    return [...this.repositories.values()].filter((repository) => repository.members.has(login))
  }

  /** The user agrees to the sign-in. */
  authorize(login: string, redirectUri: string, challenge: string): string {
    const code = randomBytes(12).toString('hex')
    this.#codes.set(code, { login, redirectUri, challenge })
    return code
  }

  /** A code is valid once, for its redirect address and challenge. */
  exchange(code: string, redirectUri: string, verifier: string): Tokens | undefined {
    const cached = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (!cached || cached.redirectUri !== redirectUri || cached.challenge !== challenge) return undefined
    return this.tokensFor(cached.login)
  }

  tokensFor(login: string): Tokens {
    const access = randomBytes(20).toString('hex')
    const refresh = randomBytes(20).toString('hex')
    this.#access.set(access, login)
    this.#refresh.set(refresh, { login, access })
    return { access, refresh }
  }

  /** The refresh token is invalid after use, and so is its access token. */
  refresh(token: string): Tokens | undefined {
    const cached = this.#refresh.get(token)
    if (!cached) return undefined
    this.#refresh.delete(token)
    this.#access.delete(cached.access)
    return this.tokensFor(cached.login)
  }

  revoke(login: string): void {
    for (const [token, of] of this.#access) if (of === login) this.#access.delete(token)
    for (const [token, of] of this.#refresh) if (of.login === login) this.#refresh.delete(token)
  }

  /** Expires access tokens, but not refresh tokens. */
  expireAccess(): void {
    this.#access.clear()
  }

  loginOf(access: string): string | undefined {
    return this.#access.get(access)
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
