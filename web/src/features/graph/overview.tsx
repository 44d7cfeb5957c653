import { iconGroup } from '@flightdeck/api'
import { useMemo, type PointerEvent } from 'react'

import { marginOf, seenOf, type Point, type Room, type Size } from './layout/camera.ts'
import { nodeHeight, nodeWidth, type GraphLayout } from './layout/layout.ts'

const maxWidth = 160
const maxHeight = 80
/** The overview takes at most 1/4 of each side of the pane, so the center stays visible. */
const share = 4
/** Minimum size in pixels: the overview of a chain is a line, which must stay clickable. */
const minSide = 24

const tones = { cross: 'danger', tick: 'success', circle: 'warning', dash: 'inert' } as const

/** The size of the overview; undefined if the whole graph is visible anyway. */
export const overviewOf = (graph: Size, room: Room, level: number): Size | undefined => {
  const seen = seenOf(room)
  if (graph.width * level <= (seen.width + 1) * 100 && graph.height * level <= (seen.height + 1) * 100) return undefined
  const scale = Math.min(
    Math.min(maxWidth, seen.width / share) / graph.width,
    Math.min(maxHeight, seen.height / share) / graph.height,
  )
  return {
    width: Math.max(minSide, Math.round(graph.width * scale)),
    height: Math.max(minSide, Math.round(graph.height * scale)),
  }
}

export interface OverviewProps {
  size: Size
  layout: GraphLayout
  statusOf: ReadonlyMap<string, string>
  level: number
  scroll: Point
  room: Room
  /** Called with a point of the graph. */
  onMove: (to: Point) => void
}

/**
 * A small map of the graph with its visible part: a click or drag moves there. Keys move the graph
 * itself.
 */
export function Overview({ size, layout, statusOf, level, scroll, room, onMove }: OverviewProps) {
  // One drawing per colour instead of one per node: large graphs have hundreds.
  const paths = useMemo(() => {
    const drawn = new Map<string, string>()
    for (const { id, x, y } of layout.nodes) {
      const status = statusOf.get(id)
      if (status === undefined) continue
      const tone = tones[iconGroup(status)]
      drawn.set(tone, `${drawn.get(tone) ?? ''}M${x} ${y}h${nodeWidth}v${nodeHeight}h${-nodeWidth}z`)
    }
    return [...drawn]
  }, [layout, statusOf])
  const margin = marginOf(layout, room, level)
  const seen = seenOf(room)
  const scale = 100 / level
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    onMove({
      x: ((event.clientX - box.left) / box.width) * layout.width,
      y: ((event.clientY - box.top) / box.height) * layout.height,
    })
  }
  return (
    <svg
      aria-hidden="true"
      data-overview
      className="graph-overview absolute z-10"
      style={{ right: room.covered + 12, bottom: 12 }}
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        move(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event)
      }}
    >
      {paths.map(([tone, path]) => (
        <path key={tone} data-tone={tone} d={path} />
      ))}
      <rect
        x={Math.max(0, (scroll.x - margin.x) * scale)}
        y={Math.max(0, (scroll.y - margin.y) * scale)}
        width={Math.min(layout.width, seen.width * scale)}
        height={Math.min(layout.height, seen.height * scale)}
      />
    </svg>
  )
}
