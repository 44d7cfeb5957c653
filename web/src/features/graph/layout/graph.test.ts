import { describe, expect, test } from 'vitest'

import { edgesOf } from './edges.ts'
import { layoutGraph, nodeWidth } from './layout.ts'
import { hasData, isSelectable } from './selectable.ts'
import { zoomIn, zoomOut, zoomToFit } from './zoom.ts'

const item = (number: number, name: string, ...needs: string[]) => ({
  number,
  name,
  ...(needs[0] && { depends_on: needs }),
})
const text = (items: Parameters<typeof edgesOf>[0]) => edgesOf(items).map(({ from, to }) => `${from}>${to}`)

describe('edges', () => {
  test('[S2.build.18] without dependency information nodes are chained by number', () => {
    expect(text([item(2, 'b'), item(1, 'a')])).toEqual(['start>1', '1>2', '2>stop'])
    expect(text([])).toEqual(['start>stop'])
  })
  test('[S2.build.16] [S2.build.17] with some, nodes without dependencies follow the start, and ends lead to the stop', () => {
    expect(text([item(1, 'a'), item(2, 'b'), item(3, 'c', 'a', 'b'), item(4, 'd')])).toEqual([
      'start>1',
      'start>2',
      'start>4',
      '1>3',
      '2>3',
      '3>stop',
      '4>stop',
    ])
  })
  test('unknown names and its own name are ignored', () => {
    expect(text([item(1, 'a', 'gone'), item(2, '__proto__', '__proto__', 'a', 'a')])).toEqual([
      'start>1',
      '1>2',
      '2>stop',
    ])
  })
})

describe('layout', () => {
  const items = [item(1, 'a'), item(2, 'b'), item(3, 'c', 'a', 'b')]
  const layout = layoutGraph({ ids: ['1', '2', '3'], edges: edgesOf(items) })
  const at = (id: string) => layout.nodes.find((node) => node.id === id)
  test('[S2.build.14] [S2.build.15] [S9.constants.17] goes from left to right with the specified spaces', () => {
    expect((at('3')?.x ?? 0) - (at('1')?.x ?? 0)).toBe(nodeWidth + 75)
    expect(Math.abs((at('2')?.y ?? 0) - (at('1')?.y ?? 0))).toBe(56 + 35)
    expect(layout.edges).toHaveLength(5)
    expect(layout.edges.every((edge) => edge.points.length > 1)).toBe(true)
  })
  test('[S9.constants.17] two edges that pass a node are 10 apart', () => {
    const passing = [item(1, 'a'), item(2, 'x'), item(3, 'b', 'a'), item(4, 'c', 'b', 'a', 'x'), item(5, 'd', 'b', 'a')]
    const { edges, nodes } = layoutGraph({ ids: ['1', '2', '3', '4', '5'], edges: edgesOf(passing) })
    const column = (nodes.find(({ id }) => id === '3')?.x ?? 0) + nodeWidth / 2
    const heights = edges
      .flatMap(({ points }) => points.filter(({ x }) => x === column).map(({ y }) => y))
      .toSorted((a, b) => a - b)
    expect(heights).toHaveLength(3)
    expect(Math.min(...heights.slice(1).map((height, i) => height - (heights[i] ?? 0)))).toBe(10)
  })
  test('an edge is straight across the columns that it passes, and bends between them', () => {
    const items = [item(1, 'a'), item(2, 'b', 'a'), item(3, 'c', 'b'), item(4, 'd', 'c', 'a')]
    const { edges, nodes } = layoutGraph({ ids: ['1', '2', '3', '4'], edges: edgesOf(items) })
    const [, second, third] = ['1', '2', '3'].map((id) => nodes.find((node) => node.id === id))
    const long = edges.find(({ from, to }) => from === '1' && to === '4')?.points ?? []
    const gap = 75
    expect(long.slice(1, -1).map(({ x }) => x)).toEqual([
      (second?.x ?? 0) - gap / 2,
      (second?.x ?? 0) + nodeWidth / 2,
      (second?.x ?? 0) + nodeWidth + gap / 2,
      (third?.x ?? 0) + nodeWidth / 2,
      (third?.x ?? 0) + nodeWidth + gap / 2,
    ])
    expect(long[1]?.y).toBe(long[2]?.y)
    expect(long[5]?.y).toBe(long[4]?.y)
    expect(edges.find(({ from, to }) => from === '1' && to === '2')?.points).toHaveLength(2)
  })
  test('a cycle does not hang', () => {
    const circle = [item(1, 'a', 'b'), item(2, 'b', 'a')]
    expect(layoutGraph({ ids: ['1', '2'], edges: edgesOf(circle) }).nodes).toHaveLength(4)
  })
})

test('[S2.build.13] [S9.constants.15] zoom levels', () => {
  expect([zoomIn(100), zoomIn(120), zoomOut(100), zoomOut(20)]).toEqual([120, 140, 80, 20])
  expect(zoomToFit({ width: 1000, height: 100 }, { width: 500, height: 500 })).toBe(50)
  expect(zoomToFit({ width: 100, height: 100 }, { width: 500, height: 500 })).toBe(100)
})

test('[S2.build.12] which nodes can be selected', () => {
  for (const status of ['skipped', 'declined', 'waiting_on_dependencies']) expect(isSelectable(status)).toBe(false)
  for (const status of ['success', 'failure', 'running', 'pending', 'blocked']) expect(isSelectable(status)).toBe(true)
})

test('[S2.build.30] which steps have data', () => {
  for (const status of ['pending', 'skipped', 'blocked', 'waiting_on_dependencies']) expect(hasData(status)).toBe(false)
  for (const status of ['success', 'failure', 'running', 'killed', 'error']) expect(hasData(status)).toBe(true)
})
