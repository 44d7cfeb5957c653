/** The links of an event's description: to the forge, or to our own pages. */
import { trimEndChars, type Build, type Repo } from '@flightdeck/api'
import { pathInCommit } from '@flightdeck/api/log-paths'

import { client } from '../../api/client.ts'
import { forgeOf, forgePage } from '../../api/forge.ts'
import type { EventPart } from './event-text.ts'
import { paths } from '../../lib/paths.ts'

export interface PartLink {
  href: string
  /** The link leaves our pages. */
  external: boolean
}

/**
 * Links are untrusted (they come from pushed commits): only http(s) URLs are allowed, never
 * `javascript:`.
 */
export const safeUrl = (address: string | undefined): string | undefined => {
  if (!address || !URL.canParse(address)) return undefined
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}

const outside = (href: string | undefined): PartLink | undefined => (href ? { href, external: true } : undefined)

/**
 * docs/api §2.10: the server knows its forge and redirects to the page of a ref. Without a forge
 * there is none.
 */
const redirect = (repo: Repo, rest: string, query: string): PartLink | undefined => {
  if (!safeUrl(repo.link)) return undefined
  return outside(client.url(`/link${paths.repo(repo.namespace, repo.name)}/${rest}${query && `?${query}`}`))
}

const commitOf = (repo: Repo, build: Build): PartLink | undefined =>
  redirect(repo, `commit/${encodeURIComponent(build.after)}`, `ref=${encodeURIComponent(build.ref)}`)

const treeOf = (repo: Repo, build: Build, ref: string): PartLink | undefined =>
  redirect(repo, `tree/${ref.split('/').map(encodeURIComponent).join('/')}`, `sha=${encodeURIComponent(build.after)}`)

/**
 * Manual and cron builds have the address of an API resource, which is not a web page (recordings).
 */
const pageOf = (build: Build): string | undefined =>
  build.event === 'custom' || build.event === 'cron' ? undefined : safeUrl(build.link)

/** Commits and branches of a local repository are our own pages. */
const ownLinkOf = (part: EventPart, build: Build, { namespace, name }: Repo): string | undefined => {
  switch (part.kind) {
    case 'commit':
    case 'tag':
    case 'pull':
      return build.after && paths.commit(namespace, name, build.after)
    case 'branch':
      return paths.branch(namespace, name, part.text)
    default:
      return undefined
  }
}

/**
 * The forge's page, for a repository that our server has from the forge. URLs in webhooks are not
 * used.
 */
const forgeLinkOf = (part: EventPart, build: Build, repo: Repo): PartLink | undefined => {
  const forge = forgeOf(repo)
  if (!forge) return undefined
  switch (part.kind) {
    case 'commit':
      return commitOf(repo, build)
    case 'pull':
      return redirect(repo, `tree/${build.ref.split('/').map(encodeURIComponent).join('/')}`, '')
    case 'fork':
      return outside(forgePage(forge, build.source_repo))
    case 'person':
      return outside(forgePage(forge, part.text))
    default:
      return undefined
  }
}

export const linkOf = (part: EventPart, build: Build, repo: Repo, isOwn: boolean): PartLink | undefined => {
  const forges = forgeLinkOf(part, build, repo)
  if (forges) return forges
  const own = isOwn && !forgeOf(repo) && ownLinkOf(part, build, repo)
  if (own) return { href: own, external: false }
  switch (part.kind) {
    case 'commit':
      return outside(pageOf(build)) ?? commitOf(repo, build)
    case 'pull':
      return outside(safeUrl(build.link))
    case 'tag':
      return treeOf(repo, build, `refs/tags/${part.text}`) ?? outside(safeUrl(build.link))
    case 'branch':
      return (
        treeOf(repo, build, `refs/heads/${part.text}`) ?? {
          href: paths.branches(repo.namespace, repo.name),
          external: false,
        }
      )
    case 'parent':
      return build.parent ? { href: paths.build(repo.namespace, repo.name, build.parent), external: false } : undefined
    case 'environment':
      return { href: paths.deployments(repo.namespace, repo.name), external: false }
    case 'text':
    case 'fork':
    case 'person':
      return undefined
  }
}

/** The forge's page of a build's pull request. */
export const pullLink = (repo: Repo, build: Build): string | undefined => {
  const link = linkOf({ kind: 'pull', text: '' }, build, repo, false)
  return link?.external ? link.href : undefined
}

/** The pipeline file at the build's commit, on the forge. */
export const fileLink = (repo: Repo, build: Build): string | undefined => {
  const path = repo.config_path.split('/').map(encodeURIComponent).join('/')
  return path && redirect(repo, `src/${path}`, `sha=${encodeURIComponent(build.after)}`)?.href
}

/** The URL fragment for a line of a file, which differs between forges. */
const lineHash = (repo: Repo, line: number): string => {
  const { hostname = '', pathname = '' } = URL.canParse(repo.link) ? new URL(repo.link) : {}
  if (hostname === 'bitbucket.org') return `#lines-${line}`
  return isBitbucketServer(pathname) ? `#${line}` : `#L${line}`
}

const isBitbucketServer = (pathname: string): boolean => /\/projects\/[^/]+\/repos\//.test(pathname)

/**
 * A file at the commit of a build, as a log names it; the fragment with the line survives the
 * server's redirect.
 */
export const sourceLink = (
  repo: Repo,
  build: Pick<Build, 'after'>,
  place: { path: string; line: number },
): string | undefined => {
  const path = pathInCommit(place.path, repo.slug)
  if (path === undefined || !build.after) return undefined
  const parts = path.split('/').map(encodeURIComponent).join('/')
  const page = redirect(repo, `src/${parts}`, `sha=${encodeURIComponent(build.after)}`)
  return page && `${page.href}${lineHash(repo, place.line)}`
}

/** The page of a commit on its forge; `undefined` for a local repository. */
export const commitLink = (repo: Repo, sha: string): string | undefined =>
  forgeOf(repo) && redirect(repo, `commit/${encodeURIComponent(sha)}`, '')?.href

/**
 * The comparison of two commits. Drone has no redirect to that page, so the URL is built for each
 * kind of forge.
 */
export const compareLink = (repo: Repo, before: string, after: string): string | undefined => {
  const link = safeUrl(repo.link)
  if (!link || !/^[0-9a-f]{7,64}$/.test(before) || !/^[0-9a-f]{7,64}$/.test(after)) return undefined
  if (forgeOf(repo)) return redirect(repo, `compare/${before}...${after}`, '')?.href
  const { hostname, pathname } = new URL(link)
  const base = trimEndChars(trimEndChars(link, '/'), '.git')
  if (hostname === 'bitbucket.org') return `${base}/branches/compare/${after}..${before}`
  if (isBitbucketServer(pathname))
    return `${trimEndChars(base, '/browse')}/compare/commits?sourceBranch=${after}&targetBranch=${before}`
  if (/(?:^|\.)gitlab\./.test(hostname)) return `${base}/-/compare/${before}...${after}`
  return `${base}/compare/${before}...${after}`
}
