/**
 * The colors of a style as CSS. The sixteen named ones are design tokens, so that they have a
 * contrast of 4.5:1 on the console.
 */
import { defaultColour, flag, trueColour, type Colour, type Style } from './style.ts'

const cubeLevels = [0, 95, 135, 175, 215, 255] as const
const hex = (red: number, green: number, blue: number): string =>
  `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`

/** xterm's 6 × 6 × 6 cube and gray ramp; the first sixteen colors have names. */
const paletteHex = (index: number): string => {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return hex(grey, grey, grey)
  }
  const at = index - 16
  const level = (n: number): number => cubeLevels[n % 6] ?? 0
  return hex(level(Math.floor(at / 36)), level(Math.floor(at / 6)), level(at))
}

const css = (colour: Colour, kind: 'text' | 'solid'): string => {
  if (colour >= trueColour) return `#${colour.toString(16).slice(-6)}`
  return colour < 16 ? `var(--ansi-${kind}-${colour})` : paletteHex(colour)
}

export interface Look {
  color?: string
  backgroundColor?: string
  fontWeight?: number
  fontStyle?: 'italic'
  opacity?: number
  textDecorationLine?: string
  visibility?: 'hidden'
}

const decoration = (flags: number): string =>
  [flags & flag.underline ? 'underline' : '', flags & flag.strike ? 'line-through' : ''].filter(Boolean).join(' ')

/** The named background colors on which dark text is readable. */
const lightNamed = new Set([3, 7, 9, 10, 11, 12, 13, 14, 15])

const isLight = (colour: Colour): boolean => {
  if (colour < 16) return lightNamed.has(colour)
  const rgb = Number.parseInt(colour >= trueColour ? colour.toString(16).slice(-6) : paletteHex(colour).slice(1), 16)
  // Rec. 601 luma: good enough to choose between two text colors.
  return ((rgb >> 16) & 255) * 0.299 + ((rgb >> 8) & 255) * 0.587 + (rgb & 255) * 0.114 > 128
}

/** The CSS properties of a style; empty for the default style. */
export const lookOf = (style: Style): Look => {
  const inverse = (style.flags & flag.inverse) !== 0
  const fg = inverse ? style.bg : style.fg
  const bg = inverse ? style.fg : style.bg
  const look: Look = {}
  const filled = bg !== defaultColour || inverse
  if (filled) look.backgroundColor = bg === defaultColour ? 'var(--console-ink)' : css(bg, 'solid')
  if (fg !== defaultColour) look.color = css(fg, filled ? 'solid' : 'text')
  else if (inverse && bg === defaultColour) look.color = 'var(--console)'
  // The tool did not choose this pair: a light background gets dark text.
  else if (filled) look.color = isLight(bg) ? 'var(--ansi-solid-0)' : 'var(--ansi-solid-15)'
  if (style.flags & flag.bold) look.fontWeight = 600
  if (style.flags & flag.italic) look.fontStyle = 'italic'
  if (style.flags & flag.dim) look.opacity = 0.75
  if (style.flags & flag.hidden) look.visibility = 'hidden'
  const line = decoration(style.flags)
  if (line) look.textDecorationLine = line
  return look
}
