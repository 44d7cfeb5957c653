/**
 * `/link/…`: the addresses in builds and repositories (docs/api §2.10). A forge's repository
 * redirects to its pages on the forge; a local one redirects to the commit page, which checks
 * access itself.
 */
import type { ForgePage } from '../../interfaces/forge.ts'
import { redirect } from '../responses.ts'
import { queryOf } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { mayRead } from '../guards.ts'
import { pageStyleAnswer } from '../html.ts'
import { findRepoBySlug } from '../../store/repos.ts'

/** The path after `tree/` or `src/`. */
function restOf(c: Call): string {
  const path = new URL(c.req.url).pathname
  try {
    return decodeURIComponent(path.split('/').slice(5).join('/'))
  } catch {
    throw new Refusal(404, 'Commit not found')
  }
}

const escaped = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

/** `path`: the file to open. */
const toCommit = (c: Call, sha: string, path = ''): Response =>
  redirect(
    `/${encodeURIComponent(param(c, 'owner'))}/${encodeURIComponent(param(c, 'name'))}/commits/${encodeURIComponent(sha)}${path && `#${escaped(path)}`}`,
  )

/** A ref as `tree/` and `src/` have it: a full name, or that of a branch. */
const refPage = (ref: string): ForgePage => {
  const tag = /^refs\/tags\/(.+)$/.exec(ref)?.[1]
  if (tag !== undefined) return { kind: 'tag', tag }
  const pull = /^refs\/(?:pull|merge-requests)\/(\d+)\/head$/.exec(ref)?.[1]
  if (pull !== undefined) return { kind: 'pull-request', number: Number(pull) }
  return { kind: 'branch', branch: ref.replace(/^refs\/heads\//, '') }
}

export function linkRoutes({ ci, forge, store: { db } }: HttpDependencies) {
  /** The forge's own page, where the repository is the forge's. */
  async function atForge(c: Call, page: ForgePage): Promise<Response | null> {
    const url = await forge?.pageOf(repoOf(c), page)
    return url ? redirect(url) : null
  }
  /** A ref may have moved since the build: the commit that the link names counts. */
  const shaOf = async (c: Call, ref: string): Promise<string> => ci.commitSha(repoOf(c), queryOf(c).get('sha') || ref)
  return {
    'GET /link/style.css': pageStyleAnswer,
    'GET /link/:owner/:name': async (c) =>
      (await atForge(c, { kind: 'repository' })) ??
      toCommit(c, await shaOf(c, `refs/heads/${repoOf(c).default_branch}`)),
    // Without read permission the response is the same as for a repository that does not exist.
    'GET /link/:owner/:name/commit/:sha': async (c) => {
      const sha = param(c, 'sha')
      const repo = forge ? await findRepoBySlug(db, `${param(c, 'owner')}/${param(c, 'name')}`) : null
      const isTheirs = repo?.namespace === param(c, 'owner') && (await mayRead(db, c.get('user'), repo))
      const url = isTheirs ? await forge?.pageOf(repo, { kind: 'commit', sha }) : null
      return url ? redirect(url) : toCommit(c, sha)
    },
    'GET /link/:owner/:name/compare/*': async (c) => {
      const [before = '', after = ''] = restOf(c).split('...')
      const page = before && after ? await atForge(c, { kind: 'compare', before, after }) : null
      if (page) return page
      return toCommit(c, await ci.commitSha(repoOf(c), after || before))
    },
    'GET /link/:owner/:name/tree/*': async (c) =>
      (await atForge(c, refPage(restOf(c)))) ?? toCommit(c, await shaOf(c, restOf(c))),
    'GET /link/:owner/:name/src/*': async (c) => {
      const named = queryOf(c).get('sha')
      const line = Number(queryOf(c).get('line') ?? 0)
      const file = named && { kind: 'file' as const, sha: named, path: restOf(c), ...(line > 0 && { line }) }
      const page = await atForge(c, file || refPage(restOf(c)))
      if (page) return page
      return toCommit(c, await shaOf(c, restOf(c)), named ? restOf(c) : '')
    },
  } satisfies Record<string, Handler>
}
