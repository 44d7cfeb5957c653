/** Deployments by environment, and the users who may deploy there. */
import type { Build, Deployers, EnvironmentRule } from '@flightdeck/api'
import { newestRows } from './many-rows.ts'
import type { Db } from './open.ts'
import { toBuild } from './rows.ts'
import type { EnvironmentsTable } from './schema.ts'
import { flagCell } from './table.ts'
import { builds } from './tables/builds.ts'

const toRule = (row: EnvironmentsTable): EnvironmentRule => {
  const people = row.environment_people.split(' ').filter(Boolean)
  return {
    name: row.environment_name,
    who: row.environment_who as Deployers,
    ...(people.length > 0 && { people }),
    approval: row.environment_approval === 1,
  }
}

/** Ordered by name. */
export const listEnvironmentRules = async (db: Db, repoId: number): Promise<EnvironmentRule[]> =>
  (
    await db
      .selectFrom('environments')
      .selectAll()
      .where('environment_repo_id', '=', repoId)
      .orderBy('environment_name')
      .execute()
  ).map(toRule)

/** Returns `null` if every user with write permission may deploy, without approval. */
export const findEnvironmentRule = async (db: Db, repoId: number, name: string): Promise<EnvironmentRule | null> => {
  const row = await db
    .selectFrom('environments')
    .selectAll()
    .where('environment_repo_id', '=', repoId)
    .where('environment_name', '=', name)
    .executeTakeFirst()
  return row ? toRule(row) : null
}

export const setEnvironmentRule = async (
  db: Db,
  repoId: number,
  { name, who, people = [], approval }: EnvironmentRule,
): Promise<void> => {
  const cells = {
    environment_who: who,
    environment_people: people.join(' '),
    environment_approval: flagCell(approval),
  }
  await db
    .insertInto('environments')
    .values({ environment_repo_id: repoId, environment_name: name, ...cells })
    .onConflict((conflict) => conflict.columns(['environment_repo_id', 'environment_name']).doUpdateSet(cells))
    .execute()
}

/** Does nothing if there is no rule. */
export const deleteEnvironmentRule = async (db: Db, repoId: number, name: string): Promise<void> => {
  await db
    .deleteFrom('environments')
    .where('environment_repo_id', '=', repoId)
    .where('environment_name', '=', name)
    .execute()
}

const deploymentsTo = (db: Db, repoId: number, name: string) =>
  db
    .selectFrom('builds')
    .select('build_id')
    .where('build_repo_id', '=', repoId)
    .where('build_deploy_to', '=', name)
    // The condition of the partial index.
    .where('build_deploy_to', '<>', '')
    .where('build_event', 'in', ['promote', 'rollback'])

/** Newest first. `before` restricts the list to lower numbers. */
export const listDeploymentsTo = async (
  db: Db,
  repoId: number,
  { name, before, limit }: { name: string; before: number; limit: number },
): Promise<Build[]> => {
  const some = deploymentsTo(db, repoId, name)
    .where('build_number', '<', before)
    .orderBy('build_number', 'desc')
    .limit(limit)
  const query = db.selectFrom('builds').selectAll().where('build_id', 'in', some)
  return (await newestRows(query, builds.columns, 'build_number')).map(toBuild)
}

/** The newest successful deployment. */
export const findCurrentDeployment = async (db: Db, repoId: number, name: string): Promise<Build | null> => {
  const newest = deploymentsTo(db, repoId, name)
    .where('build_status', '=', 'success')
    .orderBy('build_number', 'desc')
    .limit(1)
  const row = await db.selectFrom('builds').selectAll().where('build_id', 'in', newest).executeTakeFirst()
  return row ? toBuild(row) : null
}
