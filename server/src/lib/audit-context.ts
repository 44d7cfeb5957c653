/**
 * The user on whose behalf the current call acts, available to everything that the call awaits,
 * such as the audit log's triggers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface AuditActor {
  /** 0: no signed-in user, as with an invitation. */
  userId: number
  login: string
  address: string
  /** The `User-Agent` header. */
  agent: string
  /** The id of the request, as in the log of the server. */
  request: string
  /** Unix seconds. */
  time: number
}

const storage = new AsyncLocalStorage<AuditActor | undefined>()

/** Without an actor: what the server does by its rules. */
export const runAsActor = <T>(actor: AuditActor | undefined, work: () => T): T => storage.run(actor, work)

export const currentActor = (): AuditActor | undefined => storage.getStore()

/**
 * Functions that SQLite calls have the context in which they were registered, so that a statement
 * notes its own before it runs.
 */
let noted: AuditActor | undefined
export const noteActor = (): void => {
  noted = storage.getStore()
}
/** The user on whose behalf SQLite runs the current statement. */
export const notedActor = (): AuditActor | undefined => noted
