/** Builds: reading them and the indices of the newest (docs/api §2.4). */
import type { Build } from '@flightdeck/api'
import { findBuildByNumber, findLatestBuildOfRef, listBuilds, withStages } from '../../store/builds.ts'
import { countBuilds } from '../../store/count-builds.ts'
import { filterBuilds } from '../../store/filter-builds.ts'
import { deleteLatest, listLatest, type LatestKind } from '../../store/latest.ts'
import { findHistory } from '../../store/history.ts'
import { findRepoTimes } from '../../store/repo-times.ts'
import { findUsualTimes } from '../../store/usual-times.ts'
import { json, jsonBuild, jsonList, noContent } from '../responses.ts'
import { formValue, queryOf } from '../bodies.ts'
import { readBuildFilter } from '../build-filter.ts'
import { param, repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { buildNumber, pageNumber, pageSize, stageOrStepNumber } from '../number-params.ts'

/**
 * The text that `*` matched, unescaped once: branches and environments can contain slashes, plain
 * or escaped.
 */
function restOf(c: Call): string {
  const segments = new URL(c.req.url).pathname.split('/').slice(7)
  try {
    return segments.map(decodeURIComponent).join('/')
  } catch {
    return segments.join('/')
  }
}

export function buildsRoutes({ store, ci, now }: Required<HttpDependencies>) {
  const { db } = store
  const withReasons = async (build: Build) => {
    const [complete = build] = await ci.withReasons([await ci.withExcerpts(build)])
    return jsonBuild(complete)
  }
  const detail = async (build: Build | null) => withReasons(await withStages(db, found(build)))
  const list =
    (kind: LatestKind): Handler =>
    async (c) =>
      jsonList(await ci.withReasons(await listLatest(db, repoOf(c).id, kind)))
  const drop =
    (kind: LatestKind, name: (c: Call) => string): Handler =>
    async (c) => {
      await deleteLatest(db, repoOf(c).id, kind, name(c))
      return noContent()
    }

  return {
    'GET /api/repos/:owner/:name/builds': async (c) => {
      const branch = await formValue(c, 'branch')
      const tag = await formValue(c, 'tag')
      const ref = branch ? `refs/heads/${branch}` : tag ? `refs/tags/${tag}` : undefined
      const page = pageNumber(await formValue(c, 'page'))
      const perPage = pageSize(await formValue(c, 'per_page'), 100)
      return jsonList(await ci.withReasons(await listBuilds(db, repoOf(c).id, { page, perPage, ref })))
    },
    'GET /api/repos/:owner/:name/builds/filter': async (c) => {
      const query = queryOf(c)
      const before = query.get('before') ? buildNumber(query.get('before') ?? '') : Number.MAX_SAFE_INTEGER
      const limit = pageSize(query.get('per_page'), 100, 50)
      const filter = readBuildFilter(query)
      const found = await filterBuilds(db, repoOf(c).id, { filter, before, limit, now: now() })
      return json({ ...found, items: await ci.withReasons(found.items) })
    },
    'GET /api/repos/:owner/:name/builds/counts': async (c) =>
      json(await countBuilds(db, repoOf(c).id, { filter: readBuildFilter(queryOf(c)), now: now() })),
    'DELETE /api/repos/:owner/:name/builds': async (c) => {
      await ci.purge(repoOf(c), buildNumber((await formValue(c, 'before')) ?? ''), userOf(c))
      return noContent()
    },
    'GET /api/repos/:owner/:name/builds/latest': async (c) => {
      const branch = await formValue(c, 'branch')
      const ref = branch ? `refs/heads/${branch}` : await formValue(c, 'ref')
      return detail(await findLatestBuildOfRef(db, repoOf(c).id, ref || `refs/heads/${repoOf(c).default_branch}`))
    },
    'GET /api/repos/:owner/:name/builds/:number': async (c) =>
      detail(await findBuildByNumber(db, repoOf(c).id, buildNumber(param(c, 'number')))),
    'GET /api/repos/:owner/:name/builds/:number/details': async (c) =>
      json(await ci.details(repoOf(c), buildNumber(param(c, 'number')))),
    'GET /api/repos/:owner/:name/builds/:number/usual': async (c) =>
      json(await findUsualTimes(db, found(await findBuildByNumber(db, repoOf(c).id, buildNumber(param(c, 'number')))))),
    'GET /api/repos/:owner/:name/times': async (c) => {
      const branch = (await formValue(c, 'branch')) || repoOf(c).default_branch
      return json(await findRepoTimes(db, repoOf(c).id, branch))
    },
    'GET /api/repos/:owner/:name/builds/:number/history': async (c) => {
      const build = found(await findBuildByNumber(db, repoOf(c).id, buildNumber(param(c, 'number'))))
      return json(await findHistory(db, { build, repo: repoOf(c), reader: c.get('user') }))
    },
    'GET /api/repos/:owner/:name/builds/:number/script/:stage/:step': async (c) => {
      const [stage, step] = [stageOrStepNumber(param(c, 'stage')), stageOrStepNumber(param(c, 'step'))]
      return json({ text: await ci.script(repoOf(c), buildNumber(param(c, 'number')), stage, step) })
    },
    'GET /api/repos/:owner/:name/builds/branches': list('branch'),
    'GET /api/repos/:owner/:name/builds/pulls': list('pull'),
    'GET /api/repos/:owner/:name/builds/deployments': list('deployment'),
    'DELETE /api/repos/:owner/:name/builds/branches/*': drop('branch', restOf),
    'DELETE /api/repos/:owner/:name/builds/pulls/:pull': drop('pull', (c) => param(c, 'pull')),
    'DELETE /api/repos/:owner/:name/builds/deployments/*': drop('deployment', restOf),
  } satisfies Record<string, Handler>
}

/** A number in the words of approve and decline (docs/api §2.4). */
export function plainNumber(c: Call, name: 'number' | 'stage', fault: string): number {
  const text = param(c, name)
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, fault)
  return Number(text)
}
