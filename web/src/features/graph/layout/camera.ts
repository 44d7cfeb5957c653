/**
 * The view of a graph: a zoom level, and the scroll position in its pane. Sizes and positions are
 * in screen pixels, those of the graph itself in pixels at 100 %.
 */
import { within, zoomToFit } from './zoom.ts'

export interface Size {
  width: number
  height: number
}
export interface Point {
  x: number
  y: number
}
export interface Box extends Point, Size {}

/** The pane: its size, and the width that the drawer covers on the right. */
export interface Room extends Size {
  covered: number
}

/**
 * Which point of the graph is at which point of the pane; by default, the center of both, within
 * the scroll range.
 */
export interface Camera {
  level: number
  graphPoint?: Point
  at?: Point
}

/** The margin around a node that scrolls into view, if there is room. */
const air = 24

export const middleOf = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 })
export const seenOf = ({ width, height, covered }: Room): Size => ({ width: Math.max(0, width - covered), height })
const scaled = (length: number, level: number): number => (length * level) / 100

/**
 * The space to the left of and above the graph: a graph smaller than the pane is centered, with or
 * without the drawer.
 */
export const marginOf = (graph: Size, room: Room, level: number): Point => ({
  x: Math.max(0, Math.round((room.width - scaled(graph.width, level)) / 2)),
  y: Math.max(0, Math.round((room.height - scaled(graph.height, level)) / 2)),
})

/**
 * The scrolled content: the graph with its margins, and space at the end to move it out from below
 * the drawer.
 */
export const contentOf = (graph: Size, room: Room, level: number): Size => {
  const margin = marginOf(graph, room, level)
  return {
    width: margin.x + scaled(graph.width, level) + Math.max(room.covered, margin.x - 1),
    height: margin.y + scaled(graph.height, level) + Math.max(0, margin.y - 1),
  }
}

/** The scroll position, which can be outside of the scroll range. */
export const scrollOf = ({ level, graphPoint, at }: Camera, graph: Size, room: Room): Point => {
  const margin = marginOf(graph, room, level)
  const from = graphPoint ?? middleOf(graph)
  const to = at ?? middleOf(seenOf(room))
  return { x: margin.x + scaled(from.x, level) - to.x, y: margin.y + scaled(from.y, level) - to.y }
}

/** The point of the graph at a position of the pane. */
export const worldAt = (scroll: Point, at: Point, graph: Size, room: Room, level: number): Point => {
  const margin = marginOf(graph, room, level)
  return { x: ((scroll.x + at.x - margin.x) * 100) / level, y: ((scroll.y + at.y - margin.y) * 100) / level }
}

/** The position of a part of the graph in the scrolled content. */
export const boxOf = (part: Box, graph: Size, room: Room, level: number): Box => {
  const margin = marginOf(graph, room, level)
  return {
    x: margin.x + scaled(part.x, level),
    y: margin.y + scaled(part.y, level),
    width: scaled(part.width, level),
    height: scaled(part.height, level),
  }
}

const nearest = (from: number, room: number, start: number, length: number): number => {
  if (start >= from && start + length <= from + room) return from
  const space = Math.max(0, Math.min(air, (room - length) / 2))
  return start < from ? start - space : start + length + space - room
}

/** The scroll position nearest to the current one at which the box is visible. */
export const scrollToSee = (scroll: Point, box: Box, room: Room): Point => {
  const seen = seenOf(room)
  return {
    x: nearest(scroll.x, seen.width, box.x, box.width),
    y: nearest(scroll.y, seen.height, box.y, box.height),
  }
}

export const fitted = (graph: Size, room: Room): Camera => ({ level: zoomToFit(graph, seenOf(room)) })

/** design.md: "below 70 % only when centered on" a node. `minLevel` is in percent. */
export const opening = (graph: Size, room: Room, centre: Point | undefined, minLevel: number): Camera => {
  const all = fitted(graph, room)
  return all.level >= minLevel ? all : { level: minLevel, ...(centre && { graphPoint: centre }) }
}

/** The format of the URL: percent, and the point of the graph in the middle of the pane. */
export const printPlace = (level: number, { x, y }: Point): string =>
  [level, x, y].map((value) => Math.max(0, Math.round(value))).join('-')

/**
 * `undefined`: no position. A node outside the graph is not ours, and the browser does not scroll
 * there.
 */
export const readPlace = (text: string): Camera | undefined => {
  const [, level, x, y] = /^(\d{1,3})-(\d{1,6})-(\d{1,6})$/.exec(text) ?? []
  if (level === undefined) return undefined
  return { level: within(Number(level)), graphPoint: { x: Number(x), y: Number(y) } }
}
