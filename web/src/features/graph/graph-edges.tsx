import { isFailed } from '@flightdeck/api'
import { memo } from 'react'

import type { GraphLayout, PlacedEdge } from './layout/layout.ts'

/**
 * From the middle of one side to the middle of the other; a long edge passes through the positions
 * that the layout reserved for it.
 */
const pathOf = ({ points }: PlacedEdge): string => {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  if (rest.length <= 2) {
    const middle = (first.x + last.x) / 2
    return `M${first.x} ${first.y} C${middle} ${first.y} ${middle} ${last.y} ${last.x} ${last.y}`
  }
  let path = `M${first.x} ${first.y}`
  rest.slice(0, -1).forEach((point, i) => {
    const next = rest[i + 1] ?? last
    const end = i === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    path += ` Q${point.x} ${point.y} ${end.x} ${end.y}`
  })
  return path
}

export interface GraphEdgesProps {
  layout: GraphLayout
  statusOf: ReadonlyMap<string, string>
  critical: ReadonlySet<string>
}

/**
 * Thin lines in the status color of their source if it failed, and stronger on the critical path.
 */
export const GraphEdges = memo(function GraphEdges({ layout, statusOf, critical }: GraphEdgesProps) {
  // One drawing per look instead of one per edge: large graphs have a thousand.
  const looks = new Map<string, string>()
  for (const edge of layout.edges) {
    const failed = isFailed(statusOf.get(edge.from) ?? '')
    const strong = critical.has(edge.from) && critical.has(edge.to)
    const edgeClass = `${failed ? 'failed' : ''} ${strong ? 'strong' : ''}`
    looks.set(edgeClass, `${looks.get(edgeClass) ?? ''}${pathOf(edge)}`)
  }
  return (
    <svg aria-hidden="true" width={layout.width} height={layout.height} className="absolute inset-0" fill="none">
      {[...looks].map(([edgeClass, path]) => (
        <path
          key={edgeClass}
          d={path}
          stroke="currentColor"
          strokeWidth={edgeClass.includes('strong') ? 2 : 1}
          className={
            edgeClass.includes('failed')
              ? 'text-danger'
              : edgeClass.includes('strong')
                ? 'text-muted'
                : 'text-line-strong'
          }
        />
      ))}
    </svg>
  )
})
