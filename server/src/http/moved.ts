/** Redirects a repository's old name to its new one, for callers with read access. */
import type { User } from '@flightdeck/api'
import { findRepoByFormerSlug } from '../store/forge-repos.ts'
import type { Db } from '../store/open.ts'
import { findRepoBySlug } from '../store/repos.ts'
import type { Call } from './context.ts'
import { mayRead } from './guards.ts'

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * The current address; `null` if no repository ever had the name that these two parts of the path
 * form.
 */
export async function movedPath(db: Db, c: Call, user: User | null, at: number): Promise<string | null> {
  const { pathname, search } = new URL(c.req.url)
  const parts = pathname.split('/')
  const [owner = '', name = ''] = parts.slice(at, at + 2)
  if (owner === '' || name === '') return null
  const slug = `${decoded(owner)}/${decoded(name)}`
  const repo = await findRepoByFormerSlug(db, slug)
  // A name that another repository has now is that one's.
  if (!repo || (await findRepoBySlug(db, slug)) || !(await mayRead(db, user, repo))) return null
  parts.splice(at, 2, encodeURIComponent(repo.namespace), encodeURIComponent(repo.name))
  return `${parts.join('/')}${search}`
}

/** Calls other than GET are repeated as they are. */
export const movedAnswer = (c: Call, path: string): Response =>
  new Response(null, {
    status: c.req.method === 'GET' ? 301 : 308,
    headers: { Location: path, 'Cache-Control': 'no-store' },
  })
