/** Where the nodes of a graph stand. Specification §9: "node 35, edge 10, rank 75; left-to-right". */
import { Graph, layout as place } from '@dagrejs/dagre'

import { startId, stopId, type Edge } from './edges.ts'

/** design.md: "nodes are cards of 200 × 56". */
export const nodeWidth = 200
export const nodeHeight = 56
export const endSize = 32

export interface PlacedNode {
  id: string
  /** Of the left upper corner. */
  x: number
  y: number
}
export interface PlacedEdge extends Edge {
  points: { x: number; y: number }[]
}
export interface GraphLayout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  width: number
  height: number
}

export interface LayoutInput {
  ids: string[]
  edges: Edge[]
}

const margin = 24
const isEnd = (id: string): boolean => id === startId || id === stopId
const sizeOf = (id: string) =>
  isEnd(id) ? { width: endSize, height: endSize } : { width: nodeWidth, height: nodeHeight }

/** A node with its size; `undefined` for one that is not there. */
export const boxOfNode = (layout: GraphLayout, id: string) => {
  const node = layout.nodes.find((one) => one.id === id)
  return node && { ...node, ...sizeOf(id) }
}

/** Whether more neighbours in a column stand against the order of their numbers than with it. */
const isUpsideDown = (nodes: readonly PlacedNode[]): boolean => {
  let balance = 0
  const ordered = nodes.toSorted((a, b) => Math.round(a.x) - Math.round(b.x) || a.y - b.y)
  ordered.slice(1).forEach((node, i) => {
    const above = ordered[i]
    if (above && Math.round(above.x) === Math.round(node.x)) balance += Number(above.id) < Number(node.id) ? 1 : -1
  })
  return balance < 0
}

export const layoutGraph = ({ ids, edges }: LayoutInput): GraphLayout => {
  const graph = new Graph()
  // A column is a depth: a node stands as near to the start as what it waits for lets it, so that only lines to the stop are
  // long, and none goes through the page to its node and through the rest of it from there. dagre's longest paths pull to
  // the ends of the edges: they are told it the other way round.
  graph.setGraph({
    rankdir: 'RL',
    ranker: 'longest-path',
    nodesep: 35,
    edgesep: 10,
    ranksep: 75,
    marginx: margin,
    marginy: margin,
  })
  graph.setDefaultEdgeLabel(() => ({}))
  const all = [startId, ...ids, stopId]
  for (const id of all) graph.setNode(id, sizeOf(id))
  for (const { from, to } of edges) graph.setEdge(to, from)
  place(graph)
  const { width = 0, height = 0 } = graph.graph()
  const placed = all.map((id) => {
    const { x, y } = graph.node(id)
    const size = sizeOf(id)
    return { id, x: x - size.width / 2, y: y - size.height / 2 }
  })
  // The layout does not care which of two equal ways up it is; people read the first stage first.
  const flip = isUpsideDown(placed)
  const nodes = flip ? placed.map((node) => ({ ...node, y: height - node.y - sizeOf(node.id).height })) : placed
  const places = new Map(nodes.map((node) => [node.id, node]))
  const side = (id: string, right: boolean) => {
    const { x = 0, y = 0 } = places.get(id) ?? {}
    const size = sizeOf(id)
    return { x: right ? x + size.width : x, y: y + size.height / 2 }
  }
  return {
    nodes,
    edges: edges.map((edge) => {
      const points: { x: number; y: number }[] = graph.edge(edge.to, edge.from).points ?? []
      const between = points
        .toReversed()
        .slice(1, -1)
        .map((point) => ({ x: point.x, y: flip ? height - point.y : point.y }))
      return { ...edge, points: [side(edge.from, true), ...between, side(edge.to, false)] }
    }),
    width,
    height,
  }
}
