import { expect, test } from 'vitest'

import { layoutGraph } from './layout.ts'
import { criticalPath, graphLinks, isSelectable, keyOf, type GraphItem } from './links.ts'

const item = (number: number, dependsOn: string[] = [], seconds = 10): GraphItem => ({
  number,
  name: `s${number}`,
  status: 'success',
  dependsOn,
  started: 100,
  stopped: 100 + seconds,
})
const text = (items: GraphItem[]) => graphLinks(items).map(({ from, to }) => `${from}>${to}`)

test('[S2.build.18] without dependencies nodes are chained in order', () => {
  expect(text([item(1), item(2), item(3)])).toEqual(['start>n1', 'n1>n2', 'n2>n3', 'n3>stop'])
})

test('[S2.build.16] [S2.build.17] nodes without dependencies hang on the start, without followers on the stop', () => {
  expect(text([item(1), item(2), item(3, ['s1', 's2'])])).toEqual(['start>n1', 'start>n2', 'n1>n3', 'n2>n3', 'n3>stop'])
  expect(text([item(1), item(2, ['s1']), item(3)])).toEqual(['start>n1', 'start>n3', 'n1>n2', 'n2>stop', 'n3>stop'])
})

test('unknown names, repeats, oneself and hostile names are tolerated', () => {
  const odd = { ...item(2, ['gone', '__proto__', 's2', 's1', 's1']) }
  expect(text([item(1), odd])).toEqual(['start>n1', 'n1>n2', 'n2>stop'])
  expect(text([])).toEqual([])
})

test('the critical path is the longest chain; a circle does not hang', () => {
  expect(criticalPath([item(1, [], 50), item(2, [], 5), item(3, ['s1', 's2'])], 0)).toEqual(['n1', 'n3'])
  expect(criticalPath([item(1, ['s2']), item(2, ['s1'])], 0).length).toBeGreaterThan(0)
})

test('[S2.build.14] [S2.build.15] [S9.constants.17] the layout runs left to right with the given spacing', () => {
  const items = [item(1), item(2), item(3, ['s1', 's2'])]
  const { nodes, width, height } = layoutGraph(items.map(keyOf), graphLinks(items))
  const at = new Map(nodes.map((node) => [node.key, node]))
  const [one, two, three] = [at.get('n1'), at.get('n2'), at.get('n3')]
  if (!one || !two || !three) throw new Error('a node is missing')
  expect(three.x - (one.x + one.width)).toBe(75)
  expect(Math.abs(two.y - one.y) - one.height).toBe(35)
  expect(width).toBeGreaterThan(three.x + three.width)
  expect(height).toBeGreaterThan(0)
})

test('[S2.build.12] which nodes can be selected', () => {
  expect(['skipped', 'declined', 'waiting_on_dependencies'].some(isSelectable)).toBe(false)
  expect(['success', 'failure', 'running', 'pending', 'blocked', 'killed', 'error'].every(isSelectable)).toBe(true)
})
