/**
 * Secrets of repositories and organizations. Values are already sealed (`secrets-box.ts`), so the
 * store cannot read them.
 */
import type { Secret } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { readInParts } from './parts.ts'
import type { OrgSecretRow, SecretRow } from './schema.ts'
import { toOrgSecret, toSecret } from './rows.ts'
import { orgSecrets, secrets } from './tables/secrets.ts'

export interface NewSecret {
  name: string
  data: string
  pull_request?: boolean
  pull_request_push?: boolean
  /** Unix seconds. */
  updated?: number
  /** The login of the user who wrote it. */
  updated_by?: string
}
export type SecretChanges = Partial<Omit<NewSecret, 'name'>>
/** A sealed value for a runner. */
export type SealedSecret = Secret & { name: string; data: string }

/** Ordered by name, without values. */
export const listSecrets = (db: Db, repoId: number): Promise<Secret[]> =>
  readInParts(async (last, count) => {
    const rows = db.selectFrom('secrets').selectAll().where('secret_repo_id', '=', repoId)
    const some = last ? rows.where('secret_name', '>', last.name ?? '') : rows
    return (await some.orderBy('secret_name').limit(count).execute()).map(toSecret)
  })

/** How many secrets a repository has, or a namespace (in any case). */
export const countSecrets = async (db: Db, of: { repoId: number } | { namespace: string }): Promise<number> => {
  const { rows } = await ('repoId' in of
    ? sql<{ count: number }>`select count(*) as count from secrets where secret_repo_id = ${of.repoId}`.execute(db)
    : sql<{ count: number }>`select count(*) as count from orgsecrets where secret_namespace = ${of.namespace}`.execute(
        db,
      ))
  return rows[0]?.count ?? 0
}

/** Case-sensitive (docs/api §2.7). */
export const findSecret = async (db: Db, repoId: number, name: string): Promise<Secret | null> => {
  const row = await db
    .selectFrom('secrets')
    .selectAll()
    .where('secret_repo_id', '=', repoId)
    .where('secret_name', '=', name)
    .executeTakeFirst()
  return row ? toSecret(row) : null
}

export const createSecret = async (db: Db, repoId: number, secret: NewSecret): Promise<Secret> =>
  toSecret(
    await db
      .insertInto('secrets')
      .values(secrets.toRow({ repo_id: repoId, ...secret }, secret))
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const updateSecret = async (db: Db, secret: Secret, changes: SecretChanges): Promise<Secret> =>
  toSecret(
    await db
      .updateTable('secrets')
      .set({ ...secrets.set({ ...secret, ...changes }), ...(changes.data && { secret_data: changes.data }) })
      .where('secret_id', '=', secret.id ?? 0)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const deleteSecret = async (db: Db, secret: Secret): Promise<void> => {
  await db
    .deleteFrom('secrets')
    .where('secret_id', '=', secret.id ?? 0)
    .execute()
}

/** The secrets of one namespace or of all, ordered by name. */
export const listOrgSecrets = async (db: Db, namespace?: string): Promise<Secret[]> => {
  const rows = await readInParts<OrgSecretRow>((last, count) => {
    const all = db.selectFrom('orgsecrets').selectAll()
    const some = namespace === undefined ? all : all.where('secret_namespace', '=', namespace)
    return some
      .where('secret_id', '>', last?.secret_id ?? 0)
      .orderBy('secret_id')
      .limit(count)
      .execute()
  })
  const byName = (one: OrgSecretRow, other: OrgSecretRow) =>
    one.secret_name < other.secret_name ? -1 : Number(one.secret_name > other.secret_name)
  return rows.toSorted(byName).map(toOrgSecret)
}

/** Ignores case (docs/api §2.7). */
export const findOrgSecret = async (db: Db, namespace: string, name: string): Promise<Secret | null> => {
  const row = await db
    .selectFrom('orgsecrets')
    .selectAll()
    .where('secret_namespace', '=', namespace)
    .where('secret_name', '=', name)
    .executeTakeFirst()
  return row ? toOrgSecret(row) : null
}

export const createOrgSecret = async (db: Db, namespace: string, secret: NewSecret): Promise<Secret> =>
  toOrgSecret(
    await db
      .insertInto('orgsecrets')
      .values(orgSecrets.toRow({ namespace, ...secret }, secret))
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const updateOrgSecret = async (db: Db, secret: Secret, changes: SecretChanges): Promise<Secret> =>
  toOrgSecret(
    await db
      .updateTable('orgsecrets')
      .set({ ...orgSecrets.set({ ...secret, ...changes }), ...(changes.data && { secret_data: changes.data }) })
      .where('secret_id', '=', secret.id ?? 0)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

export const deleteOrgSecret = async (db: Db, secret: Secret): Promise<void> => {
  await db
    .deleteFrom('orgsecrets')
    .where('secret_id', '=', secret.id ?? 0)
    .execute()
}

/** The secrets that a build can use: the repository's, then its organization's (docs/api §7.5). */
export const listSealedSecrets = async (db: Db, repo: { id: number; namespace: string }): Promise<SealedSecret[]> => {
  const ofRepo = await readInParts<SecretRow>((last, count) => {
    const rows = db.selectFrom('secrets').selectAll().where('secret_repo_id', '=', repo.id)
    const some = last ? rows.where('secret_name', '>', last.secret_name) : rows
    return some.orderBy('secret_name').limit(count).execute()
  })
  const shared = await readInParts<OrgSecretRow>((last, count) => {
    const rows = db.selectFrom('orgsecrets').selectAll().where('secret_namespace', '=', repo.namespace)
    const some = last ? rows.where('secret_name', '>', last.secret_name) : rows
    return some.orderBy('secret_name').limit(count).execute()
  })
  return [
    ...ofRepo.map((row) => ({ ...toSecret(row), name: row.secret_name, data: row.secret_data })),
    ...shared.map((row) => ({ ...toOrgSecret(row), name: row.secret_name, data: row.secret_data })),
  ]
}

/**
 * The repositories with a secret of the same name to which the user can write, by the name in lower
 * case (docs/api §2.7).
 */
export const listOverrides = async (
  db: Db,
  namespace: string,
  reader: { id: number; admin: boolean },
): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ name: string; slug: string }>`
    select lower(o.secret_name) as name, repo_slug as slug
    from repos join secrets s on s.secret_repo_id = repo_id
      join orgsecrets o on o.secret_namespace = repo_namespace and o.secret_name = s.secret_name
    where repo_namespace = ${namespace} and repo_active = 1 and (${reader.admin ? 1 : 0} = 1 or exists (
      select 1 from perms where perm_repo_id = repo_id and perm_user_id = ${reader.id} and perm_write = 1))
    order by repo_slug limit 1000`.execute(db)
  const overrides = new Map<string, string[]>()
  for (const { name, slug } of rows) overrides.set(name, [...(overrides.get(name) ?? []), slug])
  return overrides
}

/** Any sealed value, to check that the key is still the same; `null` if there is none yet. */
export const findAnySealed = async (db: Db): Promise<string | null> => {
  const row = await db
    .selectFrom('users')
    .select('user_token as sealed')
    .where('user_token', 'is not', null)
    .unionAll(db.selectFrom('secrets').select('secret_data as sealed'))
    .unionAll(db.selectFrom('orgsecrets').select('secret_data as sealed'))
    .limit(1)
    .executeTakeFirst()
  return row?.sealed ?? null
}
