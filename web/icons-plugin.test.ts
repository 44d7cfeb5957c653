import { expect, test } from 'vitest'

import { iconsPlugin, onePath } from './icons-plugin.ts'

test('a path behind another one begins where it began alone', () => {
  // SVG 2, "The moveto commands": a relative one at the head is absolute, its further pairs are relative lines.
  expect(
    onePath([
      ['path', { d: 'M1 1h2' }],
      ['path', { d: 'm21 21-4.34-4.34' }],
    ]),
  ).toBe('M1 1h2M21 21l-4.34-4.34')
  expect(onePath([['path', { d: 'm1.5.5h2' }]])).toBe('M1.5 .5h2')
  expect(onePath([['path', { d: 'm9 18 6-6-6-6' }]])).toBe('M9 18l6-6-6-6')
})

test('circles, ellipses, lines and rectangles are drawn around the same places', () => {
  expect(onePath([['circle', { cx: '11', cy: '11', r: '8' }]])).toBe('M3 11a8 8 0 0 1 16 0a8 8 0 0 1 -16 0z')
  expect(onePath([['ellipse', { cx: '12', cy: '5', rx: '9', ry: '3' }]])).toBe('M3 5a9 3 0 0 1 18 0a9 3 0 0 1 -18 0z')
  expect(onePath([['line', { x1: '8', x2: '16', y1: '21', y2: '20' }]])).toBe('M8 21L16 20')
  expect(onePath([['rect', { x: '1', y: '2', width: '4', height: '3' }]])).toBe('M1 2l4 0l0 3l-4 0l0 -3z')
  expect(onePath([['rect', { x: '1', y: '2', width: '8', height: '6', rx: '2' }]])).toBe(
    'M3 2l4 0a2 2 0 0 1 2 2l0 2a2 2 0 0 1 -2 2l-4 0a2 2 0 0 1 -2 -2l0 -2a2 2 0 0 1 2 -2z',
  )
  // 8.6 - 3 is not 5.6 in floating point.
  expect(onePath([['circle', { cx: '8.6', cy: '1', r: '3' }]])).toMatch(/^M5\.6 1a/)
})

test('what is more than its shape stays as it is', () => {
  expect(onePath([['circle', { cx: '1', cy: '1', r: '.5', fill: 'currentColor' }]])).toBeUndefined()
  expect(onePath([['polygon', { points: '1 2 3 4' }]])).toBeUndefined()
})

const transform = (code: string, id: string): unknown =>
  (iconsPlugin.transform as (code: string, id: string) => unknown)(code, id)
const fileOf = (node: string): string => `const __iconData = {\n  name: "x",\n  node: ${node}\n};\nexport {}`
const icon = '/node_modules/lucide-react/dist/esm/icons/x.mjs'

test('only files of icons are changed, and only in the form that is known', () => {
  const node =
    '[\n    ["path", { d: "M1 1h2", key: "a" }],\n    ["circle", { cx: "2", cy: "2", r: "1", key: "b" }]\n  ]'
  const drawn = '[["path",{"d":"M1 1h2M1 2a1 1 0 0 1 2 0a1 1 0 0 1 -2 0z"}]]'
  expect(transform(fileOf(node), icon)).toEqual({ code: fileOf(drawn), map: null })
  expect(transform(fileOf(node), '/web/src/ui/x.ts')).toBeUndefined()
  expect(transform('const nodes = make()', icon)).toBeUndefined()
})
