import type { Line } from '@flightdeck/api'
import { describe, expect, test } from 'vitest'
import { LogModel } from './model.ts'
import { viewLine } from './view.ts'

const entry = (pos: number, out: string, time = 0): Line => ({ pos, out, time })
const textOf = (model: LogModel) => Array.from({ length: model.lines }, (_, line) => model.text(line))
const rawOf = (model: LogModel) => new TextDecoder().decode(Buffer.concat(model.raw(0, model.lines)))

describe('entries become lines', () => {
  test('chunks are joined, and a chunk can have several lines', () => {
    const model = new LogModel()
    model.add([entry(0, '+ make\n'), entry(1, 'hel'), entry(2, 'lo\nwor', 4), entry(3, ''), entry(4, 'ld\n\nend', 9)])
    expect(textOf(model)).toEqual(['+ make', 'hello', 'world', '', 'end'])
    expect([0, 1, 2, 3, 4].map((line) => model.numberOf(line))).toEqual([1, 2, 3, 4, 5])
    expect(model.time(4)).toBe(9)
    expect(rawOf(model)).toBe('+ make\nhello\nworld\n\nend')
  })

  test('a log without any line end has one line per entry, until a line end arrives', () => {
    const model = new LogModel()
    model.add([entry(0, 'one'), entry(1, 'two')])
    expect(textOf(model)).toEqual(['one', 'two'])
    expect(rawOf(model)).toBe('one\ntwo')
    model.add([entry(2, '!\n'), entry(3, 'three')])
    expect(textOf(model)).toEqual(['onetwo!', 'three'])
    expect(model.rewritten).toBe(true)
  })

  test('a truncated start keeps its numbers', () => {
    const model = new LogModel()
    model.add([entry(700, 'a\n'), entry(701, 'b\n')])
    expect(model.firstPosition).toBe(700)
    expect(model.missing).toBe(0)
    expect(viewLine(model, 1, false, []).number).toBe(702)
    expect([3, 701, 702, 703].map((number) => model.lineNumbered(number))).toEqual([0, 0, 1, 1])
  })

  test('characters of several bytes', () => {
    const model = new LogModel()
    model.add([entry(0, 'ä€😀\n'), entry(1, 'x\n')])
    expect(textOf(model)).toEqual(['ä€😀', 'x'])
  })

  test('the style of a line continues in the next', () => {
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

describe('the properties of a line', () => {
  test('its original length, with its line end', () => {
    const model = new LogModel()
    model.add([entry(0, 'ä\n'), entry(1, '\n'), entry(2, 'ab')])
    expect([0, 1, 2].map((line) => model.lengthInBytes(line))).toEqual([3, 1, 2])
    expect([0, 1, 2].map((line) => [...model.bytesOf(line)])).toEqual([[0xc3, 0xa4], [], [0x61, 0x62]])
  })

  test('the entry in which it starts, also with characters of several bytes', () => {
    const model = new LogModel()
    model.add([entry(2, 'ä', 1), entry(3, 'b\nc€', 2), entry(5, '😀\n', 3), entry(6, 'é\nf\n', 4)])
    expect(textOf(model)).toEqual(['äb', 'c€😀', 'é', 'f'])
    expect([0, 1, 2, 3].map((line) => model.time(line))).toEqual([1, 2, 4, 4])
    expect([model.entries, model.lines, model.missing, model.firstPosition]).toEqual([4, 4, 1, 2])
  })

  test('its number, without gaps, and the line of a number', () => {
    const model = new LogModel()
    expect([0, 1, 2].map((number) => model.lineNumbered(number))).toEqual([0, 0, 0])
    model.add([entry(0, ''), entry(1, 'a'), entry(2, 'b\nc'), entry(3, ''), entry(4, 'd\n'), entry(8, 'e\nf\n')])
    expect(textOf(model)).toEqual(['ab', 'cd', 'e', 'f'])
    expect([0, 1, 2, 3].map((line) => model.numberOf(line))).toEqual([1, 2, 3, 4])
    expect([0, 1, 2, 3, 4, 5].map((number) => model.lineNumbered(number))).toEqual([0, 0, 1, 2, 3, 3])
  })

  test('a part of the text', () => {
    const read = (model: LogModel, from: number, to: number) =>
      new TextDecoder().decode(Buffer.concat(model.raw(from, to)))
    const model = new LogModel()
    model.add([entry(0, 'one'), entry(1, 'two'), entry(2, 'three')])
    expect([read(model, 0, 2), read(model, 1, 9), read(model, 1, 2)]).toEqual(['one\ntwo', 'two\nthree', 'two'])
    model.add([entry(3, '\n'), entry(4, 'four\nfive')])
    expect([read(model, 0, 1), read(model, 1, 2), read(model, 1, 3), read(model, 2, 9)]).toEqual([
      'onetwothree\n',
      'four\n',
      'four\nfive',
      'five',
    ])
  })
})

describe('later entries', () => {
  test('growth does not change existing lines, a late entry does, a repeated one does not', () => {
    const model = new LogModel()
    model.add([entry(0, 'a\n'), entry(3, 'd\n')])
    model.rewritten = false
    model.add([])
    model.add([entry(4, 'e\n')])
    model.add([entry(0, 'again\n'), entry(4, 'again\n')])
    model.add([entry(4, 'again\n'), entry(5, 'f\n'), entry(5, 'again\n')])
    expect([model.rewritten, textOf(model)]).toEqual([false, ['a', 'd', 'e', 'f']])
    model.add([entry(1, 'b\n')])
    expect([model.rewritten, model.missing, textOf(model)]).toEqual([true, 1, ['a', 'b', 'd', 'e', 'f']])
  })

  test('missing entries are also known after a truncated start', () => {
    const model = new LogModel()
    model.add([entry(700, 'a\n'), entry(702, 'c\n'), entry(706, 'g\n')])
    expect(model.missing).toBe(4)
    model.add([entry(704, 'e\n')])
    expect([model.missing, model.firstPosition, textOf(model)]).toEqual([3, 700, ['a', 'c', 'e', 'g']])
  })

  test('an entry before the first, in an incomplete line', () => {
    const model = new LogModel()
    model.add([entry(5, 'é', 50), entry(6, '!\nend', 60)])
    model.add([entry(3, 'x\n+ ', 30)])
    expect(textOf(model)).toEqual(['x', '+ é!', 'end'])
    expect([model.firstPosition, model.missing, model.bytes]).toEqual([3, 1, 11])
    expect([0, 1, 2].map((line) => [model.numberOf(line), model.time(line)])).toEqual([
      [4, 30],
      [5, 30],
      [6, 60],
    ])
    expect([...model.groupStarts()]).toEqual([1])
  })

  test('commands are counted again after a late entry', () => {
    const model = new LogModel()
    model.add([entry(0, '+ a\n', 1), entry(2, '+ c\n', 4), entry(3, 'out\n', 6)])
    model.add([entry(1, 'late\n', 2)])
    expect([...model.groupStarts()]).toEqual([0, 2])
    expect(model.groupAt(0)).toEqual({ end: 2, last: false, seconds: 3 })
    expect(model.groupAt(2)).toEqual({ end: 4, last: true, seconds: 2 })
    expect([model.groupAt(1), model.groupAt(3), model.groupAt(9)]).toEqual([undefined, undefined, undefined])
  })

  test('a clock that is set back causes no negative durations', () => {
    const model = new LogModel()
    model.add([entry(0, '+ a\n', 9), entry(1, '+ b\n', 4), entry(2, 'out\n', 3)])
    expect([model.groupAt(0)?.seconds, model.groupAt(1)?.seconds]).toEqual([0, 0])
  })

  test('a command starts only at the start of a line, wherever chunks end', () => {
    const model = new LogModel()
    model.add([entry(0, 'x\na '), entry(1, '+ no\n'), entry(2, 'b ')])
    model.add([entry(3, '+ no\n')])
    model.add([entry(4, '+ yes\n+ yes\n')])
    expect(textOf(model)).toEqual(['x', 'a + no', 'b + no', '+ yes', '+ yes'])
    expect([...model.groupStarts()]).toEqual([3, 4])
  })

  test('entries without line ends are lines until one comes, then parts of lines', () => {
    const model = new LogModel()
    model.add([entry(0, '+ a'), entry(1, '+ b')])
    expect([textOf(model), ...model.groupStarts()]).toEqual([['+ a', '+ b'], 0, 1])
    model.add([entry(2, '+ c')])
    expect(textOf(model)).toEqual(['+ a', '+ b', '+ c'])
    model.add([entry(3, '\n')])
    expect([textOf(model), ...model.groupStarts()]).toEqual([['+ a+ b+ c'], 0])
  })
})

describe('the style at the start of a line', () => {
  const styles = (model: LogModel) => Array.from({ length: model.lines }, (_, line) => model.style(line))
  const plain = { fg: -1, bg: -1, flags: 0 }

  test('continues across lines and chunks, and is restored', () => {
    const model = new LogModel()
    model.add([entry(0, '\u001b[31mred\n'), entry(1, 'red\n')])
    model.add([entry(2, 'red\u001b[1m\n'), entry(3, 'bold\u001b[44m\n')])
    model.add([entry(4, 'on blue\u001b[0;31m\n'), entry(5, 'red\u001b[m\n'), entry(6, 'plain\n'), entry(7, 'plain')])
    const redStyle = { ...plain, fg: 1 }
    expect(styles(model)).toEqual([
      plain,
      redStyle,
      redStyle,
      { ...redStyle, flags: 1 },
      { fg: 1, bg: 4, flags: 1 },
      redStyle,
      plain,
      plain,
    ])
  })

  test('is found if the sequence arrived in several chunks', () => {
    const model = new LogModel()
    for (const [pos, out] of ['a\n', '\u001b', '[3', '2m', 'x', '\n', 'green\n', 'é\n', 'green'].entries())
      model.add([entry(pos, out)])
    expect(textOf(model)).toEqual(['a', '\u001b[32mx', 'green', 'é', 'green'])
    expect(styles(model).map(({ fg }) => fg)).toEqual([-1, -1, 2, 2, 2])
  })

  test('changes after a late entry, and after an entry that was removed and appended again', () => {
    const model = new LogModel()
    model.add([entry(0, 'a\n'), entry(2, 'c\u001b[1m\n'), entry(3, 'd\n')])
    model.add([entry(1, '\u001b[31mb\n')])
    expect(styles(model)).toEqual([plain, plain, { ...plain, fg: 1 }, { ...plain, fg: 1, flags: 1 }])
    const open = new LogModel()
    open.add([entry(0, '\u001b[33mx'), entry(2, '\ny\n')])
    open.add([entry(1, '!')])
    expect([textOf(open), styles(open)]).toEqual([
      ['\u001b[33mx!', 'y'],
      [plain, { ...plain, fg: 3 }],
    ])
  })
})

describe('times', () => {
  const at = (model: LogModel) =>
    Array.from({ length: model.lines }, (_, line) => [model.time(line), model.tenth(line)])

  test('keep tenths if the server sends them, also for late entries', () => {
    const model = new LogModel()
    model.add([
      { pos: 0, out: 'a\n', time: 0, tenth: 0, began: 1_700_000_000_400 },
      { pos: 3, out: 'd\n', time: 700_000, tenth: 9 },
    ])
    model.add([
      { pos: 1, out: 'b\n', time: 3 },
      { pos: 2, out: 'c\n', time: 4, tenth: 2 },
    ])
    expect(at(model)).toEqual([
      [0, 0],
      [3, undefined],
      [4, 2],
      [700_000, 9],
    ])
    expect(model.began).toBe(1_700_000_000_400)
  })
})
