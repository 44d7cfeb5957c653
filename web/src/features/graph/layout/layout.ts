/**
 * The positions of a graph's nodes. Specification §9: "node 35, edge 10, rank 75; left-to-right".
 */
import { Graph, layout as place } from '@dagrejs/dagre'

import type { Point } from './camera.ts'
import { startId, stopId, type Edge } from './edges.ts'

/** design.md: "nodes are cards of 200 × 56". */
export const nodeWidth = 200
export const nodeHeight = 56
export const endSize = 32

export interface PlacedNode {
  id: string
  /** The upper left corner. */
  x: number
  y: number
}
export interface PlacedEdge extends Edge {
  points: Point[]
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
/** The space between two columns. */
const gap = 75
const isEnd = (id: string): boolean => id === startId || id === stopId
const sizeOf = (id: string) =>
  isEnd(id) ? { width: endSize, height: endSize } : { width: nodeWidth, height: nodeHeight }

/** The position and size of a node; `undefined` if it does not exist. */
export const boxOfNode = (layout: GraphLayout, id: string) => {
  const node = layout.nodes.find((candidate) => candidate.id === id)
  return node && { ...node, ...sizeOf(id) }
}

/** Whether, within columns, most neighbors are ordered against their numbers. */
const isUpsideDown = (nodes: readonly PlacedNode[]): boolean => {
  let balance = 0
  const ordered = nodes.toSorted((a, b) => Math.round(a.x) - Math.round(b.x) || a.y - b.y)
  ordered.slice(1).forEach((node, i) => {
    const above = ordered[i]
    if (above && Math.round(above.x) === Math.round(node.x)) balance += Number(above.id) < Number(node.id) ? 1 : -1
  })
  return balance < 0
}

/**
 * The points of an edge that passes columns: straight across each, with bends in the gaps.
 * `middles`: one point per column.
 */
const acrossColumns = (middles: readonly Point[]): Point[] => {
  const half = (nodeWidth + gap) / 2
  return middles.flatMap((point, i) => {
    const next = middles[i + 1]
    const entry = i === 0 ? [{ x: point.x - half, y: point.y }] : []
    return [...entry, point, { x: point.x + half, y: next ? (point.y + next.y) / 2 : point.y }]
  })
}

/**
 * Uses dagre's own order. An edge to the next column without a label has no points, which later
 * parts of dagre expect.
 */
const customOrder = (graph: Graph, order: (graph: Graph) => void): void => {
  for (const edge of graph.edges()) graph.edge(edge).points ??= [{ x: 0, y: 0 }]
  order(graph)
}

export const layoutGraph = ({ ids, edges }: LayoutInput): GraphLayout => {
  const graph = new Graph()
  // A column is a depth: each node is placed as close to the start as its dependencies allow. Then
  // only edges to the stop node are long, and none crosses the graph on both sides of a node.
  // dagre's longest-path ranker pulls nodes toward the ends of edges, so the edges are reversed.
  graph.setGraph({
    rankdir: 'RL',
    ranker: 'longest-path',
    nodesep: 35,
    edgesep: 10,
    // dagre reserves half of each space for an edge's label, with a position in it for each edge,
    // which takes half of its time. Half of the minimum length and twice the space have the same
    // result without that.
    ranksep: 2 * gap,
    marginx: margin,
    marginy: margin,
  })
  graph.setDefaultEdgeLabel(() => ({ minlen: 0.5 }))
  const all = [startId, ...ids, stopId]
  for (const id of all) graph.setNode(id, sizeOf(id))
  for (const { from, to } of edges) graph.setEdge(to, from)
  place(graph, { customOrder })
  const { width = 0, height = 0 } = graph.graph()
  const placed = all.map((id) => {
    const { x, y } = graph.node(id)
    const size = sizeOf(id)
    return { id, x: x - size.width / 2, y: y - size.height / 2 }
  })
  // Both vertical directions are equal for the layout; people expect the first stage at the top.
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
      const fromSide = side(edge.from, true)
      const end = side(edge.to, false)
      const isLong = end.x - fromSide.x > gap + 1
      const points: Point[] = isLong ? graph.edge(edge.to, edge.from).points.slice(1, -1).toReversed() : []
      const middles = points.map(({ x, y }) => ({ x, y: flip ? height - y : y }))
      return { ...edge, points: [fromSide, ...acrossColumns(middles), end] }
    }),
    width,
    height,
  }
}
