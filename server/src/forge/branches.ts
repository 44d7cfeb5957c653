/**
 * The commits of a ref that are already built: each change makes one build, however often it is
 * reported.
 */
import type { HookSource } from '../interfaces/hook.ts'
import { advanceRef, deleteRefs, findRef } from '../store/refs.ts'
import { findBuildOfEvent } from '../store/forge-builds.ts'
import type { ForgeContext } from './context.ts'

export interface RefEvent {
  repoId: number
  event: 'push' | 'tag' | 'pull_request'
  ref: string
  /** The commit that is to be built. */
  after: string
  /** A closed pull request was opened again; every other event of one that is closed is old. */
  isReopened?: boolean
  /**
   * The ref's target in the mirror; differs from `after` for an annotated tag; `''`: the ref was
   * removed, and there is nothing to build.
   */
  there: string
}

/**
 * Takes the change in the transaction that makes its build. A hook that comes again finds the ref
 * where it would leave it, or its build; only what the mirror shows right now is built a second
 * time.
 */
export function takeRef({ now }: Pick<ForgeContext, 'now'>, change: RefEvent): HookSource {
  const { repoId, ref, after, there } = change
  // If the ref has moved on, this commit is stored: the next hook reports the rest.
  const state = change.event === 'tag' ? there : after
  return {
    async take(tx) {
      const recorded = await findRef(tx, repoId, ref)
      // It was removed since, or a newer commit was taken before: hooks can arrive out of order.
      if (there === '' || recorded === there) return false
      if (recorded === state) return false
      if (isClosedState(recorded) && change.isReopened !== true) return false
      const isRepeated = change.isReopened !== true && (await findBuildOfEvent(tx, change))
      if (isRepeated && change.event !== 'tag' && there !== after) return false
      return advanceRef(tx, repoId, { ref, before: recorded, after: state }, now())
    },
  }
}

/** Instead of a commit: the pull request of the ref is closed. */
const closed = 'closed '

/** Only reopening builds this pull request again, with the same or another head. */
export async function closeRef(
  { db, now }: Pick<ForgeContext, 'db' | 'now'>,
  repoId: number,
  ref: string,
): Promise<void> {
  const recorded = await findRef(db, repoId, ref)
  if (!recorded.startsWith(closed))
    await advanceRef(db, repoId, { ref, before: recorded, after: `${closed}${recorded}` }, now())
}

/** Whether what is stored of a ref says that its pull request is closed. */
export const isClosedState = (state: string): boolean => state.startsWith(closed)

/** Records a pull request as closed at this commit, so that it is not searched for again. */
export async function setClosed(
  { db, now }: Pick<ForgeContext, 'db' | 'now'>,
  repoId: number,
  { ref, before, at }: { ref: string; before: string; at: string },
): Promise<void> {
  await advanceRef(db, repoId, { ref, before, after: `${closed}${at}` }, now())
}

export const isClosed = async ({ db }: Pick<ForgeContext, 'db'>, repoId: number, ref: string): Promise<boolean> =>
  isClosedState(await findRef(db, repoId, ref))

export const discardRef = ({ db }: Pick<ForgeContext, 'db'>, repoId: number, ref: string): Promise<void> =>
  deleteRefs(db, repoId, [ref])
