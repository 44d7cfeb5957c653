import { describe, expect, test } from 'vitest'

import {
  contentOf,
  marginOf,
  opening,
  printPlace,
  readPlace,
  scrollOf,
  scrollToSee,
  worldAt,
  type Room,
} from './camera.ts'

const room: Room = { width: 1000, height: 400, covered: 0 }
const small = { width: 600, height: 200 }
const large = { width: 4000, height: 1000 }

test('a graph that is smaller than its pane is centered, and nothing scrolls', () => {
  expect(marginOf(small, room, 100)).toEqual({ x: 200, y: 100 })
  const content = contentOf(small, room, 100)
  expect(content.width).toBeLessThanOrEqual(room.width)
  expect(content.height).toBeLessThanOrEqual(room.height)
})

describe('opening', () => {
  test('fits the pane, at most at its natural size', () => {
    expect(opening(small, room, undefined, 70)).toEqual({ level: 100 })
    expect(opening({ width: 1250, height: 100 }, room, { x: 1, y: 1 }, 70)).toEqual({ level: 80 })
  })
  test('stays above the minimum level, and then shows the node', () => {
    const camera = opening(large, room, { x: 2000, y: 500 }, 70)
    expect(camera).toEqual({ level: 70, graphPoint: { x: 2000, y: 500 } })
    // 2000 · 0.7 is 500 from the left, 500 · 0.7 is 200 from the top.
    expect(scrollOf(camera, large, room)).toEqual({ x: 900, y: 150 })
  })
  test('uses a smaller pane beside the drawer', () => {
    expect(opening({ width: 1000, height: 100 }, { ...room, covered: 200 }, undefined, 70)).toEqual({ level: 80 })
  })
})

test('the point at a position and the scroll position for it are inverse', () => {
  const scroll = { x: 123, y: 45 }
  const at = { x: 300, y: 80 }
  const graphPoint = worldAt(scroll, at, large, room, 120)
  expect(scrollOf({ level: 120, graphPoint, at }, large, room).x).toBeCloseTo(scroll.x)
  expect(scrollOf({ level: 120, graphPoint, at }, large, room).y).toBeCloseTo(scroll.y)
})

describe('scrolling into view', () => {
  const card = (x: number, y: number) => ({ x, y, width: 200, height: 56 })
  test('a visible node does not move', () => {
    expect(scrollToSee({ x: 0, y: 0 }, card(800, 344), room)).toEqual({ x: 0, y: 0 })
  })
  test('a node outside the pane scrolls the shortest way, with a margin', () => {
    expect(scrollToSee({ x: 500, y: 300 }, card(400, 800), room)).toEqual({ x: 376, y: 480 })
  })
  test('a node below the drawer counts as hidden', () => {
    expect(scrollToSee({ x: 0, y: 0 }, card(700, 0), { ...room, covered: 300 })).toEqual({ x: 224, y: 0 })
  })
  test('the content is always large enough to scroll to it', () => {
    const covered = { ...room, covered: 300 }
    const content = contentOf(small, covered, 100)
    const rightmost = marginOf(small, covered, 100).x + small.width
    expect(content.width - room.width).toBeGreaterThanOrEqual(rightmost - (room.width - covered.covered))
  })
})

test('a position in the URL is read as written, within the zoom levels; anything else is invalid', () => {
  expect(readPlace(printPlace(80, { x: 12.4, y: 340.6 }))).toEqual({ level: 80, graphPoint: { x: 12, y: 341 } })
  expect(readPlace('999-1-1')?.level).toBe(300)
  expect(readPlace('0-1-1')?.level).toBe(20)
  for (const text of ['', '80', '80-1', '80-1-1-1', '80--1-1', 'a-1-1', '80-1-1e9', '80-1-1234567'])
    expect(readPlace(text), text).toBeUndefined()
})
