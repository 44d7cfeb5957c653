import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'

import { useResize } from '../browser/use-resize.ts'
import { cx } from './class-names.ts'

export interface SplitterProps {
  /** The accessible name of the bar between the panes. */
  label: string
  first: ReactNode
  second: ReactNode
  /** The arrangement of the panes: `vertical` one above the other, `horizontal` side by side. */
  orientation: 'vertical' | 'horizontal'
  /** The minimum size of either pane, in pixels. */
  min: number
  /** The first pane's initial size in pixels; half of the space by default. */
  initial?: number
  /** The size of both panes in pixels, if known before they render; otherwise it is measured. */
  known?: number
  className?: string
}

const step = 20
/** The size of the bar between the panes, in pixels. */
export const barSize = 1

const maxSizeOf = (room: number, min: number): number => Math.max(min, room - min)

/** The size of the first pane, in pixels. */
export const firstSize = (room: number, min: number, preferred = room / 2): number =>
  Math.round(Math.min(Math.max(preferred, min), maxSizeOf(room, min)))

/** ARIA's window splitter: drag it, or move it with arrows, Home and End. */
export function Splitter({ label, first, second, orientation, min, initial, known = 0, className }: SplitterProps) {
  const vertical = orientation === 'vertical'
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(known)
  const [preferred, setPreferred] = useState(initial)

  useResize(box, (element) => setRoom(vertical ? element.clientHeight : element.clientWidth), {
    layout: orientation,
    known: known > 0,
  })

  const max = maxSizeOf(room, min)
  const size = firstSize(room, min, preferred)

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const bounds = box.current?.getBoundingClientRect()
    if (!bounds || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    setPreferred(vertical ? event.clientY - bounds.top : event.clientX - bounds.left)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const less = vertical ? 'ArrowUp' : 'ArrowLeft'
    const more = vertical ? 'ArrowDown' : 'ArrowRight'
    const next = { [less]: size - step, [more]: size + step, Home: min, End: max }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setPreferred(Math.min(Math.max(next, min), max))
  }

  return (
    <div ref={box} className={cx('flex min-h-0 min-w-0 flex-1', vertical && 'flex-col', className)}>
      <div
        className="min-h-0 min-w-0 shrink-0 overflow-hidden"
        style={room === 0 ? { flexBasis: initial ?? '50%' } : { [vertical ? 'height' : 'width']: size }}
      >
        {first}
      </div>
      {/* A focusable separator is a widget in ARIA; the linter only knows the other kind. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="separator"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={label}
        aria-orientation={vertical ? 'horizontal' : 'vertical'}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={max}
        className={cx(
          'relative z-10 shrink-0 touch-none bg-line transition-colors hover:bg-accent focus-visible:bg-accent',
          vertical ? 'h-px cursor-row-resize' : 'w-px cursor-col-resize',
          // The line is thin; the area to grab is wider.
          vertical
            ? 'before:absolute before:inset-x-0 before:-inset-y-1.5'
            : 'before:absolute before:-inset-x-1.5 before:inset-y-0',
        )}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden">{second}</div>
    </div>
  )
}
