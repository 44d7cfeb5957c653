import { afterEach, describe, expect, test, vi } from 'vitest'
import { Finder } from './finder.ts'
import { LogModel } from './model.ts'
import type { PatternBlock } from './protocol.ts'

afterEach(() => void vi.restoreAllMocks())

/** A clock that advances by this much each time it is read. */
const clock = (step: number) => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step))
}
/** Splits a block like the worker that runs patterns. */
const linesOf = ({ text, count }: PatternBlock): string[] => text.split('\n', count)

const modelOf = (...lines: string[]) => {
  const model = new LogModel()
  model.add(lines.map((line, pos) => ({ pos, out: `${line}\n`, time: 0 })))
  return model
}
/** Each line contains its number. */
const numbered = (lines: number) => modelOf(...Array.from({ length: lines }, (_, line) => `<${line}>`))
const plain = (text: string) => new Finder(3, { text, matchCase: true, word: false, pattern: false })
const pattern = (text: string) => new Finder(3, { text, matchCase: true, word: false, pattern: true })
const found = ({ hits }: Finder) =>
  [...new Set(Array.from({ length: hits.count }, (_, index) => hits.line(index)))].flatMap((line) =>
    hits.of(line).map(({ start, end }) => [line, start, end]),
  )
const all = (finder: Finder, model: LogModel) => {
  while (finder.advance(model));
  return found(finder)
}

describe('plain text', () => {
  test('is searched in slices until the end', () => {
    clock(1000)
    const model = numbered(9000)
    const finder = plain('00>')
    expect(finder.state(model.lines)).toEqual({ id: 3, count: 0, done: false, error: undefined, ticks: [] })
    const counts: [boolean, boolean, number][] = []
    for (let more = true; more;) {
      more = finder.advance(model)
      const { done, count } = finder.state(model.lines)
      counts.push([more, done, count])
    }
    expect(counts.length).toBeGreaterThan(2)
    expect(counts.slice(0, -1).every(([more, done]) => more && !done)).toBe(true)
    expect(counts.at(-1)).toEqual([false, true, 89])
    expect(new Set(counts.map(([, , count]) => count)).size).toBe(counts.length)
    expect(found(finder)).toEqual(Array.from({ length: 89 }, (_, i) => [(i + 1) * 100, i < 9 ? 2 : 3, i < 9 ? 5 : 6]))
  })

  test('is searched in one slice if there is time', () => {
    clock(0)
    const finder = plain('<8999>')
    expect(finder.advance(numbered(9000))).toBe(false)
    expect(found(finder)).toEqual([[8999, 0, 6]])
  })

  test('searched lines are not searched again', () => {
    const model = modelOf('one', 'one')
    const finder = plain('one')
    expect([all(finder, model), all(finder, model)].map((hits) => hits.length)).toEqual([2, 2])
    expect(finder.advance(model)).toBe(false)
  })

  test('no character is split if the text is stored in several blocks', () => {
    const model = modelOf(`x${'é'.repeat(600_000)}`, 'é\ufffd')
    expect(all(plain('\ufffd'), model)).toEqual([[1, 1, 2]])
  })

  test.each([
    ['colours', '\u001b[1;31mab\u001b[0mc', [[1, 0, 3]]],
    ['colours with colons', 'ab\u001b[38:5:2mc', [[1, 0, 3]]],
    ['a carriage return at its end', 'xabc\r', [[1, 1, 4]]],
    ['several carriage returns at its end', 'abc\r\r', [[1, 0, 3]]],
    ['a line written over', 'xxx\rabc', [[1, 0, 3]]],
    ['colours and a line written over', '\u001b[31mxxx\r\u001b[0mabc', [[1, 0, 3]]],
    ['a bell', 'a\u0007bc', [[1, 0, 3]]],
    ['a tab', '\tabc', [[1, 1, 4]]],
    ['an eight-bit control character', 'a\u0085bc', [[1, 0, 3]]],
    ['an erased line', 'abc\u001b[2K', []],
  ])('are found as they are read: %s', (_name, line, expected) => {
    expect(all(plain('abc'), modelOf('first', line, 'last'))).toEqual(expected)
  })
})

