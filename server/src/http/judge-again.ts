/** Who calls, and what he may: asked at the door, and again where he let us wait. */
import type { Level } from './access.ts'
import { authenticate } from './authenticate.ts'
import type { Call, HttpDependencies } from './context.ts'
import { guard } from './guards.ts'

type Judge = Required<Pick<HttpDependencies, 'store' | 'now'>>

export async function identify({ store: { db, rights }, now }: Judge, c: Call): Promise<void> {
  // Before the look: a change during it makes the answer an old one.
  c.set('judged', rights.version())
  c.set('user', await authenticate(db, c, now()))
}

/** After a wait of any length. Refuses like the guard at the door; where no right has changed since it costs nothing. */
export async function judgeAgain(judge: Judge, c: Call, level: Level): Promise<void> {
  if (c.get('judged') === judge.store.rights.version()) return
  await identify(judge, c)
  await guard(judge.store.db, c, level)
}
