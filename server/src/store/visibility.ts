/** Which users see a repository on which they have no permission row. */
import type { Repo, User } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { prepareQuery } from './prepared.ts'

type Visibility = Repo['visibility']

/** From the most to the least restrictive. */
const order: readonly Visibility[] = ['private', 'internal', 'public']

/** The more restrictive of two visibilities. */
export const narrower = (one: Visibility, other: Visibility): Visibility =>
  order.indexOf(one) < order.indexOf(other) ? one : other

/** Whether this user can see internal repositories. */
export const seesInternal = (user: Pick<User, 'external'> | null): boolean => user !== null && user.external !== true

const repoOfBuild = prepareQuery((db, { buildId }: { buildId: number }) =>
  db
    .selectFrom('builds')
    .innerJoin('repos', 'repo_id', 'build_repo_id')
    .select('repo_visibility')
    .where('build_id', '=', buildId),
)

/** The visibility of a build's repository; undefined if the build was deleted. */
export const visibilityOfBuild = async (db: Db, buildId: number): Promise<Visibility | undefined> => {
  const [row] = await repoOfBuild(db, { buildId })
  return row?.repo_visibility as Visibility | undefined
}

/**
 * Selects the ids of the repositories that the reader can see, by the same rules as the guards
 * (`http/guards.ts`, level "read").
 */
export const visibleRepos = (reader: User | null) => {
  if (reader?.admin) return sql`select repo_id from repos`
  if (!reader) return sql`select repo_id from repos where repo_visibility = 'public'`
  return sql`
    select repo_id from repos where repo_visibility in ('public', ${seesInternal(reader) ? 'internal' : 'public'})
    union select perm_repo_id from perms where perm_user_id = ${reader.id} and perm_read = 1`
}
