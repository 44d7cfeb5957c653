/**
 * The edges of a graph. Specification §2: "A start node links to nodes with no dependencies. Nodes
 * without outgoing links link to the stop node. Without dependency information, nodes are chained
 * in order."
 */

export interface GraphItem {
  number: number
  name: string
  depends_on?: string[]
}

/** Node ids: the items' numbers as strings, and these two. */
export const startId = 'start'
export const stopId = 'stop'

export interface Edge {
  from: string
  to: string
}

export const idOf = (item: { number: number }): string => String(item.number)

const chain = (ids: readonly string[]): Edge[] => [startId, ...ids].map((from, i) => ({ from, to: ids[i] ?? stopId }))

/** Dependencies by name, without missing names (docs/api §9.4) and the node itself. */
const dependencies = (item: GraphItem, ids: ReadonlyMap<string, string>): string[] => [
  ...new Set(
    (item.depends_on ?? []).flatMap((name) => {
      const id = ids.get(name)
      return id === undefined || id === idOf(item) ? [] : [id]
    }),
  ),
]

export const edgesOf = (items: readonly GraphItem[]): Edge[] => {
  const ordered = items.toSorted((a, b) => a.number - b.number)
  const ids = new Map(ordered.map((item) => [item.name, idOf(item)]))
  if (!ordered.some((item) => (item.depends_on ?? []).length > 0)) return chain(ordered.map(idOf))
  const between = ordered.flatMap((item) => dependencies(item, ids).map((from) => ({ from, to: idOf(item) })))
  const entered = new Set(between.map((edge) => edge.to))
  const left = new Set(between.map((edge) => edge.from))
  const first = ordered.map(idOf).filter((id) => !entered.has(id))
  const last = ordered.map(idOf).filter((id) => !left.has(id))
  return [...first.map((to) => ({ from: startId, to })), ...between, ...last.map((from) => ({ from, to: stopId }))]
}
