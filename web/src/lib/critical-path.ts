/** The critical path of a build, or of a stage, for its graph, its timeline and their texts. */

export interface Timed {
  number: number
  name: string
  status: string
  started?: number
  /** 0 or `undefined` while running. */
  stopped?: number
  depends_on?: string[]
  /** A service: it runs alongside the others and ends with them. */
  detached?: boolean
  /** It ran in a different build, so it took no time of this one. */
  taken_over?: number
  /** When it was approved; 0 or `undefined` if it needed no approval. */
  approved?: number
}

const ran = ({ status, started, detached, taken_over: elsewhere }: Timed): boolean =>
  Boolean(started) && status !== 'skipped' && !detached && !elsewhere
const endOf = ({ stopped }: Timed): number => stopped || Infinity

/**
 * The dependencies of each item. Without any dependencies: the earlier items that had ended when it
 * started.
 */
const needsOf = (all: readonly Timed[], ranItems: readonly Timed[]): ((item: Timed) => Timed[]) => {
  if (!all.some(({ depends_on: needs }) => needs?.length)) {
    return ({ number, started = 0 }) => ranItems.filter((other) => other.number < number && endOf(other) <= started)
  }
  const isHere = new Set(ranItems)
  const byName = new Map(all.map((item) => [item.name, item]))
  const needsOfOne = ({ depends_on: names }: Timed): Timed[] =>
    // A Go server can send `null` for empty values.
    (names ?? []).flatMap((name) => byName.get(name) ?? [])
  /** A skipped item takes no time, and its dependents start when its dependencies have ended. */
  return (item) => {
    const found = new Set<Timed>()
    const seen = new Set<Timed>([item])
    const next = needsOfOne(item)
    for (const need of next) {
      if (seen.has(need)) continue
      seen.add(need)
      if (isHere.has(need)) found.add(need)
      else if (need.status === 'skipped' && !need.taken_over) next.push(...needsOfOne(need))
    }
    return [...found]
  }
}

interface Chain {
  total: number
  links: number
  before: Timed | undefined
}
const none: Chain = { total: 0, links: 0, before: undefined }
/**
 * For equal totals, the chain with more links is longer: this includes jobs of zero seconds between
 * others.
 */
const isLonger = (chain: Chain, other: Chain): boolean =>
  chain.total > other.total || (chain.total === other.total && chain.links > other.links)

/**
 * Larger builds get no critical path: the time is quadratic in their size, and a chain of all items
 * would overflow the stack.
 */
const maxItems = 3_000

/**
 * The numbers of the critical path: the item that ended last, the dependency it waited for longest,
 * and so on back to the start. If several ended together, the one whose chain has the largest total
 * duration. It is not the chain with the largest total of all: shortening a long chain that ended
 * while another item still waited for its runner would not end the build earlier. A running item
 * ends later than all finished ones, so the path is the one so far.
 */
export const criticalPath = (items: readonly Timed[]): ReadonlySet<number> => {
  const ranItems = items.filter(ran)
  if (ranItems.length > maxItems) return new Set()
  const needs = needsOf(items, ranItems)
  // All running items are compared at the same moment, so any moment works.
  const now = Math.max(0, ...ranItems.map(({ started = 0, stopped = 0 }) => Math.max(started, stopped)))
  const known = new Map<Timed, Chain>()
  const chainOf = (item: Timed): Chain => {
    const found = known.get(item)
    if (found) return found
    // A server that validates never sends a cycle; this prevents infinite recursion if one does.
    known.set(item, none)
    const before = latest(needs(item))
    const { total, links } = before ? chainOf(before) : none
    const own = Math.max(0, (item.stopped || now) - (item.started ?? 0))
    const chain = { total: own + total, links: links + 1, before }
    known.set(item, chain)
    return chain
  }
  const latest = (of: readonly Timed[]): Timed | undefined => {
    const end = Math.max(...of.map(endOf))
    let best: Timed | undefined
    for (const item of of) if (endOf(item) === end && (!best || isLonger(chainOf(item), chainOf(best)))) best = item
    return best
  }
  const path = new Set<number>()
  for (let item = latest(ranItems); item && !path.has(item.number); item = chainOf(item).before) path.add(item.number)
  return path
}

export interface PathTimes {
  /** The seconds in which an item of the path was running. */
  ran: number
  /** The seconds in which only a runner was missing. */
  forRunner: number
  /** The seconds in which an approval was missing. */
  forApproval: number
}

/**
 * How the time of a path was spent. `path` in start order, `created`: when the first item could
 * have started, `now`: the end of running items; all in Unix seconds.
 */
export const pathTimes = (path: readonly Timed[], { created, now }: { created: number; now: number }): PathTimes => {
  const times: PathTimes = { ran: 0, forRunner: 0, forApproval: 0 }
  let ready = created
  for (const { started = 0, stopped, approved = 0 } of path) {
    const free = Math.min(started, Math.max(ready, approved))
    times.forApproval += Math.max(0, free - ready)
    times.forRunner += Math.max(0, started - Math.max(free, ready))
    ready = stopped || now
    times.ran += Math.max(0, ready - started)
  }
  return times
}

/** The items to label: none if all are on the path, because every item would be labeled. */
export const markedOf = (items: readonly Timed[], path: ReadonlySet<number>): ReadonlySet<number> =>
  path.size < items.length ? path : new Set()
