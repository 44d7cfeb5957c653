/** Reads the builds of search results, with the current permissions. */
import type { Build, User } from '@flightdeck/api'
import { sql } from 'kysely'
import { builds } from '../tables/builds.ts'
import type { Db } from '../open.ts'
import { toBuild } from '../rows.ts'
import { manyRows } from '../many-rows.ts'
import { visibleRepos } from '../visibility.ts'

export interface VisibleBuild {
  namespace: string
  name: string
  build: Build
}

const columns = [...builds.columns, 'repo_namespace', 'repo_name'] as const

/** In the order of `ids`, without builds that the user cannot see or that were deleted. */
export const listVisibleBuilds = async (db: Db, reader: User, ids: readonly number[]): Promise<VisibleBuild[]> => {
  const query = db
    .selectFrom('builds')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .selectAll('builds')
    .select(['repo_namespace', 'repo_name'])
    .where(sql<boolean>`build_id in (select value from json_each(${JSON.stringify(ids)}))`)
    .where(sql<boolean>`build_repo_id in (${visibleRepos(reader)})`)
  const rows = await manyRows(query, columns, 'build_id')
  const byId = new Map(rows.map((row) => [row.build_id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [{ namespace: row.repo_namespace, name: row.repo_name, build: toBuild(row) }] : []
  })
}
