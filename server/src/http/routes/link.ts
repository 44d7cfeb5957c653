/** `/link/…`: the addresses of a commit, a branch or a tag of a local repository (docs/api §2.10). */
import { redirect } from '../answers.ts'
import { queryOf } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../refusal.ts'
import { pageStyleAnswer } from '../html.ts'
import { commitPage, commitPath } from '../link-page.ts'

/** What stands behind `tree/` or `src/`. */
function restOf(c: Call): string {
  const path = new URL(c.req.url).pathname
  try {
    return decodeURIComponent(path.split('/').slice(5).join('/'))
  } catch {
    throw new Refusal(404, 'Commit not found')
  }
}

export function linkRoutes({ ci }: HttpDependencies) {
  /** A ref may have moved since the build: the commit that the link names counts. */
  const toCommit: Handler = async (c) => {
    const repo = repoOf(c)
    const sha = await ci.commitSha(repo, queryOf(c).get('sha') || restOf(c))
    return redirect(commitPath(repo, sha))
  }
  return {
    'GET /link/style.css': pageStyleAnswer,
    'GET /link/:owner/:name': async (c) => {
      const repo = repoOf(c)
      const sha = await ci.commitSha(repo, `refs/heads/${repo.default_branch}`)
      return redirect(commitPath(repo, sha))
    },
    'GET /link/:owner/:name/commit/:sha': async (c) =>
      commitPage(repoOf(c), await ci.commit(repoOf(c), param(c, 'sha'))),
    'GET /link/:owner/:name/tree/*': toCommit,
    'GET /link/:owner/:name/src/*': toCommit,
  } satisfies Record<string, Handler>
}
