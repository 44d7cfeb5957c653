import { describe, expect, it } from 'vitest'
import { globCost, matchGlob } from './glob.ts'

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
  ['[^a-c]x', 'dx'],
  ['[^a]', '^'],
  ['{a{b,c}d,e}', 'abd'],
  ['[a-cx-z]', 'y'],
  ['[\\]a]', ']'],
  ['[\\-x]', '-'],
  ['[a\\-c]', '-'],
  ['[x\\-]', 'x'],
  ['[+-\\-]', ','],
  ['[*]', '*'],
  ['[a!^]', '!'],
  ['a?b', 'a☺b'],
  ['[a-ζ]*', 'α'],
  ['😀?*', '😀😀'],
  ['[😀]', '😀'],
  ['a/\\**', 'a/*b'],
  ['\\{a}', '{a}'],
  ['\\{{a,b}', '{b'],
  ['{a\\,b,c}', 'a,b'],
  ['{a\\},c}', 'a}'],
  ['{}a', 'a'],
  ['{a,}b', 'b'],
  ['{a,b}{c,d}', 'bc'],
  ['a,b*', 'a,b'],
  ['a}*', 'a}'],
  ['x{a,b/**}', 'xb/c/d'],
  ['*b*', 'aabaa'],
  ['**/**/x', 'x'],
  ['a/**/b/**/c', 'a/x/y/b/c'],
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
  ['[a-c]', 'd'],
  ['[b-c]', 'a'],
  ['[^a-c]', 'b'],
  // Broken: a `-` of its own has to be escaped.
  ['[-]', '-'],
  ['[x-]', 'x'],
  ['[-x]', 'x'],
  ['[a-]b]', 'b'],
  ['[a--]', 'a'],
  ['[a-b-c]', 'a'],
  ['[]a]', 'a'],
  ['[^', 'a'],
  ['[a-', 'a'],
  ['[a\\', 'a'],
  ['{[a,b}', 'b'],
  ['[a\\-c]', 'b'],
  ['a\\*b', 'ab'],
  ['\\{a,b}', 'a'],
  ['{a\\,b}', 'b'],
  ['{a,b}', 'a,b'],
  ['{a,{b,c}', 'a'],
  ['a}b', 'a'],
  ['x{a,b}', 'x'],
  ['**/x', 'ax'],
  ['a/**/b', 'ab'],
  ['a**/b', 'a/c/b'],
  ['refs/**', 'xrefs/a'],
  ['a?', 'a'],
  ['a*/b', 'c/b'],
  ['?', ''],
])('%s does not match %s', (pattern, text) => expect(matchGlob(pattern, text)).toBe(false))

it('one broken alternative breaks them all', () => {
  expect(matchGlob('{a,[}', 'a')).toBe(false)
})

it('takes bounded time', () => {
  expect(matchGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(200))).toBe(false)
  expect(matchGlob('{a,b}'.repeat(100), 'ab'.repeat(50))).toBe(false)
})

it('expands to 64 patterns at most', () => {
  const alternatives = (count: number) => `{${Array.from({ length: count }, (_, i) => `x${i}`).join()}}`
  expect(matchGlob(alternatives(64), 'x63')).toBe(true)
  expect(matchGlob(alternatives(65), 'x0')).toBe(false)
  expect(matchGlob('{a,b}'.repeat(6), 'ababab')).toBe(true)
  expect(matchGlob('{a,b}'.repeat(7), 'abababa')).toBe(false)
})

it('has 1,000 characters at most, with and without stars', () => {
  const long = 'x'.repeat(999)
  for (const end of ['x', '*']) {
    expect(matchGlob(long + end, `${long}x`)).toBe(true)
    expect(matchGlob(`${long}x${end}`, `${long}xx`)).toBe(false)
  }
})

it.each([
  ['a plain text costs nothing', 'refs/heads/main', 0],
  ['one that is too long is not looked at', '*'.repeat(1_001), 0],
  ['nor is a broken one', '{a,b', 0],
  ['a pattern its length', 'v?.*', 4],
  ['the longest', '*'.repeat(1_000), 1_000],
  ['each alternative its length', 'x{a,bc,}', 2 + 3 + 1],
])('%s', (_what, pattern, cost) => expect(globCost(pattern)).toBe(cost))

describe('one slash at the end of a pattern', () => {
  it.each([
    ['release/', 'release', true],
    ['release/*/', 'release/1', true],
    ['feature/**/', 'feature/a/b', true],
    ['**/', 'a/b', true],
    ['{a,b}/', 'b', true],
    ['release//', 'release', false],
    ['release/', 'release/1', false],
    ['release\\/', 'release', false],
  ])('%s on %s: %s', (pattern, text, expected) => expect(matchGlob(pattern, text)).toBe(expected))
})
