import { describe, expect, test } from 'vitest'
import { compile, matchBlock, matchLine, sameQuery, type Query } from './query.ts'

const query = (text: string, more: Partial<Query> = {}): Query => ({
  text,
  matchCase: false,
  word: false,
  pattern: false,
  ...more,
})
const found = (text: string, line: string, more: Partial<Query> = {}): string[] => {
  const matches: string[] = []
  matchLine(compile(query(text, more)), line, (start, end) => matches.push(line.slice(start, end)))
  return matches
}

describe('a search', () => {
  test.each<[string, string, Partial<Query>, string[]]>([
    ['ab', 'ab AB aab', {}, ['ab', 'AB', 'ab']],
    ['ab', 'ab AB', { matchCase: true }, ['ab']],
    ['ab', 'ab abc cab _ab ab.', { word: true }, ['ab', 'ab']],
    ['-x', '-x --x -xy a-x', { word: true }, ['-x', '-x']],
    ['a|b', 'a|b ab', {}, ['a|b']],
    ['a|b', 'ab', { pattern: true }, ['a', 'b']],
    ['a|b', 'a bc b', { pattern: true, word: true }, ['a', 'b']],
    ['\\d+', 'a12 3', { pattern: true }, ['12', '3']],
    ['x*', 'axxb', { pattern: true }, ['xx']],
  ])('for %s in %s with %j', (text, line, more, matches) => {
    expect(found(text, line, more)).toEqual(matches)
  })

  test('escapes all special characters of a pattern', () => {
    const text = '\\^$.*+?()[]{}|'
    expect(found(text, `a${text}b`)).toEqual([text])
    for (const char of text) expect(found(char, `a${char}b`)).toEqual([char])
  })

  test.each([
    ['(', 'a “(” has no “)”'],
    [')', 'a “)” has no “(”'],
    ['a)|(b', 'a “)” has no “(”'],
    ['[: at end', 'a “[” has no “]”'],
    ['\\', 'it ends with a single “\\”'],
    ['a**', 'there is nothing to repeat before a “*”, “+”, “?” or “{…}”'],
    ['a{2,1}', 'the first number in “{…}” is larger than the second'],
    ['[b-a]', 'a range in “[…]” ends before it starts'],
    ['(?z)', 'a “(?…)” or “\\k” is written wrongly'],
    ['(?<a>x)\\k<b>', 'a “(?…)” or “\\k” is written wrongly'],
  ])('says in words what is wrong with the pattern %s, also for whole words', (text, reason) => {
    for (const word of [false, true])
      expect(() => compile(query(text, { pattern: true, word }))).toThrow(
        new SyntaxError(`The pattern is not valid: ${reason}`),
      )
    expect(compile(query(text))).toBeInstanceOf(RegExp)
  })

  test('starts again on each line', () => {
    const expression = compile(query('a'))
    const starts: number[] = []
    for (const line of ['xa', 'a']) matchLine(expression, line, (start) => starts.push(start))
    expect(starts).toEqual([1, 0])
  })

  test('finds the same in blocks as in lines', () => {
    const lines = ['a', '', 'xa', 'b', 'aa']
    const hits: [number, number, number][] = []
    matchBlock(compile(query('a')), lines.join('\n'), (...hit) => hits.push(hit))
    expect(hits).toEqual([
      [0, 0, 1],
      [2, 1, 2],
      [4, 0, 1],
      [4, 1, 2],
    ])
  })
})

test('two searches are equal if nothing differs', () => {
  expect(sameQuery(query('a'), query('a'))).toBe(true)
  expect(sameQuery(query('a'), query('b'))).toBe(false)
  for (const key of ['matchCase', 'word', 'pattern'] as const) {
    expect(sameQuery(query('a'), query('a', { [key]: true }))).toBe(false)
  }
})
