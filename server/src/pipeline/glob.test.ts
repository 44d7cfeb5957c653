import { expect, it } from 'vitest'
import { matchGlob } from './glob.ts'

it.each([
  ['main', 'main'],
  ['*', 'main'],
  ['*', ''],
  ['feature/*', 'feature/x'],
  ['**', 'feature/x'],
  ['**', ''],
  ['refs/**/x', 'refs/x'],
  ['refs/**/x', 'refs/a/b/x'],
  ['**/x', 'a/x'],
  ['refs/tags/**', 'refs/tags/v1'],
  ['v?.*', 'v1.2'],
  ['{a,b}', 'b'],
  ['rel-{1,2{x,y}}', 'rel-2y'],
  ['[ab]', 'a'],
  ['[a-c]x', 'bx'],
  ['[^a]', 'b'],
  ['[!a]', 'b'],
  ['\\*', '*'],
  ['.*', '.hidden'],
  ['*', '.hidden'],
  ['a+(b)', 'a+(b)'],
  ['re**r', 'rexr'],
])('%s matches %s', (pattern, text) => expect(matchGlob(pattern, text)).toBe(true))

it.each([
  ['main', 'Main'],
  ['main', 'mainx'],
  ['', 'main'],
  ['*', 'feature/x'],
  ['feature/?', 'feature/xy'],
  ['?', '/'],
  ['re**r', 're/f/r'],
  ['refs/**/x', 'refs/ax'],
  ['refs/**', 'refs'],
  ['[ab', '[ab'],
  ['{a,b', 'a'],
  ['a\\', 'a\\'],
  ['[]', ''],
  ['!main', 'other'],
  ['[^a]', '/'],
])('%s does not match %s', (pattern, text) => expect(matchGlob(pattern, text)).toBe(false))

it('takes bounded time', () => {
  expect(matchGlob(`${'*a'.repeat(400)}b`, 'a'.repeat(2_000))).toBe(false)
  expect(matchGlob('{a,b}'.repeat(100), 'ab'.repeat(50))).toBe(false)
})
