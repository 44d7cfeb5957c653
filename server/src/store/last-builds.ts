/**
 * The last builds of several repositories, with one query that reads an index for each repository.
 */
import type { LastBuild, RepoLastBuilds, User } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { visibleRepos } from './visibility.ts'

/** The maximum length of a title or message in the response, in characters. */
const maxTitleChars = 200

type Row = LastBuild & { repoId: number }

/**
 * Each repository with its last `limit` builds, newest first. Repositories that the reader cannot
 * see, and those without builds, are omitted.
 */
export const listLastBuilds = async (
  db: Db,
  { reader, repoIds, limit }: { reader: User; repoIds: readonly number[]; limit: number },
): Promise<RepoLastBuilds[]> => {
  const { rows } = await sql<Row>`
    select build_repo_id as "repoId", build_number as number, build_version as version, build_status as status,
      substr(build_title, 1, ${maxTitleChars}) as title, substr(build_message, 1, ${maxTitleChars}) as message,
      build_target as target, build_created as created, build_started as started, build_finished as finished
    from repos join builds on build_id in (
      select some.build_id from builds as some where some.build_repo_id = repo_id
      order by some.build_number desc limit ${limit})
    where repo_id in (select value from json_each(${JSON.stringify(repoIds)})) and repo_id in (${visibleRepos(reader)})
    order by build_number desc`.execute(db)
  const byRepo = new Map<number, LastBuild[]>()
  for (const { repoId, title, ...rest } of rows) {
    const build = title ? { ...rest, title } : rest
    const builds = byRepo.get(repoId)
    if (builds) builds.push(build)
    else byRepo.set(repoId, [build])
  }
  return [...byRepo].map(([id, builds]) => ({ id, builds }))
}
