/** The colors of xterm: its cube and gray ramp are public tables. */
import { describe, expect, test } from 'vitest'
import { lookOf } from './palette.ts'
import { defaultColour, flag, plainStyle, trueColour, type Style } from './style.ts'

const lookFor = (style: Partial<Style>) => lookOf({ ...plainStyle, ...style })

describe('colours', () => {
  test.each([
    [0, 'var(--ansi-text-0)'],
    [15, 'var(--ansi-text-15)'],
    [16, '#000000'],
    [17, '#00005f'],
    [21, '#0000ff'],
    [22, '#005f00'],
    [52, '#5f0000'],
    [67, '#5f87af'],
    [196, '#ff0000'],
    [214, '#ffaf00'],
    [231, '#ffffff'],
    [232, '#080808'],
    [244, '#808080'],
    [255, '#eeeeee'],
    [trueColour, '#000000'],
    [trueColour + 0x0a0b0c, '#0a0b0c'],
    [trueColour + 0xffffff, '#ffffff'],
  ])('%i is %s', (fg, color) => expect(lookFor({ fg })).toEqual({ color }))

  test.each([
    [1, 'var(--ansi-solid-1)', 15],
    [3, 'var(--ansi-solid-3)', 0],
    [8, 'var(--ansi-solid-8)', 15],
    [15, 'var(--ansi-solid-15)', 0],
    [16, '#000000', 15],
    [231, '#ffffff', 0],
    [21, '#0000ff', 15],
    [46, '#00ff00', 0],
    [196, '#ff0000', 15],
    [244, '#808080', 15],
    [245, '#8a8a8a', 0],
    [trueColour + 0xffff00, '#ffff00', 0],
    [trueColour + 0x0000ff, '#0000ff', 15],
    [trueColour + 0x7f7f7f, '#7f7f7f', 15],
    [trueColour + 0x818181, '#818181', 0],
    [trueColour, '#000000', 15],
    [trueColour + 0x7f7fff, '#7f7fff', 0],
  ])('the ground %i is %s, with ink %i that can be read', (bg, backgroundColor, ink) => {
    expect(lookFor({ bg })).toEqual({ backgroundColor, color: `var(--ansi-solid-${ink})` })
  })

  test('a pair of colors stays unchanged', () => {
    expect(lookFor({ fg: 2, bg: 4 })).toEqual({ color: 'var(--ansi-solid-2)', backgroundColor: 'var(--ansi-solid-4)' })
  })
  test('inverse swaps text and background', () => {
    const flags = flag.inverse
    expect(lookFor({ flags })).toEqual({ color: 'var(--console)', backgroundColor: 'var(--console-ink)' })
    expect(lookFor({ flags, fg: 2 })).toEqual({ color: 'var(--ansi-solid-15)', backgroundColor: 'var(--ansi-solid-2)' })
    expect(lookFor({ flags, bg: 2 })).toEqual({ color: 'var(--ansi-solid-2)', backgroundColor: 'var(--console-ink)' })
    expect(lookFor({ flags, fg: 2, bg: 4 })).toEqual({
      color: 'var(--ansi-solid-4)',
      backgroundColor: 'var(--ansi-solid-2)',
    })
  })
})

test.each([
  [0, {}],
  [flag.bold, { fontWeight: 600 }],
  [flag.dim, { opacity: 0.75 }],
  [flag.italic, { fontStyle: 'italic' }],
  [flag.underline, { textDecorationLine: 'underline' }],
  [flag.strike, { textDecorationLine: 'line-through' }],
  [flag.underline + flag.strike, { textDecorationLine: 'underline line-through' }],
  [flag.hidden, { visibility: 'hidden' }],
  [flag.bold + flag.dim, { fontWeight: 600, opacity: 0.75 }],
])('flags %i look like %j', (flags, expected) => {
  expect(lookFor({ flags, fg: defaultColour })).toEqual(expected)
})
