/**
 * The permission to see an event on `/api/stream`, checked for many readers of the same event at a
 * time.
 */
import type { Repo, User } from '@flightdeck/api'
import type { BuildEventMessage } from '../../interfaces/events.ts'
import type { Db } from '../../store/open.ts'
import { findPermissions } from '../../store/permissions.ts'
import { findRepo } from '../../store/repos.ts'
import type { RightsWatch } from '../../store/rights.ts'
import { findUser } from '../../store/users.ts'
import { narrower, seesInternal } from '../../store/visibility.ts'

type Seen = Pick<BuildEventMessage, 'repoId' | 'visibility'>
/** An answer that is known needs no promise: thousands of readers ask for each event. */
export type Answer<T> = T | Promise<T>

/**
 * May `user` see this event, with the rights as they are now? An event waits for a slow reader, so
 * an answer from when it was made is too old. But an event from a time when the repository was
 * private stays private when it is public again. Administrators get nothing extra (docs/api §4.2).
 * `userId`: `null` for a guest.
 */
export type MaySee = (userId: User['id'] | null, event: Seen) => Answer<boolean>

/** The number of cached results: every person with every repository would be too many. */
const maxAnswers = 100_000

/**
 * Questions that were asked since the last change of rights, with their answers; `null` is none.
 */
function createMemory<T>(rights: RightsWatch) {
  const answers = new Map<string | number, Answer<T | null>>()
  let version = rights.version()
  return (key: string | number, find: () => Promise<T | null>): Answer<T | null> => {
    if (version !== rights.version() || answers.size >= maxAnswers) {
      version = rights.version()
      answers.clear()
    }
    const answer = answers.get(key)
    if (answer !== undefined) return answer
    const looking = find()
    // Concurrent callers share the result. A result from before a change of rights, or a failure,
    // is not cached.
    const store = (found: T | null) => {
      if (answers.get(key) !== looking) return
      if (found === null) answers.delete(key)
      else answers.set(key, found)
    }
    answers.set(key, looking)
    looking.then(store, () => store(null))
    return looking
  }
}

export const andThen = <T, U>(answer: Answer<T>, next: (value: T) => Answer<U>): Answer<U> =>
  answer instanceof Promise ? answer.then(next) : next(answer)

export function createEventRights(db: Db, rights: RightsWatch): MaySee {
  const visibilities = createMemory<Repo['visibility']>(rights)
  const permissions = createMemory<boolean>(rights)
  const internal = createMemory<boolean>(rights)
  const mayRead = (userId: number, repoId: number) =>
    permissions(`${userId} ${repoId}`, async () => (await findPermissions(db, userId, repoId))?.read ?? false)
  const maySeeInternal = (userId: number) => internal(userId, async () => seesInternal(await findUser(db, userId)))
  return (userId, { repoId, visibility: at }) =>
    andThen(
      visibilities(repoId, async () => (await findRepo(db, repoId))?.visibility ?? null),
      (now): Answer<boolean> => {
        if (now === null) return false
        const visibility = narrower(now, at)
        if (visibility === 'public') return true
        if (userId === null) return false
        const may = () => andThen(mayRead(userId, repoId), (answer) => answer === true)
        return visibility === 'internal' ? andThen(maySeeInternal(userId), (canSee) => canSee === true || may()) : may()
      },
    )
}
