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

export const layoutGraph = ({ ids, edges }: LayoutInput): GraphLayout => {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 35, edgesep: 10, ranksep: 75, marginx: margin, marginy: margin })
  graph.setDefaultEdgeLabel(() => ({}))
  const all = [startId, ...ids, stopId]
  for (const id of all) graph.setNode(id, sizeOf(id))
  for (const { from, to } of edges) graph.setEdge(from, to)
  place(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    nodes: all.map((id) => {
      const { x, y } = graph.node(id)
      const size = sizeOf(id)
      return { id, x: x - size.width / 2, y: y - size.height / 2 }
    }),
    edges: edges.map((edge) => ({ ...edge, points: graph.edge(edge.from, edge.to).points ?? [] })),
    width,
    height,
  }
}
