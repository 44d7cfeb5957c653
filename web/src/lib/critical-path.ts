/** What held up the end of a build, or of a stage: the one answer that its graph, its timeline and their words give. */

export interface Timed {
  number: number
  name: string
  status: string
  started?: number
  /** 0 and `undefined`: it goes on. */
  stopped?: number
  depends_on?: string[]
  /** A service: it runs beside the others and ends with them. */
  detached?: boolean
  /** It ran in another build: it took no time of this one. */
  taken_over?: number
  /** When somebody approved it; 0 or `undefined`: nobody had to. */
  approved?: number
}

const ran = ({ status, started, detached, taken_over: elsewhere }: Timed): boolean =>
  Boolean(started) && status !== 'skipped' && !detached && !elsewhere
const endOf = ({ stopped }: Timed): number => stopped || Infinity

/** What each one had to wait for. Without any dependencies: what comes before it in order and was over when it began. */
const needsOf = (all: readonly Timed[], here: readonly Timed[]): ((item: Timed) => Timed[]) => {
  if (!all.some(({ depends_on: needs }) => needs?.length)) {
    return ({ number, started = 0 }) => here.filter((other) => other.number < number && endOf(other) <= started)
  }
  const isHere = new Set(here)
  const byName = new Map(all.map((item) => [item.name, item]))
  const needsOfOne = ({ depends_on: names }: Timed): Timed[] =>
    // A Go server may write `null` for what is empty.
    (names ?? []).flatMap((name) => byName.get(name) ?? [])
  /** One that is skipped takes no time, and what needs it begins when what that one needs is over. */
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
/** Of two that are as long, the one with more links: what took no second stands between what did. */
const isLonger = (one: Chain, other: Chain): boolean =>
  one.total > other.total || (one.total === other.total && one.links > other.links)

/** Of more than these nothing is said: it takes the square of their number, and a chain of them all more than the stack holds. */
const mostLooked = 3_000

/**
 * The numbers of the chain that ended last: what ended last of all, what that one waited for longest, and so on to the
 * beginning. Of several that ended together, the one whose chain's times add up longest. It is not the chain of the largest sum:
 * a long one that was over while another still waited for its runner would make nothing earlier by being quicker. What goes on
 * ends later than all that is over, so the chain is the one so far.
 */
export const criticalPath = (items: readonly Timed[]): ReadonlySet<number> => {
  const here = items.filter(ran)
  if (here.length > mostLooked) return new Set()
  const needs = needsOf(items, here)
  // All that go on do so until the same moment, so any moment compares them.
  const now = Math.max(0, ...here.map(({ started = 0, stopped = 0 }) => Math.max(started, stopped)))
  const known = new Map<Timed, Chain>()
  const chainOf = (item: Timed): Chain => {
    const found = known.get(item)
    if (found) return found
    // A circle cannot come from a server that checks; it must not hang the page all the same.
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
    for (const one of of) if (endOf(one) === end && (!best || isLonger(chainOf(one), chainOf(best)))) best = one
    return best
  }
  const path = new Set<number>()
  for (let item = latest(here); item && !path.has(item.number); item = chainOf(item).before) path.add(item.number)
  return path
}

export interface PathTimes {
  /** Seconds in which something of the path ran. */
  ran: number
  /** Seconds in which nothing was missing but a runner. */
  forRunner: number
  /** Seconds in which an approval was missing. */
  forApproval: number
}

/**
 * Where the time of a path went. `path` in the order of its starts, `created`: when the first could have begun, `now` for what goes on; all
 * in unix seconds.
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

/** What gets the word: where all are on the path, every one would say so. */
export const markedOf = (items: readonly Timed[], path: ReadonlySet<number>): ReadonlySet<number> =>
  path.size < items.length ? path : new Set()
