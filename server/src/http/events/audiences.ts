/**
 * Groups readers of an event stream that see the same events: the same credential and the same
 * request.
 */
import type { BuildEventMessage } from '../../interfaces/events.ts'
import { hashOfToken } from '../../people/sessions.ts'
import type { Db } from '../../store/open.ts'
import type { RightsWatch } from '../../store/rights.ts'
import { explicitToken, sessionCookie } from '../authenticate.ts'
import { readCookie } from '../cookies.ts'
import { repoOf, type Call } from '../context.ts'
import { mayRead, personOf } from '../repo-readers.ts'
import type { Audience } from './broadcaster.ts'
import { createEventRights, andThen, type Answer } from './event-rights.ts'

/**
 * Seconds for which a credential counts as good while no right changes. A session ends 720 h after
 * its last use, which each look here is, and ending one earlier changes rights.
 */
const goodSeconds = 60

/** Calls `look` at most once in that time, and again when rights change. */
function rememberedFor(rights: RightsWatch, now: () => number, check: () => Promise<boolean>): () => Answer<boolean> {
  let last: { answer: Answer<boolean>; until: number; version: number } | undefined
  return () => {
    if (last && last.until > now() && last.version === rights.version()) return last.answer
    const current = { answer: check() as Answer<boolean>, until: now() + goodSeconds, version: rights.version() }
    last = current
    Promise.resolve(current.answer).then(
      (answer) => (current.answer = answer),
      () => {
        if (last === current) last = undefined
      },
    )
    return current.answer
  }
}

/** A guest's credential is none, good or bad. It holds no secret: only hashes of them. */
async function credentialOf(c: Call): Promise<string> {
  if (!c.get('user')) return 'guest'
  const token = await explicitToken(c)
  if (token !== null) return `token ${hashOfToken(token)}`
  return `session ${hashOfToken(readCookie(c, sessionCookie) ?? '')}`
}

export function createAudiences(db: Db, rights: RightsWatch, now: () => number) {
  const maySee = createEventRights(db, rights)
  return {
    /** For the events of all repositories. */
    async ofAll(c: Call): Promise<Audience> {
      const userId = c.get('user')?.id ?? null
      const person = personOf(db, c, now)
      const canStay = async () => (await person()).canStay
      const isGood = userId === null ? () => true : rememberedFor(rights, now, canStay)
      return {
        key: `all, ${await credentialOf(c)}`,
        canStay,
        canSee: (message: BuildEventMessage) => andThen(isGood(), (good) => good && maySee(userId, message)),
      }
    },
    /** For those of the repository that the call is about. */
    async ofRepo(c: Call): Promise<Audience> {
      const { id } = repoOf(c)
      const may = mayRead(db, rights, now, c)
      return {
        key: `repository ${id}, ${await credentialOf(c)}`,
        canStay: () => may(),
        canSee: (message) => message.repoId === id && may(message.visibility),
      }
    },
  }
}
