import Anser from 'anser'
import { describe, expect, test } from 'vitest'
import { corpus, type Stretch } from '../../testing/ansi-corpus.ts'
import { parseLine, plainText, styleAfter } from './line.ts'
import type { Segment } from './segment.ts'
import { defaultColour, flag, plainStyle, trueColour, type Style } from './style.ts'

const colourWords = (colour: number): string =>
  colour >= trueColour ? `#${colour.toString(16).slice(-6)}` : String(colour)

const wordsOf = ({ fg, bg, flags }: Style): string => {
  const words = Object.entries(flag).flatMap(([name, value]) => (flags & value ? [name] : []))
  if (fg !== defaultColour) words.push(colourWords(fg))
  return [...words.toSorted(), ...(bg === defaultColour ? [] : [`on ${colourWords(bg)}`])].join(' ')
}
const sortedWords = (style: string): string => {
  const [own = '', ground] = style.split(/(?:^| )on /)
  return [...own.split(' ').filter(Boolean).toSorted(), ...(ground === undefined ? [] : [`on ${ground}`])].join(' ')
}

/** One entry per character: how the text is split into segments does not matter. */
const cells = (stretches: readonly Stretch[]): string[] =>
  stretches.flatMap(([text, look = '', href = '']) =>
    Array.from(text, (char) => `${char} ${sortedWords(look)} ${href}`),
  )
const stretchOf = ({ text, style, href }: Segment): Stretch => [text, wordsOf(style), href ?? '']

describe('the corpus', () => {
  test.each(corpus)('$name', ({ input, expected }) => {
    let style = plainStyle
    const shown = input.map((line) => {
      const parsed = parseLine(line, style)
      expect(styleAfter(line, style)).toEqual(parsed.style)
      style = parsed.style
      expect(plainText(line)).toBe(parsed.segments.map((segment) => segment.text).join(''))
      return cells(parsed.segments.map(stretchOf))
    })
    expect(shown).toEqual(expected.map(cells))
  })
})

/** Whether Anser supports the line: it knows no cursor movement, colons or links. */
const isForAnser = (line: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are the subject
  !/[\u0000-\u0008\u000b-\u001a\u007f-\u009f]|\u001b[^[]|\u001b\[[0-9;]*[^0-9;m]|\d:|\u001b$|\u001b\[[0-9;]*$|58|999/.test(
    line,
  )

test('Anser reads the same text', () => {
  const lines = corpus.flatMap((sample) => sample.input).filter(isForAnser)
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect(plainText(line)).toBe(Anser.ansiToText(line))
})
