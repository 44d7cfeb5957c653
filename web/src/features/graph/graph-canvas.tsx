import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, type WheelEvent } from 'react'

import { criticalPath, keyOf, startKey, type GraphItem } from '../../lib/graph/links.ts'
import { nowSeconds } from '../../lib/time.ts'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GraphLinks } from './graph-links.tsx'
import { GraphNode } from './graph-node.tsx'
import { useLayout } from './use-layout.ts'
import { ZoomControls } from './zoom-controls.tsx'
import { fitZoom, stepZoom, zoomRange } from './zoom.ts'

export interface GraphCanvasProps {
  label: string
  items: readonly GraphItem[]
  current: number
  hrefOf: (number: number) => string
  onChoose: (number: number) => void
}

/** One graph with its zoom. It scrolls natively (touch, wheel, arrow keys); the mouse may also drag the ground. */
export function GraphCanvas({ label, items, current, hrefOf, onChoose }: GraphCanvasProps) {
  const layout = useLayout(items)
  const [zoom, setZoom] = useState<number>(zoomRange.reset)
  const room = useRef<HTMLDivElement>(null)
  const critical = useMemo(() => new Set(items.length > 2 ? criticalPath(items, nowSeconds()) : []), [items])
  const byKey = useMemo(() => new Map(items.map((item) => [keyOf(item), item])), [items])

  const fit = () => {
    if (room.current && layout)
      setZoom(fitZoom(layout, { width: room.current.clientWidth, height: room.current.clientHeight }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === '+' || event.key === '=') setZoom((now) => stepZoom(now, 1))
    else if (event.key === '-') setZoom((now) => stepZoom(now, -1))
    else if (event.key === '0') setZoom(zoomRange.reset)
  }
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey) setZoom((now) => stepZoom(now, event.deltaY < 0 ? 1 : -1))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    event.currentTarget.scrollBy(-event.movementX, -event.movementY)
  }

  if (items.length === 0) return <EmptyState title="It looks a little empty here!" />
  if (!layout) return <Skeleton className="m-6 h-14 w-50" />
  const scale = zoom / 100
  return (
    <section aria-label={label} className="relative flex min-h-0 flex-1 flex-col">
      <div className="absolute top-2 right-3 z-10">
        <ZoomControls
          label={`${label}: zoom`}
          zoom={zoom}
          onFit={fit}
          onReset={() => setZoom(zoomRange.reset)}
          onStep={(direction) => setZoom((now) => stepZoom(now, direction))}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts and dragging repeat what the buttons and scrolling do */}
      <div
        ref={room}
        className="min-h-0 flex-1 cursor-grab overflow-auto active:cursor-grabbing"
        onKeyDown={onKeyDown}
        onWheel={onWheel}
        onPointerDown={(event) => {
          if (event.pointerType === 'mouse' && !(event.target as Element).closest('a'))
            event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onPointerMove}
      >
        <div style={{ width: layout.width * scale, height: layout.height * scale }}>
          <div
            className="relative origin-top-left"
            style={{ width: layout.width, height: layout.height, transform: `scale(${scale})` }}
          >
            <GraphLinks layout={layout} items={items} critical={critical} />
            {layout.nodes.map(({ key, x, y, width, height }) => {
              const item = byKey.get(key)
              return (
                <div key={key} className="absolute" style={{ left: x, top: y, width, height }}>
                  {item ? (
                    <GraphNode
                      item={item}
                      href={hrefOf(item.number)}
                      current={item.number === current}
                      critical={critical.has(key)}
                      onChoose={() => onChoose(item.number)}
                    />
                  ) : (
                    <End name={key} />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </section>
  )
}

function End({ name }: { name: string }) {
  const start = name === startKey
  return (
    <span className="flex size-8 items-center justify-center rounded-full border border-line-strong bg-raised">
      <span className={cx('size-2.5 bg-muted', start ? 'rounded-full' : 'rounded-xs')} />
      <span className="sr-only">{start ? 'Start' : 'End'}</span>
    </span>
  )
}
