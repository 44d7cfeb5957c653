/**
 * Notifies when a person may see more or less than before: long-lived streams then check again. Triggers of this
 * connection see every write, by any code.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

export interface RightsWatch {
  /** Another number whenever an answer about rights may be another one. Also while a transaction is still under way. */
  version(): number
  /** The listener is called when a person may have lost access: once after several changes, and after their transaction. */
  onLoss(listener: () => void): () => void
}

const triggers = `
create temp trigger rights_user after update of user_admin, user_active, user_token_hash, user_external on users
  when new.user_admin < old.user_admin or new.user_active < old.user_active
    or new.user_token_hash is not old.user_token_hash or new.user_external > old.user_external
  begin select rights_lost(); end;
create temp trigger rights_internal after update of user_external on users
  when new.user_external < old.user_external begin select rights_changed(); end;
create temp trigger rights_lost_user after delete on users begin select rights_lost(); end;
create temp trigger rights_lost_session after delete on sessions begin select rights_lost(); end;
create temp trigger rights_lost_token after delete on access_tokens begin select rights_lost(); end;
create temp trigger rights_expired_token after update of access_token_expired on access_tokens
  when new.access_token_expired > old.access_token_expired begin select rights_lost(); end;
create temp trigger rights_lost_wall after delete on wall_links begin select rights_lost(); end;
create temp trigger rights_expired_wall after update of wall_link_expired on wall_links
  when new.wall_link_expired > old.wall_link_expired begin select rights_lost(); end;
create temp trigger rights_given after insert on perms begin select rights_changed(); end;
create temp trigger rights_more after update on perms
  when new.perm_read > old.perm_read begin select rights_changed(); end;
create temp trigger rights_less after update on perms
  when new.perm_read < old.perm_read begin select rights_lost(); end;
create temp trigger rights_fewer after update on perms
  when new.perm_write < old.perm_write or new.perm_admin < old.perm_admin begin select rights_changed(); end;
create temp trigger rights_taken after delete on perms begin select rights_lost(); end;
create temp trigger rights_repo after update of repo_visibility on repos
  when new.repo_visibility <> old.repo_visibility begin select rights_lost(); end;
create temp trigger rights_lost_repo after delete on repos begin select rights_lost(); end;
`

/** Listeners notified concurrently: each queries the database, and delays other queries. */
const batch = 25

export const watchRights = (db: DatabaseSyncInstance): RightsWatch => {
  const listeners = new Set<() => void>()
  /** Listeners to call; one that a later change concerns again goes to the end. */
  const due = new Set<() => void>()
  let version = 0
  const notify = () => {
    for (const listener of [...due].slice(0, batch)) {
      due.delete(listener)
      if (listeners.has(listener)) listener()
    }
    if (due.size > 0) setImmediate(notify)
  }
  db.function('rights_changed', () => {
    version += 1
    return null
  })
  db.function('rights_lost', () => {
    version += 1
    // Not from within a statement. What they ask waits for the end of the transaction: there is one connection.
    if (due.size === 0 && listeners.size > 0) setImmediate(notify)
    for (const listener of listeners) due.add(listener)
    return null
  })
  db.exec(triggers)
  return {
    version: () => version,
    onLoss(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}
