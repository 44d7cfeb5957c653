import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject } from 'react'

import { useListeners } from '../../browser/use-listeners.ts'
import type { Point } from './layout/camera.ts'
import { zoomIn, zoomOut } from './layout/zoom.ts'

interface Moves {
  level: number
  zoomTo: (level: number, from?: Point, to?: Point) => void
  fit: () => void
}

/** Pixels per arrow key press. A mouse that moves less than this still clicks. */
const arrowStepPx = 60
const dragThresholdPx = 4
/** Zoom points per pixel of the wheel with Ctrl: a notch of 100 pixels equals the buttons' step. */
const wheelZoom = 0.2

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const between = (touches: TouchList, pane: HTMLElement): { at: Point; distance: number } | undefined => {
  const [a, b] = touches
  if (!a || !b || touches.length !== 2) return undefined
  const { left, top } = pane.getBoundingClientRect()
  return {
    at: { x: (a.clientX + b.clientX) / 2 - left, y: (a.clientY + b.clientY) / 2 - top },
    distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
  }
}

/** Wheel and touch gestures; plain scrolling is left to the browser. */
const useWheelAndTouch = (pane: RefObject<HTMLElement | null>, { level, zoomTo }: Moves): void => {
  const pinch = useRef<{ at: Point; distance: number; level: number }>(undefined)
  useListeners(pane, {
    wheel: (event) => {
      const box = pane.current
      if (!box) return
      if (event.ctrlKey) {
        event.preventDefault()
        const { left, top } = box.getBoundingClientRect()
        zoomTo(level - event.deltaY * wheelZoom, { x: event.clientX - left, y: event.clientY - top })
        return
      }
      // A wheel scrolls vertically, but a chain of stages is horizontal.
      const goesAside = box.scrollHeight <= box.clientHeight && box.scrollWidth > box.clientWidth
      if (!goesAside || event.deltaX !== 0 || event.shiftKey) return
      event.preventDefault()
      box.scrollBy({ left: event.deltaY, behavior: 'instant' })
    },
    touchstart: (event) => {
      const touches = pane.current && between(event.touches, pane.current)
      pinch.current = touches ? { ...touches, level } : undefined
    },
    touchmove: (event) => {
      const before = pinch.current
      const now = pane.current && between(event.touches, pane.current)
      if (!before || !now || before.distance === 0) return
      event.preventDefault()
      const next = (before.level * now.distance) / before.distance
      zoomTo(next, before.at, now.at)
      pinch.current = { ...before, at: now.at }
    },
  })
}

/** The gestures of a graph: drag, wheel, keys, pinch. */
export const useGestures = (pane: RefObject<HTMLElement | null>, moves: Moves) => {
  const drag = useRef<Point & { left: number; top: number; moves: boolean }>(undefined)
  useWheelAndTouch(pane, moves)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      const { scrollLeft: left, scrollTop: top } = event.currentTarget
      const isHand = event.pointerType === 'mouse' && event.button === 0
      drag.current = isHand ? { x: event.clientX, y: event.clientY, left, top, moves: false } : undefined
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const from = drag.current
      if (!from || event.buttons % 2 === 0) return
      const x = event.clientX - from.x
      const y = event.clientY - from.y
      if (!from.moves && Math.hypot(x, y) < dragThresholdPx) return
      if (!from.moves) event.currentTarget.setPointerCapture(event.pointerId)
      from.moves = true
      event.currentTarget.scrollTo({ left: from.left - x, top: from.top - y, behavior: 'instant' })
    },
    /** Whether this click ends a drag, so that the node below it must not open. */
    isDrag: (event: MouseEvent): boolean => Boolean(drag.current?.moves) && event.detail > 0,
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const { level, zoomTo, fit } = moves
      const arrow = arrows[event.key]
      if (arrow) {
        event.preventDefault()
        event.currentTarget.scrollBy({ left: arrow[0] * arrowStepPx, top: arrow[1] * arrowStepPx, behavior: 'instant' })
      } else if (event.key === '+' || event.key === '=') zoomTo(zoomIn(level))
      else if (event.key === '-') zoomTo(zoomOut(level))
      else if (event.key === '0') fit()
    },
  }
}
