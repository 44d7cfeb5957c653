/** As a shell trims. */
import { describe, expect, it } from 'vitest'
import { trimPrefix, trimSteps, trimSuffix } from './trim.ts'

const prefix = (value: string, pattern: string) => [trimPrefix(value, pattern, false), trimPrefix(value, pattern, true)]
const suffix = (value: string, pattern: string) => [trimSuffix(value, pattern, false), trimSuffix(value, pattern, true)]

describe('trimming', () => {
  // What sh prints for ${v#p} and ${v##p}, ${v%p} and ${v%%p}.
  it.each([
    ['a.b.c', '*.', 'b.c', 'c'],
    ['a.b.c', 'a', '.b.c', '.b.c'],
    ['a.b.c', 'b', 'a.b.c', 'a.b.c'],
    ['a.b.c', '?.', 'b.c', 'b.c'],
    ['a.b.c', '?', '.b.c', '.b.c'],
    ['a.b.c', '*', 'a.b.c', ''],
    ['a.b.c', '?*', '.b.c', ''],
    ['a.b.c', '**.', 'b.c', 'c'],
    ['a.b.c', '*.*.', 'c', 'c'],
    ['a.b.c', '*x', 'a.b.c', 'a.b.c'],
    ['a.b.c', '', 'a.b.c', 'a.b.c'],
    ['ab', '???', 'ab', 'ab'],
    ['aab', '*a', 'ab', 'b'],
    ['ab', '*ab', '', ''],
    ['', '*', '', ''],
    ['', '?', '', ''],
    ['éa', '?', 'a', 'a'],
    ['😀a', '?', 'a', 'a'],
  ])('%s without %s is %s or %s', (value, pattern, shortest, longest) => {
    expect(prefix(value, pattern)).toEqual([shortest, longest])
    const back = (text: string) => [...text].toReversed().join('')
    expect(suffix(back(value), back(pattern))).toEqual([back(shortest), back(longest)])
  })

  // A beginning only: Drone reads the pattern of an end backwards.
  it.each([
    ['v1.2', '[vV]', '1.2', '1.2'],
    ['V1.2', '[vV]', '1.2', '1.2'],
    ['x1.2', '[vV]', 'x1.2', 'x1.2'],
    ['x1.2', '[^0-9]', '1.2', '1.2'],
    ['v1.2', '[!0-9]', 'v1.2', 'v1.2'],
    ['!1', '[!v]', '1', '1'],
    ['rc-12', '*[0-9]', '2', ''],
    ['a-1', '[a-z]?[0-9]', '', ''],
    ['[v]1', '\\[v\\]', '1', '1'],
    ['v1', '[vV', 'v1', 'v1'],
    ['v1', '[]', 'v1', 'v1'],
    ['-1', '[\\-]', '1', '1'],
  ])('%s without the set %s is %s or %s', (value, pattern, shortest, longest) => {
    expect(prefix(value, pattern)).toEqual([shortest, longest])
  })
  it('keeps an end unchanged, whatever is in brackets', () => {
    expect(suffix('v1', '[0-9]')).toEqual(['v1', 'v1'])
    expect(suffix('v[0]', '[0]')).toEqual(['v', 'v'])
  })

  it('reads only the first thousand characters of a value', () => {
    const value = `${'a'.repeat(1_000)}b`
    expect(prefix(value, '*b')).toEqual([value, value])
    expect(prefix(value.slice(1), '*b')).toEqual(['', ''])
    expect(prefix(value, '*')).toEqual([value, 'b'])
    const back = `b${'a'.repeat(1_000)}`
    expect(suffix(back, 'b*')).toEqual([back, back])
    expect(suffix(back, '*')).toEqual([back, 'b'])
    expect(suffix('a'.repeat(999).concat('b'), '*b')).toEqual(['a'.repeat(999), ''])
  })
  it('and at the first 200 of a pattern', () => {
    const value = 'a'.repeat(300)
    expect(trimPrefix(value, `?${'a'.repeat(199)}bbb`, false)).toBe('a'.repeat(100))
    expect(trimSuffix(value, `?${'a'.repeat(199)}bbb`, false)).toBe('a'.repeat(100))
  })

  it('costs what it may be tried against', () => {
    expect(trimSteps('x'.repeat(50_000), 'y'.repeat(50_000))).toBe(1)
    expect(trimSteps('x'.repeat(10), 'y*')).toBe(4 * 10 * 2)
    expect(trimSteps('x'.repeat(10), '?')).toBe(4 * 10)
    expect(trimSteps('x'.repeat(1_001), `*${'y'.repeat(200)}`)).toBe(4 * 1_000 * 200)
  })
})
