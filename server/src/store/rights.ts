/**
 * Notifies when a user's permissions change, so that long-lived streams check them again. Triggers
 * of this connection see every write, whatever code makes it.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

export interface RightsWatch {
  /** The number changes whenever a permission may have changed, even inside an open transaction. */
  version(): number
  /**
   * The listener is called when a user may have lost access: once for several changes, and after
   * their transaction.
   */
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

/**
 * How many listeners are notified in one turn of the event loop. Each queries the database and
 * delays other queries.
 */
const batchSize = 25

export const watchRights = (db: DatabaseSyncInstance): RightsWatch => {
  const listeners = new Set<() => void>()
  /** Listeners to call. A listener that was called is added again at the end by a later change. */
  const due = new Set<() => void>()
  let version = 0
  const notify = () => {
    for (const listener of [...due].slice(0, batchSize)) {
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
    // Not called inside a statement. The listeners' queries wait for the end of the transaction,
    // because there is one connection.
    if (due.size === 0 && listeners.size > 0) setImmediate(notify)
    for (const listener of listeners) due.add(listener)
    return null
  })
  db.exec(triggers)
  return {
    version: () => version,
    onLoss(listener) {
      const subscriber = () => listener()
      listeners.add(subscriber)
      return () => listeners.delete(subscriber)
    },
  }
}
