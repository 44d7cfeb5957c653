/** Caller and rights: checked when the call arrives, and again after a wait for the caller. */
import type { Level } from './access.ts'
import { authenticate } from './authenticate.ts'
import type { Call, HttpDependencies } from './context.ts'
import { guard } from './guards.ts'

type Judge = Required<Pick<HttpDependencies, 'store' | 'now'>>

export async function identify({ store: { db, rights }, now }: Judge, c: Call): Promise<void> {
  // Before the check: a change during it makes the result stale.
  c.set('judged', rights.version())
  const { user, namedToken } = await authenticate(db, c, now())
  c.set('user', user)
  c.set('namedToken', namedToken)
}

/**
 * After a wait of any length. Refuses like the guard at the door; where no right has changed since
 * it costs nothing.
 */
export async function recheckRights(judge: Judge, c: Call, level: Level): Promise<void> {
  const judged = c.get('judged')
  if (judged === undefined || judged === judge.store.rights.version()) return
  await identify(judge, c)
  await guard(judge.store.db, c, level)
}

/**
 * Checks the permissions again before a delayed response is sent (git, the end of a log, a queue):
 * they may have been revoked in the meantime.
 */
export async function recheckResponse(
  judge: Judge,
  c: Call,
  { level, answer }: { level: Level; answer: Response },
): Promise<void> {
  try {
    await recheckRights(judge, c, level)
  } catch (error) {
    await answer.body?.cancel()
    throw error
  }
}
