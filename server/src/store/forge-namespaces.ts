/** Namespaces of the forge by its own ids, and the secrets that belong to them. */
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** Where both have a secret of one name, that of the one that moves counts. */
export const moveOrgSecrets = async (db: Db, from: string, to: string): Promise<void> => {
  // A change of upper and lower case alone would delete what it moves.
  if (from.toLowerCase() === to.toLowerCase()) return
  await sql`update or replace orgsecrets set secret_namespace = ${to} where secret_namespace = ${from}`.execute(db)
}

const setName = (db: Db, uid: string, name: string) =>
  sql`insert into forge_namespaces (namespace_uid, namespace_name) values (${uid}, ${name})
    on conflict (namespace_uid) do update set namespace_name = excluded.namespace_name`.execute(db)

/**
 * In a transaction: records who has this name now. Secrets follow a renamed namespace; those of another one that had the name before
 * are kept aside as `NAME~ID`, which no repository is in.
 */
export async function followNamespace(db: Db, { uid, name }: { uid: string; name: string }): Promise<void> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select namespace_uid as uid, namespace_name as name from forge_namespaces
    where namespace_uid = ${uid} or namespace_name = ${name}`.execute(db)
  const known = rows.find((row) => row.uid === uid)
  const former = rows.find((row) => row.uid !== uid)
  if (known?.name === name) return
  if (former) {
    const aside = `${name}~${former.uid}`
    await moveOrgSecrets(db, name, aside)
    await setName(db, former.uid, aside)
  }
  if (known) await moveOrgSecrets(db, known.name, name)
  await setName(db, uid, name)
}
