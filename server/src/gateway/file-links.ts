/**
 * Links to files. Drone leads `/link/…/src/FILE?sha=` to the page of the commit; where the forge is
 * known, its own page of the file is made from that address.
 */
import type { Upstream } from './upstream.ts'

type Forge = 'github' | 'gitea' | 'gogs' | 'gitlab' | 'bitbucket' | 'bitbucket-server'

export interface LinkedFile {
  /** As in the address: its parts are encoded. */
  path: string
  sha: string
}

const publicForges = new Map<string, Forge>([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket'],
  ['gitea.com', 'gitea'],
  ['codeberg.org', 'gitea'],
])

const isSha = /^[0-9a-f]{7,64}$/

/** The file of a link address; `null`: none, or a branch. */
export const linkedFile = ({ pathname, searchParams }: URL): LinkedFile | null => {
  const [, path] = /^\/link\/[^/]+\/[^/]+\/src\/(.+)$/.exec(pathname) ?? []
  const sha = searchParams.get('sha') ?? ''
  return path !== undefined && isSha.test(sha) ? { path, sha } : null
}

/**
 * Each forge has its own kind of sign-in page. Drone sends a return address to Gitea, but not to
 * GitHub.
 */
const forgeOfSignIn = (location: string): Forge | null => {
  if (!URL.canParse(location, 'http://drone')) return null
  const { pathname, searchParams } = new URL(location, 'http://drone')
  if (pathname.endsWith('/login/form')) return 'gogs'
  if (pathname.endsWith('/login/oauth/authorize')) return searchParams.has('redirect_uri') ? 'gitea' : 'github'
  if (pathname.endsWith('/site/oauth2/authorize')) return 'bitbucket'
  if (pathname.endsWith('/plugins/servlet/oauth/authorize')) return 'bitbucket-server'
  return pathname.endsWith('/oauth/authorize') ? 'gitlab' : null
}

const pages: Readonly<Record<Forge, (base: string, file: LinkedFile) => string>> = {
  github: (base, { path, sha }) => `${base}/blob/${sha}/${path}`,
  gitea: (base, { path, sha }) => `${base}/src/commit/${sha}/${path}`,
  gogs: (base, { path, sha }) => `${base}/src/${sha}/${path}`,
  gitlab: (base, { path, sha }) => `${base}/-/blob/${sha}/${path}`,
  bitbucket: (base, { path, sha }) => `${base}/src/${sha}/${path}`,
  'bitbucket-server': (base, { path, sha }) => `${base}/browse/${path}?at=${sha}`,
}

/** The address of the repository, of that of its commit; `null`: it is none. */
const repositoryOf = (commit: URL, sha: string): string | null => {
  const end = [`/-/commit/${sha}`, `/commit/${sha}`, `/commits/${sha}`].find((one) => commit.pathname.endsWith(one))
  return end === undefined ? null : commit.origin + commit.pathname.slice(0, -end.length)
}

/**
 * `commit`: the target of Drone's link. `signIn`: where it sends people to sign in. `null`:
 * unknown.
 */
export const filePage = (commit: string, file: LinkedFile, signIn: string | null): string | null => {
  if (!URL.canParse(commit)) return null
  const url = new URL(commit)
  const base = /^https?:$/.test(url.protocol) ? repositoryOf(url, file.sha) : null
  if (base === null) return null
  const isServer = /\/projects\/[^/]+\/repos\/[^/]+$/.test(base)
  const forge =
    publicForges.get(url.hostname) ?? (isServer ? 'bitbucket-server' : signIn === null ? null : forgeOfSignIn(signIn))
  return forge && pages[forge](base, file)
}

/** A server keeps its forge. */
const keptMs = 600_000

/** Where the server sends people to sign in; `null` while it cannot be asked. */
export const createSignInPage = (upstream: Upstream, now: () => number = () => performance.now()) => {
  let last: { location: string | null; at: number } | undefined
  return async (): Promise<string | null> => {
    if (last && now() - last.at < keptMs) return last.location
    try {
      const response = await upstream.get('/login')
      response.resume()
      last = { location: response.headers.location ?? null, at: now() }
      return last.location
    } catch {
      return null
    }
  }
}
