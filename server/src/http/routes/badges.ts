/**
 * Badges (docs/api §2.9). The picture of a hidden repository says what that of no repository says,
 * unless its settings open it.
 */
import { findBadgeBuild, findStageStatus } from '../../store/badge-builds.ts'
import { findBuildByNumber } from '../../store/builds.ts'
import { findRepoBySlug } from '../../store/repos.ts'
import { badge, ccXml } from '../badge.ts'
import { formValue } from '../bodies.ts'
import { mayRead } from '../guards.ts'
import { param, repoOf, type Handler, type HttpDependencies } from '../context.ts'

export function badgesRoutes({ store: { db }, publicUrl }: HttpDependencies) {
  return {
    'GET /api/badges/:owner/:name/status.svg': async (c) => {
      const repo = await findRepoBySlug(db, `${param(c, 'owner')}/${param(c, 'name')}`)
      const branch = await formValue(c, 'branch')
      const ref = branch ? `refs/heads/${branch}` : await formValue(c, 'ref')
      const [event, stage] = [(await formValue(c, 'event')) ?? '', (await formValue(c, 'stage')) ?? '']
      const isReader = await mayRead(db, c.get('user'), repo)
      // With a pattern, anyone could find the names of the branches out, letter by letter.
      const isShown = isReader || (repo?.public_badge && !ref?.includes('*'))
      // Runs in any case, so that the response time reveals nothing either.
      const shown = isShown && repo ? repo : { id: 0, default_branch: '' }
      // Of an event the newest build on any branch, unless one is named: most tags and promotions
      // are on none.
      const requestedRef = ref || (event === '' ? `refs/heads/${shown.default_branch}` : '')
      const build = await findBadgeBuild(db, shown.id, { ref: requestedRef, event })
      const status = build && (stage === '' ? build.status : await findStageStatus(db, build.id, stage))
      return new Response(badge(status && { status }), {
        headers: {
          'Content-Type': 'image/svg+xml',
          'Access-Control-Allow-Origin': '*',
          'Last-Modified': new Date().toUTCString(),
        },
      })
    },
    'GET /api/badges/:owner/:name/cc.xml': async (c) => {
      const { id, counter, slug } = repoOf(c)
      const build = await findBuildByNumber(db, id, counter)
      if (!build) return new Response(null, { status: 404 })
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
      return new Response(ccXml(slug, build, publicUrl), { headers })
    },
  } satisfies Record<string, Handler>
}
