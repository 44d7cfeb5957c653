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

test('what fills all the room to the last character is kept, and one character more is not', () => {
  const { made, ask } = bench(1_000)
  for (const text of ['a', 'b', 'a', 'b']) ask(text, 500)
  expect(made).toEqual(['a', 'b'])
  ask('c', 501)
  expect(made).toEqual(['a', 'b', 'c'])
  ask('c', 501)
  // Both that were there had to go.
  ask('a', 500)
  ask('b', 500)
  expect(made).toEqual(['a', 'b', 'c', 'a', 'b'])
})

test('what is larger than all the room is made each time, and drives nothing out', () => {
  const { made, ask } = bench(1_000)
  ask('a', 1_000)
  for (let times = 0; times < 2; times += 1) ask('large', 1_001)
  ask('a', 1_000)
  expect(made).toEqual(['a', 'large', 'large'])
})

test('what was asked for longest ago goes first', () => {
  const { made, ask } = bench(1_000)
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) ask(text, 500)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('a failure is answered again as a failure, and has its size', () => {
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
