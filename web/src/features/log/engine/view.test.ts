import { describe, expect, test } from 'vitest'
import { LogModel } from './model.ts'
import { maxLineChars, viewLine, type Mark } from './view.ts'

const modelOf = (...lines: string[]) => {
  const model = new LogModel()
  model.add(lines.map((line, pos) => ({ pos, out: `${line}\n`, time: pos * 10 })))
  return model
}
const parts = (line: string, marks: Mark[] = [], raw = false) => viewLine(modelOf(line), 0, raw, marks).parts

describe('a line', () => {
  test('has its index, its number and its time', () => {
    expect(viewLine(modelOf('a', 'b'), 1, false, [])).toEqual({
      index: 1,
      number: 2,
      time: 10,
      before: { time: 0 },
      parts: [{ text: 'b' }],
      cut: 0,
    })
  })
  test('raw shows the original text, control characters as symbols', () => {
    expect(parts('\u001b[31ma\u0007\tb\u007f\u0000', [], true)).toEqual([{ text: '␛[31ma␇\tb␡␀' }])
    expect(parts('abc', [{ index: 0, start: 0, end: 1 }], true)).toEqual([{ text: 'abc' }])
  })
  test('has links', () => {
    expect(parts('see http://a.example/b now')).toEqual([
      { text: 'see ' },
      { text: 'http://a.example/b', href: 'http://a.example/b' },
      { text: ' now' },
    ])
  })
  test('is truncated if it is too long, across its parts', () => {
    const long = 'x'.repeat(maxLineChars)
    const view = (line: string) => viewLine(modelOf(line), 0, false, [])
    expect(view(long)).toMatchObject({ cut: 0, parts: [{ text: long }] })
    expect(view(`${long}yz`)).toMatchObject({ cut: 2, parts: [{ text: long }] })
    const coloured = view(`ab\u001b[31m${long}\u001b[0mend`)
    expect(coloured.parts.map(({ text }) => text.length)).toEqual([2, maxLineChars - 2])
    expect(coloured.cut).toBe(5)
    expect(view(`${long}\u001b[31mred`)).toMatchObject({ cut: 3, parts: [{ text: long }] })
  })
})

describe('a search hit', () => {
  test('is a separate part, also across the ends of others', () => {
    expect(parts('abcdef', [{ index: 7, start: 2, end: 4 }])).toEqual([
      { text: 'ab' },
      { text: 'cd', hit: 7 },
      { text: 'ef' },
    ])
    const redStyle = { color: 'var(--ansi-text-1)' }
    expect(parts('ab\u001b[31mcd\u001b[0mef', [{ index: 1, start: 1, end: 5 }])).toEqual([
      { text: 'a' },
      { text: 'b', hit: 1 },
      { text: 'cd', look: redStyle, hit: 1 },
      { text: 'e', hit: 1 },
      { text: 'f' },
    ])
  })
  test('can be at the ends, and adjacent to another', () => {
    const marks = [
      { index: 0, start: 0, end: 1 },
      { index: 1, start: 1, end: 3 },
    ]
    expect(parts('abc', marks)).toEqual([
      { text: 'a', hit: 0 },
      { text: 'bc', hit: 1 },
    ])
    // After the shown part there is nothing to mark.
    expect(parts('abc', [{ index: 0, start: 3, end: 4 }])).toEqual([{ text: 'abc' }])
    expect(parts('', [{ index: 0, start: 0, end: 1 }])).toEqual(parts(''))
  })
})

describe('a command', () => {
  const model = modelOf('before', '+ make', 'one', 'two', '+ test', 'three')
  test('is followed by its output, and took until the next one', () => {
    expect(viewLine(model, 1, false, []).group).toEqual({ end: 4, last: false, seconds: 30 })
    expect(viewLine(model, 4, false, []).group).toEqual({ end: 6, last: true, seconds: 10 })
    expect([0, 2, 5].map((line) => viewLine(model, line, false, []).group)).toEqual([undefined, undefined, undefined])
    expect([model.groups, ...model.groupStarts()]).toEqual([2, 1, 4])
  })
  test('only starts at the start of a line', () => {
    expect(modelOf('a + b', '+b', ' + c').groups).toBe(0)
    expect(modelOf().groups).toBe(0)
    expect(viewLine(modelOf('a'), 0, false, [])).not.toHaveProperty('group')
  })
})
