import { startTransition, useCallback, useRef, useState, type RefObject } from 'react'

import { useDelay } from '../../browser/use-delay.ts'
import {
  boxOf,
  fitted,
  middleOf,
  opening,
  printPlace,
  readPlace,
  scrollOf,
  scrollToSee,
  seenOf,
  worldAt,
  type Camera,
  type Point,
  type Room,
} from './layout/camera.ts'
import { boxOfNode, type GraphLayout } from './layout/layout.ts'
import { within, zoomReset } from './layout/zoom.ts'

export interface CameraInput {
  scroller: RefObject<HTMLElement | null>
  /** Undefined while unknown. */
  layout: GraphLayout | undefined
  room: Room | undefined
  /** The selected node, and the one at which the graph opens. */
  selected: string
  target: string
  /** The zoom level at which a graph opens that is too large for the pane. */
  minLevel: number
  /** No new node is selected: a view moved by the user stays. */
  keepsView: boolean
  /** Zoom and position in the format of the URL; empty: the initial ones. */
  given: string
  onViewChange: (place: string) => void
}

interface Shown {
  layout: GraphLayout
  room: Room
  camera: Camera
  selected: string
}

/**
 * Long enough for a drag: browsers refuse more than about a hundred URL changes in half a minute.
 */
const urlDelayMs = 300

/** After the graph has grown, the selected node, or else the first one, stays where it was. */
const scrollToHold = (scroll: Point, before: Shown, now: Shown): Point => {
  const ids = [now.selected, ...now.layout.nodes.map(({ id }) => id)]
  const anchorId = ids.find((id) => boxOfNode(before.layout, id) && boxOfNode(now.layout, id)) ?? ''
  const [from, to] = [before, now].map(({ layout, room, camera }) => {
    const node = boxOfNode(layout, anchorId)
    return node && boxOf(node, layout, room, camera.level)
  })
  return from && to ? { x: scroll.x + to.x - from.x, y: scroll.y + to.y - from.y } : scroll
}

const scrollIn = (pane: HTMLElement): Point => ({ x: pane.scrollLeft, y: pane.scrollTop })

/** The scroll position after a change; undefined to leave it. */
const scrollAfter = (scroll: Point, before: Shown | undefined, now: Shown, stays: boolean): Point | undefined => {
  if (before?.camera !== now.camera) return scrollOf(now.camera, now.layout, now.room)
  const heldScroll = before.layout === now.layout ? undefined : scrollToHold(scroll, before, now)
  const isRequested = before.selected !== now.selected && !stays
  const node = boxOfNode(now.layout, now.selected)
  if (!node || (!isRequested && before.room.covered >= now.room.covered)) return heldScroll
  return scrollToSee(heldScroll ?? scroll, boxOf(node, now.layout, now.room, now.camera.level), now.room)
}

/**
 * The view of a graph and the functions that change it. Changes by the user are reported with
 * `onViewChange`, for the URL.
 */
export const useCamera = ({
  scroller,
  layout,
  room,
  selected,
  target,
  minLevel,
  keepsView,
  given,
  onViewChange,
}: CameraInput) => {
  const [camera, setCamera] = useState<Camera>()
  const [seen, setSeen] = useState(given)
  const [place, setPlace] = useState(given)
  const [written, setWritten] = useState(given)
  const [scroll, setScroll] = useState<Point>({ x: 0, y: 0 })
  const shown = useRef<Shown>(undefined)
  const own = useRef<Point>(undefined)

  if (!camera && layout && room) {
    const node = boxOfNode(layout, target)
    const centre = node && { x: node.x + node.width / 2, y: node.y + node.height / 2 }
    setCamera(readPlace(given) ?? opening(layout, room, centre, minLevel))
  }
  // The URL changed from outside: Back, or a link.
  if (given !== seen) {
    setSeen(given)
    const requestedCamera = given === written ? undefined : readPlace(given)
    if (requestedCamera) {
      setPlace(given)
      setCamera(requestedCamera)
    }
  }
  useDelay(place === given ? undefined : place, urlDelayMs, () => {
    setWritten(place)
    onViewChange(place)
  })

  const level = camera?.level ?? zoomReset
  const isUserView = keepsView && place !== ''
  /** The `ref` of the scrolled content: restores the scroll position after each change. */
  const restoreScroll = useCallback(
    (content: HTMLElement | null) => {
      // The pane; its own `ref` is not set yet when both mount together.
      const pane = content?.parentElement
      if (!pane || !layout || !room || !camera) return
      const before = shown.current
      shown.current = { layout, room, camera, selected }
      const to = scrollAfter(scrollIn(pane), before, shown.current, isUserView)
      if (to) pane.scrollTo({ left: to.x, top: to.y, behavior: 'instant' })
      // If the content became smaller, the browser has scrolled it; this isn't the user's scroll
      // either.
      own.current = scrollIn(pane)
    },
    [layout, room, camera, selected, isUserView],
  )
  const scrollTo = (to: Point): void => scroller.current?.scrollTo({ left: to.x, top: to.y, behavior: 'instant' })
  /**
   * `from`: the point of the pane whose content stays fixed, by default its center; `to`: where
   * that content moves.
   */
  const zoomTo = (next: number, from?: Point, to = from): void => {
    const pane = scroller.current
    const now = shown.current
    if (!pane || !now) return
    const middle = middleOf(seenOf(now.room))
    const at = scrollIn(pane)
    const graphPoint = worldAt(at, from ?? middle, now.layout, now.room, now.camera.level)
    const nextCamera = { level: within(next), graphPoint, at: to ?? middle }
    setCamera(nextCamera)
    const after = scrollOf(nextCamera, now.layout, now.room)
    setPlace(printPlace(nextCamera.level, worldAt(after, middle, now.layout, now.room, nextCamera.level)))
  }
  return {
    level,
    scroll,
    settle: restoreScroll,
    zoomTo,
    fit: (): void => {
      if (!layout || !room) return
      setCamera(fitted(layout, room))
      setPlace('')
    },
    /** Moves a point of the graph to the middle. */
    moveTo: (graphPoint: Point): void => {
      if (layout && room) scrollTo(scrollOf({ level, graphPoint }, layout, room))
    },
    /** Scrolls a node into view. */
    see: (id: string): void => {
      const pane = scroller.current
      const node = layout && boxOfNode(layout, id)
      if (!pane || !node || !room) return
      const at = scrollIn(pane)
      scrollTo(scrollToSee(at, boxOf(node, layout, room, level), room))
    },
    onScroll: (): void => {
      const pane = scroller.current
      if (!pane || !layout || !room) return
      const at = scrollIn(pane)
      // The overview can follow later; the nodes are not rendered again for it.
      startTransition(() => setScroll(at))
      const isOwn = own.current && Math.abs(own.current.x - at.x) < 1 && Math.abs(own.current.y - at.y) < 1
      own.current = undefined
      if (!isOwn) setPlace(printPlace(level, worldAt(at, middleOf(seenOf(room)), layout, room, level)))
    },
  }
}
