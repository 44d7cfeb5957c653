import { CirclePlay, CircleStop } from 'lucide-react'
import { memo, useMemo } from 'react'

import { idOf, startId } from './layout/edges.ts'
import { endSize, type GraphLayout } from './layout/layout.ts'
import { GraphNode, type NodeItem } from './graph-node.tsx'
import { useStepByStep } from './use-step-by-step.ts'

export interface GraphNodesProps {
  layout: GraphLayout
  /** By number, which is the tab order as well. */
  items: readonly NodeItem[]
  selected: number
  critical: ReadonlySet<number>
  hrefOf: (number: number) => string
}

function Ends({ layout, known }: { layout: GraphLayout; known: ReadonlySet<string> }) {
  return layout.nodes
    .filter((node) => !known.has(node.id))
    .map((node) => {
      const Icon = node.id === startId ? CirclePlay : CircleStop
      return (
        <span
          key={node.id}
          role="img"
          aria-label={node.id === startId ? 'Start' : 'Stop'}
          className="absolute flex items-center justify-center rounded-full border border-line bg-surface text-muted"
          style={{ left: node.x, top: node.y, width: endSize, height: endSize }}
        >
          <Icon className="size-4" aria-hidden="true" />
        </span>
      )
    })
}

/**
 * All nodes at their positions. Memoized: they rerender when a node changes, not when the graph is
 * panned.
 */
export const GraphNodes = memo(function GraphNodes({ layout, items, selected, critical, hrefOf }: GraphNodesProps) {
  const places = useMemo(() => new Map(layout.nodes.map((node) => [node.id, node])), [layout])
  const known = useMemo(() => new Set(items.map(idOf)), [items])
  const drawn = useStepByStep(items.length)
  return (
    <>
      <Ends layout={layout} known={known} />
      <ul>
        {items.slice(0, drawn).map((item) => {
          const place = places.get(idOf(item))
          return place ? (
            <li
              key={item.number}
              data-number={item.number}
              className="absolute"
              style={{ left: place.x, top: place.y }}
            >
              <GraphNode
                item={item}
                href={hrefOf(item.number)}
                selected={item.number === selected}
                critical={critical.has(item.number)}
              />
            </li>
          ) : null
        })}
      </ul>
    </>
  )
})
