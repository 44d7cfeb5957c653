/**
 * Forges that show nothing without sign-in: the `REQUIRE_SIGNIN_VIEW` of Gitea, Forgejo and Gogs,
 * GitHub Enterprise's private mode. They still call a repository public; without an account, it
 * must not be seen here either.
 */
import { ForgeError, type Driver, type ForgeKind, type ForgeRepository, type ForgeSettings } from '../driver.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { encodedPath } from './links.ts'
import type { Names } from './shapes.ts'

/** How long an answer counts. */
const maxAgeMs = 5 * 60_000
const timeoutMs = 5_000

/** An address that answers without an account, unless the forge requires sign-in. */
const probePaths: Partial<Record<ForgeKind, string>> = {
  gitea: '/api/v1/version',
  forgejo: '/api/v1/version',
  github: '/api/v3/meta',
}

/**
 * Finds the API as GitHub's driver does. The API of Gogs always requires an account, but its git
 * server serves public repositories to everyone.
 */
function probeOf(kind: ForgeKind, base: string, { namespace, name }: Names): string | undefined {
  if (kind === 'gogs') return `/${encodedPath(`${namespace}/${name}`)}.git/info/refs?service=git-upload-pack`
  return kind === 'github' && new URL(base).hostname.startsWith('api.') ? '/meta' : probePaths[kind]
}

const isGitHubCloud = ({ kind, url }: ForgeSettings): boolean =>
  kind === 'github' && new URL(url).hostname === 'github.com'

/**
 * Whether the forge requires sign-in. An answer that says neither leaves what was known; at first,
 * that it does.
 */
function createProbe({ apiUrl, ...settings }: ForgeSettings, title: string, nowMs: () => number) {
  const base = apiUrl ?? settings.url
  let last: { isRequired: boolean; atMs: number } | undefined

  async function isSignInRequired(address: string, signal?: AbortSignal): Promise<boolean> {
    try {
      await boundedFetch({ title, base }, { signal, timeoutMs })(address)
      return false
    } catch (error) {
      const failure = error instanceof ForgeError ? error.failure : 'unavailable'
      if (failure === 'unauthorized' || failure === 'forbidden') return true
      // An unknown address of the API was answered without an account, too. A repository may have
      // been renamed.
      return failure === 'not-found' && settings.kind !== 'gogs' ? false : (last?.isRequired ?? true)
    }
  }

  /** `repository`: a repository that the forge reports as public. */
  return async (repository: Names, signal?: AbortSignal): Promise<boolean> => {
    const path = isGitHubCloud(settings) ? undefined : probeOf(settings.kind, base, repository)
    if (path === undefined) return false
    if (last && nowMs() - last.atMs < maxAgeMs) return last.isRequired
    const isRequired = await isSignInRequired(`${base}${path}`, signal)
    last = { isRequired, atMs: nowMs() }
    return isRequired
  }
}

/** The driver, whose public repositories are `internal` ones where the forge requires sign-in. */
export function followRequiredSignIn(driver: Driver, settings: ForgeSettings, nowMs: () => number = Date.now): Driver {
  const isRequired = createProbe(settings, driver.title, nowMs)
  const limited = async (repository: ForgeRepository, signal?: AbortSignal): Promise<ForgeRepository> =>
    repository.visibility === 'public' && (await isRequired(repository, signal))
      ? { ...repository, visibility: 'internal' }
      : repository
  return {
    ...driver,
    async *repositories(token, signal) {
      for await (const page of driver.repositories(token, signal)) {
        const repositories: ForgeRepository[] = []
        for (const one of page.repositories) repositories.push(await limited(one, signal))
        yield { ...page, repositories }
      }
    },
    async repositoryById(token, id, signal) {
      const found = await driver.repositoryById(token, id, signal)
      return found && limited(found, signal)
    },
    async repositoryByName(token, repo, signal) {
      const found = await driver.repositoryByName(token, repo, signal)
      return found && limited(found, signal)
    },
  }
}
