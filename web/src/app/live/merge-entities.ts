import type { Build, Repo, Stage, Step } from '@flightdeck/api'

/** The data in an event; any part can be missing. */
export type Incoming<T> = Partial<T>

interface Versioned {
  version?: number
}

/** An equal version replaces, a lower one is ignored. Entities without a version always replace. */
const isOutdated = (known: Versioned, incoming: Versioned): boolean =>
  known.version !== undefined && incoming.version !== undefined && incoming.version < known.version

const same = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right))

/** Replaces the known fields with the new ones; returns the same object if nothing changed. */
const patch = <T extends object>(known: T, incoming: Partial<T>): T => {
  const news = Object.entries(incoming).filter(
    ([key, value]) => value !== undefined && !same(known[key as keyof T], value),
  )
  return news.length === 0 ? known : { ...known, ...Object.fromEntries(news) }
}

/**
 * `waiting` is the one field that an event removes by omitting it: an event for a waiting entity
 * always includes its reason.
 */
const patchWaiting = <T extends Pick<Build, 'waiting' | 'status'>>(known: T, incoming: Partial<T>): T => {
  const merged = patch(known, incoming)
  if (!merged.waiting || incoming.waiting || incoming.status === undefined) return merged
  const { waiting: _waiting, ...rest } = merged
  return rest as T
}

interface Numbered {
  number: number
}

/**
 * Merges items by number: items that the event does not name stay, new ones are inserted in order.
 */
const mergeNumbered = <T extends Numbered>(
  known: readonly T[] | undefined,
  incoming: readonly T[],
  merge: (known: T, incoming: T) => T,
): T[] => {
  const byNumber = new Map((known ?? []).map((item) => [item.number, item]))
  for (const item of incoming) {
    const before = byNumber.get(item.number)
    byNumber.set(item.number, before ? merge(before, item) : item)
  }
  const merged = [...byNumber.values()].toSorted((left, right) => left.number - right.number)
  const unchanged = known?.length === merged.length && merged.every((item, index) => item === known[index])
  return unchanged ? (known as T[]) : merged
}

const mergeStep = (known: Step, incoming: Step): Step =>
  isOutdated(known, incoming) ? known : patchWaiting<Step>(known, incoming)

const mergeStage = (known: Stage, incoming: Stage): Stage => {
  const { steps, ...own } = incoming
  const merged: Stage = isOutdated(known, incoming) ? known : patchWaiting<Stage>(known, own)
  if (!steps) return merged
  const mergedSteps = mergeNumbered(known.steps, steps, mergeStep)
  return mergedSteps === known.steps ? merged : { ...merged, steps: mergedSteps }
}

/**
 * Two states of the same build: each stage and step is compared by its own version
 * (architecture.md, flow 3).
 */
export const mergeBuild = (known: Build, incoming: Incoming<Build>): Build => {
  const { stages, ...own } = incoming
  const merged: Build = isOutdated(known, incoming) ? known : patchWaiting<Build>(known, own)
  if (!stages) return merged
  const mergedStages = mergeNumbered(known.stages, stages, mergeStage)
  return mergedStages === known.stages ? merged : { ...merged, stages: mergedStages }
}

/**
 * The repository's own fields. Its build is a separate entity, and permissions are never part of an
 * event.
 */
export const mergeRepo = <T extends Repo>(known: T, incoming: Incoming<Repo>): T => {
  const { build: _build, permissions: _permissions, ...own } = incoming
  return isOutdated(known, incoming) ? known : (patch<Repo>(known, own) as T)
}

/**
 * The newest build of a list entry: a newer number replaces it, the same number merges, an older
 * one is ignored.
 */
export const mergeLatest = (known: Build | undefined, incoming: Build): Build => {
  if (!known || incoming.number > known.number) return incoming
  return incoming.number === known.number ? mergeBuild(known, incoming) : known
}
