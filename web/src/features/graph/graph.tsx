import { CirclePlay, CircleStop } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'

import { criticalPath } from './layout/critical-path.ts'
import { edgesOf, idOf, startId } from './layout/edges.ts'
import { endSize, type GraphLayout } from './layout/layout.ts'
import { zoomIn, zoomOut, zoomReset, zoomToFit } from './layout/zoom.ts'
import { Scroller } from '../../ui/scroller.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { GraphEdges } from './graph-edges.tsx'
import { GraphNode, type NodeItem } from './graph-node.tsx'
import { useLayout } from './use-layout.ts'
import { useStepByStep } from './use-step-by-step.ts'
import { ZoomControls } from './zoom-controls.tsx'

export interface GraphProps {
  /** The accessible name, such as "Stage graph". */
  label: string
  items: readonly NodeItem[]
  selected: number
  hrefOf: (number: number) => string
  onChoose: (number: number) => void
}

const panStep = 60

const secondsOf = (item: NodeItem): number =>
  item.started && item.stopped ? Math.max(0, item.stopped - item.started) : 0

/** Drag anywhere but on a node to move the graph; touch and wheel scroll it by themselves. */
const usePan = () => {
  const scroller = useRef<HTMLDivElement>(null)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const onNode = event.target instanceof Element && event.target.closest('a, button')
    if (event.pointerType !== 'mouse' || event.button !== 0 || onNode) return
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    event.currentTarget.scrollLeft -= event.movementX
    event.currentTarget.scrollTop -= event.movementY
  }
  return { scroller, onPointerDown, onPointerMove }
}

/** For the node that is chosen, once it is drawn and whenever it is another one. */
const intoView = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

function Nodes({
  layout,
  items,
  selected,
  hrefOf,
  onChoose,
  critical,
}: GraphProps & { layout: GraphLayout; critical: ReadonlySet<string> }) {
  const places = useMemo(() => new Map(layout.nodes.map((node) => [node.id, node])), [layout])
  const known = useMemo(() => new Set(items.map(idOf)), [items])
  const drawn = useStepByStep(items.length)
  return (
    <>
      {layout.nodes
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
        })}
      <ul>
        {items.slice(0, drawn).map((item) => {
          const place = places.get(idOf(item))
          return place ? (
            <li
              key={item.number}
              ref={item.number === selected ? intoView : undefined}
              className="absolute"
              style={{ left: place.x, top: place.y }}
            >
              <GraphNode
                item={item}
                href={hrefOf(item.number)}
                selected={item.number === selected}
                critical={critical.has(idOf(item))}
                onChoose={() => onChoose(item.number)}
              />
            </li>
          ) : null
        })}
      </ul>
    </>
  )
}

/** One graph with its own zoom. */
export function Graph(props: GraphProps) {
  const { label, items } = props
  const ordered = useMemo(() => items.toSorted((a, b) => a.number - b.number), [items])
  const layout = useLayout(ordered)
  const [level, setLevel] = useState(zoomReset)
  const { scroller, onPointerDown, onPointerMove } = usePan()
  const statuses = new Map(ordered.map((item) => [idOf(item), item.status]))
  const critical = useMemo(
    () => criticalPath(edgesOf(ordered), new Map(ordered.map((item) => [idOf(item), secondsOf(item)]))),
    [ordered],
  )
  const fit = () => {
    const element = scroller.current
    if (element && layout) setLevel(zoomToFit(layout, { width: element.clientWidth, height: element.clientHeight }))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') setLevel(zoomIn)
    else if (event.key === '-') setLevel(zoomOut)
    else if (event.key === '0') setLevel(zoomReset)
    else {
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? []
      if (x === undefined || y === undefined) return
      event.preventDefault()
      event.currentTarget.scrollBy(x * panStep, y * panStep)
    }
  }
  const scale = level / 100
  return (
    <section aria-label={label} className="relative flex h-full min-h-0 flex-col bg-canvas">
      {/* Arrows move the graph for those who cannot drag it. */}
      <Scroller
        ref={scroller}
        role="group"
        aria-label={`${label}, arrows move it`}
        className="flex cursor-grab -outline-offset-2 active:cursor-grabbing"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      >
        {!layout && <LoadingText text="Laying out the graph" />}
        {layout && (
          <div
            className="relative m-auto shrink-0"
            style={{ width: layout.width * scale, height: layout.height * scale }}
          >
            <div
              className="absolute origin-top-left"
              style={{ width: layout.width, height: layout.height, transform: `scale(${scale})` }}
            >
              <GraphEdges layout={layout} statusOf={(id) => statuses.get(id)} critical={critical} />
              <Nodes {...props} items={ordered} layout={layout} critical={critical} />
            </div>
          </div>
        )}
      </Scroller>
      <ZoomControls level={level} onLevel={setLevel} onFit={fit} />
    </section>
  )
}
