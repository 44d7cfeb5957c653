/** From stages or steps to a graph (specification §2 "Graph view", readings "Build page"). */

export interface GraphItem {
  /** The stage's or step's number; unique in its graph. */
  number: number
  name: string
  status: string
  /** Names of other items; unknown ones (filtered out by `when`, wire.md §9.4) are tolerated. */
  dependsOn: readonly string[]
  started: number
  /** 0 = still under way. */
  stopped: number
}

export const startKey = 'start'
export const stopKey = 'stop'
export interface GraphLink {
  from: string
  to: string
}

export const keyOf = (item: Pick<GraphItem, 'number'>): string => `n${item.number}`

/** Links between items: chained in order when none has dependencies, else as they say. Of a repeated name the first counts. */
function innerLinks(items: readonly GraphItem[]): GraphLink[] {
  if (items.every((item) => item.dependsOn.length === 0))
    return items.slice(1).map((item, index) => ({ from: keyOf(items[index] ?? item), to: keyOf(item) }))
  const byName = new Map<string, GraphItem>()
  for (const item of items) if (!byName.has(item.name)) byName.set(item.name, item)
  return items.flatMap((item) =>
    [...new Set(item.dependsOn)].flatMap((name) => {
      const from = byName.get(name)
      return from && from !== item ? [{ from: keyOf(from), to: keyOf(item) }] : []
    }),
  )
}

/** All links, those of the start and the stop node included. */
export function graphLinks(items: readonly GraphItem[]): GraphLink[] {
  const inner = innerLinks(items)
  const reached = new Set(inner.map((link) => link.to))
  const left = new Set(inner.map((link) => link.from))
  const keys = items.map(keyOf)
  return [
    ...keys.filter((key) => !reached.has(key)).map((to) => ({ from: startKey, to })),
    ...inner,
    ...keys.filter((key) => !left.has(key)).map((from) => ({ from, to: stopKey })),
  ]
}

/**
 * The chain of items whose durations add up to the most: shorten one of these, and the whole gets shorter. Keys in order.
 * Items in a circle (a server should not send one) are left out.
 */
export function criticalPath(items: readonly GraphItem[], now: number): string[] {
  const before = new Map<string, string[]>()
  for (const { from, to } of innerLinks(items)) before.set(to, [...(before.get(to) ?? []), from])
  const best = new Map<string, { length: number; previous: string | undefined }>()
  const open = new Set<string>()
  const cost = new Map(
    items.map((item) => [keyOf(item), item.started ? Math.max(0, (item.stopped || now) - item.started) : 0]),
  )
  const visit = (key: string): number => {
    const known = best.get(key)
    if (known) return known.length
    if (open.has(key)) return 0
    open.add(key)
    let length = 0
    let previous: string | undefined
    for (const from of before.get(key) ?? []) {
      const reach = visit(from)
      if (previous === undefined || reach > length) [length, previous] = [reach, from]
    }
    open.delete(key)
    best.set(key, { length: length + (cost.get(key) ?? 0), previous })
    return length + (cost.get(key) ?? 0)
  }
  let last: string | undefined
  for (const item of items) if (last === undefined || visit(keyOf(item)) > visit(last)) last = keyOf(item)
  const path: string[] = []
  while (last !== undefined && !path.includes(last)) {
    path.unshift(last)
    last = best.get(last)?.previous
  }
  return path
}

/** Specification §2: these nodes cannot be selected. */
export const isSelectable = (status: string): boolean =>
  !['skipped', 'declined', 'waiting_on_dependencies'].includes(status)
