/** The chain of nodes that took longest from start to stop: what has to get faster for the build to get faster. */
import { startId, stopId, type Edge } from './edges.ts'

/** Ids on the path, start and stop included; empty while nothing has a duration. */
export const criticalPath = (edges: readonly Edge[], seconds: ReadonlyMap<string, number>): Set<string> => {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  const best = new Map<string, { total: number; to: string | undefined }>()
  const open = new Set<string>()
  const longest = (id: string): number => {
    const known = best.get(id)
    if (known) return known.total
    // A circle cannot come from a server that checks; it must not hang the page all the same.
    if (open.has(id)) return 0
    open.add(id)
    let to: string | undefined
    let rest = -1
    for (const candidate of next.get(id) ?? []) {
      const total = longest(candidate)
      if (total > rest) {
        rest = total
        to = candidate
      }
    }
    open.delete(id)
    const total = (seconds.get(id) ?? 0) + Math.max(0, rest)
    best.set(id, { total, to })
    return total
  }
  const path = new Set<string>()
  if (longest(startId) === 0) return path
  for (let id: string | undefined = startId; id !== undefined && !path.has(id); id = best.get(id)?.to) path.add(id)
  return path.has(stopId) ? path : new Set()
}
