/** Namespaces of the forge by their ids, and the secrets that belong to them. */
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** If both namespaces have a secret with the same name, the moved one wins. */
export const moveOrgSecrets = async (db: Db, from: string, to: string): Promise<void> => {
  // If only the case changes, the statements below would delete what they move.
  if (from.toLowerCase() === to.toLowerCase()) return
  await sql`update or replace orgsecrets set secret_namespace = ${to} where secret_namespace = ${from}`.execute(db)
}

const setName = (db: Db, uid: string, name: string) =>
  sql`insert into forge_namespaces (namespace_uid, namespace_name) values (${uid}, ${name})
    on conflict (namespace_uid) do update set namespace_name = excluded.namespace_name`.execute(db)

/**
 * Records which namespace has this name now; call it in a transaction. Secrets follow a renamed
 * namespace. The secrets of another namespace that had the name before are stored as `NAME~ID`,
 * which no repository uses.
 */
export async function followNamespace(db: Db, { uid, name }: { uid: string; name: string }): Promise<void> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select namespace_uid as uid, namespace_name as name from forge_namespaces
    where namespace_uid = ${uid} or namespace_name = ${name}`.execute(db)
  const match = rows.find((row) => row.uid === uid)
  const former = rows.find((row) => row.uid !== uid)
  if (match?.name === name) return
  if (former) {
    const retiredName = `${name}~${former.uid}`
    await moveOrgSecrets(db, name, retiredName)
    await setName(db, former.uid, retiredName)
  }
  if (match) await moveOrgSecrets(db, match.name, name)
  await setName(db, uid, name)
}
