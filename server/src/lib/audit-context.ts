/** On whose behalf the current call acts: known to everything that the call awaits, such as the triggers of the audit log. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface AuditActor {
  /** 0: nobody is signed in, as with an invitation. */
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
export const actAs = <T>(actor: AuditActor | undefined, work: () => T): T => storage.run(actor, work)

export const currentActor = (): AuditActor | undefined => storage.getStore()

/** Functions that SQLite calls have the context in which they were registered, so that a statement notes its own before it runs. */
let noted: AuditActor | undefined
export const noteActor = (): void => {
  noted = storage.getStore()
}
/** On whose behalf the statement runs that SQLite is at. */
export const notedActor = (): AuditActor | undefined => noted
