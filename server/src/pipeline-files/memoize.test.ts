import { expect, test } from 'vitest'
import { createMemoize } from './memoize.ts'

/** A value whose JSON has this many characters. */
const valueOf = (characters: number): string => 'x'.repeat(characters - 2)

function bench(maxCharacters: number) {
  const memoize = createMemoize<string>(maxCharacters)
  const made: string[] = []
  return {
    made,
    ask: (text: string, characters: number) =>
      memoize(text, () => {
        made.push(text)
        return valueOf(characters)
      }),
  }
}

test('caches values up to the limit, and none beyond it', () => {
  const { made, ask } = bench(1_000)
  for (const text of ['a', 'b', 'a', 'b']) ask(text, 500)
  expect(made).toEqual(['a', 'b'])
  ask('c', 501)
  expect(made).toEqual(['a', 'b', 'c'])
  ask('c', 501)
  // `c` evicted both.
  ask('a', 500)
  ask('b', 500)
  expect(made).toEqual(['a', 'b', 'c', 'a', 'b'])
})

test('computes a value larger than the limit each time, and evicts nothing for it', () => {
  const { made, ask } = bench(1_000)
  ask('a', 1_000)
  for (let times = 0; times < 2; times += 1) ask('large', 1_001)
  ask('a', 1_000)
  expect(made).toEqual(['a', 'large', 'large'])
})

test('evicts the least recently used value first', () => {
  const { made, ask } = bench(1_000)
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) ask(text, 500)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('caches an error with its size', () => {
  const memoize = createMemoize<string>(1_000)
  let made = 0
  const fail = () => {
    made += 1
    throw new Error('no')
  }
  for (let times = 0; times < 2; times += 1) expect(() => memoize('a', fail)).toThrow('no')
  expect(made).toBe(1)
  memoize('b', () => valueOf(2))
  expect(() => memoize('a', fail)).toThrow('no')
  expect(made).toBe(2)
})
