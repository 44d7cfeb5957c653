import type { Line } from '@flightdeck/api'
import { describe, expect, test } from 'vitest'
import { LogModel } from './model.ts'
import { viewLine } from './view.ts'

const entry = (pos: number, out: string, time = 0): Line => ({ pos, out, time })
const textOf = (model: LogModel) => Array.from({ length: model.lines }, (_, line) => model.text(line))
const rawOf = (model: LogModel) => new TextDecoder().decode(Buffer.concat(model.raw(0, model.lines)))

describe('entries become lines', () => {
  test('chunks are joined, and one chunk may hold several lines', () => {
    const model = new LogModel()
    model.add([entry(0, '+ make\n'), entry(1, 'hel'), entry(2, 'lo\nwor', 4), entry(3, ''), entry(4, 'ld\n\nend', 9)])
    expect(textOf(model)).toEqual(['+ make', 'hello', 'world', '', 'end'])
    expect([0, 1, 2, 3, 4].map((line) => model.position(line))).toEqual([0, 1, 2, 4, 4])
    expect(model.time(4)).toBe(9)
    expect(rawOf(model)).toBe('+ make\nhello\nworld\n\nend')
  })

  test('a log without any line end has one line per entry, until a line end comes', () => {
    const model = new LogModel()
    model.add([entry(0, 'one'), entry(1, 'two')])
    expect(textOf(model)).toEqual(['one', 'two'])
    expect(rawOf(model)).toBe('one\ntwo')
    model.add([entry(2, '!\n'), entry(3, 'three')])
    expect(textOf(model)).toEqual(['onetwo!', 'three'])
    expect(model.rewritten).toBe(true)
  })

  test('a cut head keeps its numbers', () => {
    const model = new LogModel()
    model.add([entry(700, 'a\n'), entry(701, 'b\n')])
    expect(model.firstPosition).toBe(700)
    expect(model.missing).toBe(0)
    expect(viewLine(model, 1, false, []).number).toBe(702)
    expect(model.lineOf(701)).toBe(1)
    expect(model.lineOf(3)).toBe(0)
  })

  test('characters of several bytes', () => {
    const model = new LogModel()
    model.add([entry(0, 'ä€😀\n'), entry(1, 'x\n')])
    expect(textOf(model)).toEqual(['ä€😀', 'x'])
  })

  test('the style of a line goes on in the next', () => {
    const model = new LogModel()
    model.add([entry(0, '\u001b[3'), entry(1, '1mred\n'), entry(2, 'still red\n'), entry(3, '\u001b[0mplain\n')])
    expect(model.style(1)).toMatchObject({ fg: 1 })
    expect(viewLine(model, 1, false, []).parts).toEqual([{ text: 'still red', look: { color: 'var(--ansi-text-1)' } }])
    expect(viewLine(model, 2, false, []).parts).toEqual([{ text: 'plain' }])
  })
})

describe('order and repetition', () => {
  test('late, repeated and missing entries', () => {
    const model = new LogModel()
    model.add([entry(0, '+ x\n'), entry(1, 'one\n'), entry(4, 'four\n')])
    expect(model.missing).toBe(2)
    model.add([entry(1, 'again\n'), entry(3, 'three\n'), entry(4, 'again\n'), entry(5, 'five\n')])
    expect(textOf(model)).toEqual(['+ x', 'one', 'three', 'four', 'five'])
    expect(model.missing).toBe(1)
    model.add([entry(2, 'two\n')])
    expect(textOf(model)).toEqual(['+ x', 'one', 'two', 'three', 'four', 'five'])
    expect(model.missing).toBe(0)
  })

  test('any order gives the same text', () => {
    const all = Array.from({ length: 200 }, (_, pos) => entry(pos, pos % 3 === 0 ? `chunk ${pos} ` : `line ${pos}\n`))
    const expected = all.map((line) => line.out).join('')
    for (let seed = 1; seed <= 20; seed++) {
      let state = seed
      const next = () => (state = (state * 48271) % 2147483647) / 2147483647
      const shuffled = [...all, ...all.filter(() => next() < 0.2)]
        .map((line) => ({ line, at: line.pos + next() * 30 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ line }) => line)
      const model = new LogModel()
      while (shuffled.length > 0) model.add(shuffled.splice(0, 1 + Math.floor(next() * 9)))
      expect(rawOf(model)).toBe(expected)
      expect(textOf(model).join('\n') + '\n').toBe(`${expected}${expected.endsWith('\n') ? '' : '\n'}`)
    }
  })
})

test('more than one block of text', () => {
  const model = new LogModel()
  const line = `${'x'.repeat(999)}\n`
  for (let pos = 0; pos < 3000; pos += 100) model.add(Array.from({ length: 100 }, (_, i) => entry(pos + i, line)))
  expect(model.bytes).toBe(3_000_000)
  expect(model.text(1048)).toBe('x'.repeat(999))
  expect(model.lines).toBe(3000)
})
