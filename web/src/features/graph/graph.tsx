import './graph.css'

import { isDone, isFailed } from '@flightdeck/api'
import { startTransition, useMemo, useRef, useState, type FocusEvent, type MouseEvent } from 'react'

import { useNarrow } from '../../browser/use-narrow.ts'
import { useResize } from '../../browser/use-resize.ts'
import { criticalPath, markedOf } from '../../lib/critical-path.ts'
import { Scroller } from '../../ui/scroller.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { contentOf, marginOf, type Room, type Size } from './layout/camera.ts'
import { idOf, startId, stopId } from './layout/edges.ts'
import { GraphEdges } from './graph-edges.tsx'
import { GraphHead, headHeight } from './graph-head.tsx'
import type { NodeItem } from './graph-node.tsx'
import { GraphNodes } from './graph-nodes.tsx'
import { Overview, overviewOf } from './overview.tsx'
import { useCamera } from './use-camera.ts'
import { useGestures } from './use-gestures.ts'
import { useLayout } from './use-layout.ts'

export interface GraphProps {
  /** The accessible name, such as "Stage graph". */
  label: string
  title: string
  items: readonly NodeItem[]
  /** The build had to wait for its end. */
  holdsUp: boolean
  /** When the build was created, in Unix seconds, for a graph of stages. */
  created?: number
  selected: number
  /** The selection was made in the URL; otherwise it is only the first node. */
  isNamed: boolean
  /** The page is following the build, so the selection isn't the user's choice. */
  follows: boolean
  /** The pixels on the right that the drawer covers. */
  covered: number
  /** The size of the whole graph, if known before it renders; then it opens in the first frame. */
  known: Size | undefined
  /** Zoom and position, in the format of the URL. */
  place: string
  onPlace: (place: string) => void
  hrefOf: (number: number) => string
  onChoose: (number: number) => void
}

/** design.md: "never below 70 %"; at 80 a node is 44 px high, the size of a touch target. */
const minLevel = { wide: 70, narrow: 80 }
/** Below this zoom level, small text gets larger. */
const smallBelow = 90
const nobody: ReadonlySet<number> = new Set()
const start = { x: 0, y: 0 }

/** The node at which a graph opens that is too large: the selected, failed or running one. */
const targetOf = (items: readonly NodeItem[], { selected, isNamed }: GraphProps): number => {
  if (isNamed && items.some(({ number }) => number === selected)) return selected
  const found = items.find(({ status }) => isFailed(status)) ?? items.find(({ status }) => status === 'running')
  return found?.number ?? selected
}

const numberAt = (target: EventTarget): number | undefined => {
  const node = target instanceof Element ? target.closest<HTMLElement>('[data-number]') : null
  return node ? Number(node.dataset.number) : undefined
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

const useCritical = (items: readonly NodeItem[], holdsUp: boolean) =>
  useMemo(() => {
    const path = holdsUp ? criticalPath(items) : nobody
    const on = items.filter(({ number }) => path.has(number))
    return {
      path: new Set([...on.map(idOf), startId, stopId]),
      marked: markedOf(items, path),
      runs: on.length > 0 ? on : undefined,
    }
  }, [items, holdsUp])

const useRoom = (covered: number, known: Size | undefined) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState(() => known && { ...known, height: known.height - headHeight() })
  // Later changes render in slices: there can be hundreds of nodes.
  useResize(
    scroller,
    ({ clientWidth: width, clientHeight: height }) =>
      startTransition(() =>
        setSize((before) => (before?.width === width && before.height === height ? before : { width, height })),
      ),
    { known: known !== undefined },
  )
  const room = useMemo((): Room | undefined => size && { ...size, covered }, [size, covered])
  return { scroller, room }
}

/** One graph with its own zoom and position. */
export function Graph(props: GraphProps) {
  const { label, title, items, selected, covered, hrefOf, onChoose } = props
  const ordered = useMemo(() => items.toSorted((a, b) => a.number - b.number), [items])
  const statusOf = useMemo(() => new Map(ordered.map((item) => [idOf(item), item.status])), [ordered])
  const layout = useLayout(ordered)
  const { scroller, room } = useRoom(covered, props.known)
  const {
    level,
    scroll,
    settle: restoreScroll,
    zoomTo,
    fit,
    moveTo,
    see,
    onScroll,
  } = useCamera({
    scroller,
    layout,
    room,
    selected: String(selected),
    target: String(targetOf(ordered, props)),
    minLevel: useNarrow() ? minLevel.narrow : minLevel.wide,
    keepsView: props.follows,
    given: props.place,
    onViewChange: props.onPlace,
  })
  const { isDrag, ...gestureHandlers } = useGestures(scroller, { level, zoomTo, fit })
  const critical = useCritical(ordered, props.holdsUp)
  const onClickCapture = (event: MouseEvent) => {
    const number = numberAt(event.target)
    const isLink = event.target instanceof Element && event.target.closest('a')
    if (isDrag(event)) event.preventDefault()
    else if (isLink && number !== undefined && isPlain(event)) {
      event.preventDefault()
      onChoose(number)
    }
  }
  const onFocus = (event: FocusEvent) => {
    const number = numberAt(event.target)
    if (number !== undefined && event.target.matches(':focus-visible')) see(String(number))
  }
  const ready = layout && room
  const margin = ready ? marginOf(layout, room, level) : start
  const overview = ready && overviewOf(layout, room, level)
  return (
    <section aria-label={label} className="relative flex h-full min-h-0 flex-col bg-canvas">
      <GraphHead
        title={title}
        critical={critical.runs}
        created={props.created}
        unfinished={ordered.some(({ status }) => !isDone(status))}
        covered={covered}
        level={level}
        onLevel={(next) => zoomTo(next)}
        onFit={fit}
      />
      {/* Arrow buttons move the graph for users who cannot drag it. */}
      <Scroller
        ref={scroller}
        role="group"
        aria-label={`${label}. Use the arrow keys to pan.`}
        className="graph-pane cursor-grab -outline-offset-2 active:cursor-grabbing"
        {...gestureHandlers}
        onScroll={onScroll}
        onClickCapture={onClickCapture}
        onFocus={onFocus}
      >
        {!ready && <LoadingText text="Laying out the graph" />}
        {ready && (
          <div ref={restoreScroll} className="relative" style={contentOf(layout, room, level)}>
            <div
              data-far={level < smallBelow || undefined}
              className="absolute origin-top-left"
              style={{
                left: margin.x,
                top: margin.y,
                width: layout.width,
                height: layout.height,
                transform: `scale(${level / 100})`,
              }}
            >
              <GraphEdges layout={layout} statusOf={statusOf} critical={critical.path} />
              <GraphNodes
                layout={layout}
                items={ordered}
                selected={selected}
                critical={critical.marked}
                hrefOf={hrefOf}
              />
            </div>
          </div>
        )}
      </Scroller>
      {overview && (
        <Overview
          size={overview}
          layout={layout}
          statusOf={statusOf}
          level={level}
          scroll={scroll}
          room={room}
          onMove={moveTo}
        />
      )}
    </section>
  )
}
