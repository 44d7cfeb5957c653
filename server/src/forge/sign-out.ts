/** Ends a person's access here when the forge ends it. */
import { runAsActor } from '../lib/audit-context.ts'
import { revokeTokens } from '../people/tokens.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { deleteUserSessions } from '../store/sessions.ts'

/**
 * Signed out everywhere, as after a change of the password: the forge does not know this person any
 * more.
 */
export const signOut = (db: Db, userId: number): Promise<void> =>
  // The server revokes the tokens, not the user whose call reached the forge.
  runAsActor(undefined, () =>
    inTransaction(db, async (tx) => {
      await deleteUserSessions(tx, userId)
      await revokeTokens(tx, userId)
    }),
  )
