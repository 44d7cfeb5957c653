/**
 * Records which repositories and users changed since the last read, so that unchanged lists of
 * thousands of repositories are not read again. Triggers of this connection see every write,
 * whatever code makes it; a rollback also removes the record.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** Whether this build is the one that lists show. */
const isLatest = (row: 'new' | 'old') =>
  `${row}.build_id = (select repo_latest_build_id from repos where repo_id = ${row}.build_repo_id)`

/**
 * Without `or ignore`, because inside a trigger the conflict rule of the outer statement applies.
 */
const note = (table: string, id: string, from = '') =>
  `begin insert into ${table} select ${id} ${from || 'where true'} and ${id} not in (select changed_id from ${table}); end;`
const noteRepo = (id: string) => note('changed_repos', id)
const noteUser = (id: string) => note('changed_users', id)

const triggers = `
pragma temp_store = memory;
create temp table changed_repos (changed_id integer primary key) strict;
create temp table changed_users (changed_id integer primary key) strict;

create temp trigger note_repo after update on repos ${noteRepo('new.repo_id')}
create temp trigger note_build after update on builds when ${isLatest('new')} ${noteRepo('new.build_repo_id')}
create temp trigger note_lost_build after delete on builds when ${isLatest('old')} ${noteRepo('old.build_repo_id')}

create temp trigger note_right after insert on perms ${noteUser('new.perm_user_id')}
create temp trigger note_other_right after update on perms ${noteUser('new.perm_user_id')}
create temp trigger note_lost_right after delete on perms ${noteUser('old.perm_user_id')}
create temp trigger note_name after update of repo_slug on repos when new.repo_slug <> old.repo_slug
  ${note('changed_users', 'perm_user_id', 'from perms where perm_repo_id = new.repo_id')}
`

export const watchChanges = (db: DatabaseSyncInstance): void => db.exec(triggers)

export interface Changes {
  /** Repositories that changed, or whose latest build changed. */
  repos: number[]
  /** Users whose readable repositories changed, or their order. */
  users: number[]
}

/** Returns each change once, so there can be only one caller, which passes it on. */
export async function takeChanges(db: Db): Promise<Changes> {
  const take = async (table: 'changed_repos' | 'changed_users') => {
    const taken = await sql<{
      id: number
    }>`delete from ${sql.table(`temp.${table}`)} returning changed_id as id`.execute(db)
    return taken.rows.map(({ id }) => id)
  }
  return { repos: await take('changed_repos'), users: await take('changed_users') }
}

/** Records a change of data that is in no table but is shown with a repository. */
export async function noteRepos(db: Db, ids: readonly number[]): Promise<void> {
  await sql`insert into temp.changed_repos select distinct value from json_each(${JSON.stringify(ids)})
    where value not in (select changed_id from temp.changed_repos)`.execute(db)
}