describe('when the log grows', () => {
  test('only the last line is searched again', () => {
    const model = new LogModel()
    model.add([
      { pos: 0, out: 'word\n', time: 0 },
      { pos: 1, out: 'word wo', time: 0 },
    ])
    const finder = plain('word')
    expect(all(finder, model)).toEqual([
      [0, 0, 4],
      [1, 0, 4],
    ])
    model.add([{ pos: 2, out: 'rd\nword', time: 0 }])
    finder.grow()
    expect(finder.state(3).done).toBe(false)
    expect(all(finder, model)).toEqual([
      [0, 0, 4],
      [1, 0, 4],
      [1, 5, 9],
      [2, 0, 4],
    ])
    expect(finder.state(3).done).toBe(true)
  })

  test('an empty log grows too', () => {
    const finder = plain('a')
    expect(all(finder, modelOf())).toEqual([])
    finder.grow()
    expect(all(finder, modelOf('a'))).toEqual([[0, 0, 1]])
  })

  test('everything is searched again after any line may have changed', () => {
    const finder = plain('a')
    all(finder, modelOf('a', 'a', 'b'))
    finder.restart()
    expect(finder.state(3)).toMatchObject({ count: 0, done: false, ticks: [] })
    expect(all(finder, modelOf('b', 'a'))).toEqual([[1, 0, 1]])
  })
})

test('the ticks say which hundredths of the log have a hit', () => {
  const finder = plain('5>')
  all(finder, numbered(200))
  // Lines 5, 15, 25 … of two hundred: every fifth hundredth, starting with the third.
  expect(finder.state(200).ticks).toEqual(Array.from({ length: 20 }, (_, i) => i * 5 + 2))
})

describe('an invalid expression', () => {
  test('reports the reason, and searches nothing, whatever happens to the log', () => {
    const finder = pattern('(')
    const words = finder.state(1).error
    expect(words).toBe('The pattern is not valid: a “(” has no “)”')
    for (const event of [() => undefined, () => finder.grow(), () => finder.restart()]) {
      event()
      expect(finder.isPattern).toBe(false)
      expect(finder.advance(modelOf('('))).toBe(false)
      expect(finder.state(1)).toEqual({ id: 3, count: 0, done: true, error: words, ticks: [] })
    }
  })
})

describe('patterns', () => {
  test('are not run in this worker', () => {
    const finder = pattern('a')
    expect(finder.isPattern).toBe(true)
    expect(plain('a').isPattern).toBe(false)
    expect(finder.advance(modelOf('a'))).toBe(false)
    expect(finder.state(1)).toMatchObject({ count: 0, done: false })
  })

  test('get the visible lines, block by block, until there are no more', () => {
    const model = numbered(5000)
    const finder = pattern('x')
    const lines: string[] = []
    let blocks = 0
    for (let last = false; !last; blocks++) {
      const block = finder.nextBlock(model, { id: 3, from: lines.length, hits: [] })
      expect(block).toMatchObject({ id: 3, from: lines.length })
      expect(finder.state(5000).done).toBe(block.last)
      lines.push(...linesOf(block))
      last = block.last
    }
    expect(blocks).toBeGreaterThan(2)
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, line) => `<${line}>`))
    const read = modelOf('\u001b[31mred\u001b[0m', '10%\r20%', '', 'end\r')
    expect(linesOf(finder.nextBlock(read, { id: 3, from: 0, hits: [] }))).toEqual(['red', '20%', '', 'end'])
  })

  test('report the hits of the previous block', () => {
    const model = modelOf('ab', 'b', 'bb')
    const finder = pattern('b')
    finder.nextBlock(model, { id: 3, from: 0, hits: [] })
    expect(finder.state(3)).toMatchObject({ count: 0, done: false })
    const end = finder.nextBlock(model, { id: 3, from: 3, hits: [0, 1, 2, 1, 0, 1, 2, 0, 1, 2, 1, 2] })
    expect(end).toEqual({ id: 3, from: 3, count: 0, text: '', last: true })
    expect(finder.hits.count).toBe(4)
    expect([0, 1, 2].map((line) => finder.hits.of(line).map(({ start, end: to }) => [start, to]))).toEqual([
      [[1, 2]],
      [[0, 1]],
      [
        [0, 1],
        [1, 2],
      ],
    ])
  })

  test('a log without lines has no block', () => {
    expect(pattern('a').nextBlock(modelOf(), { id: 3, from: 0, hits: [] })).toMatchObject({ count: 0, last: true })
  })

  test('the last line is searched again when the log has grown', () => {
    const finder = pattern('a')
    const model = modelOf('a', 'a')
    finder.nextBlock(model, { id: 3, from: 0, hits: [] })
    finder.nextBlock(model, { id: 3, from: 2, hits: [0, 0, 1, 1, 0, 1] })
    finder.grow()
    // The last line can have grown, so its hit is removed.
    expect(finder.state(2)).toMatchObject({ count: 1, done: false })
  })
})
