/**
 * The style of text: the state that SGR sequences change (ECMA-48 §8.3.117, ITU-T T.416 for
 * colors).
 */

/** `-1`: default; `0`–`255`: the palette; from `trueColour` on: 24-bit red, green, blue. */
export type Colour = number

export const defaultColour: Colour = -1
export const trueColour: Colour = 0x1000000

export const flag = { bold: 1, dim: 2, italic: 4, underline: 8, strike: 16, inverse: 32, hidden: 64 } as const

export interface Style {
  readonly fg: Colour
  readonly bg: Colour
  /** A sum of `flag` values. */
  readonly flags: number
}

export const plainStyle: Style = { fg: defaultColour, bg: defaultColour, flags: 0 }

export const sameStyle = (a: Style, b: Style): boolean => a.fg === b.fg && a.bg === b.bg && a.flags === b.flags

const rgb = (red: number, green: number, blue: number): Colour =>
  trueColour + (Math.min(red, 255) << 16) + (Math.min(green, 255) << 8) + Math.min(blue, 255)

interface Extended {
  colour: Colour | undefined
  /** The number of used values. */
  used: number
}

/** What follows 38 or 48: `5;n` or `2;r;g;b`. An incomplete one changes nothing. */
const extended = (values: readonly number[], at: number): Extended => {
  const [kind, a = 0, b = 0, c = 0] = values.slice(at, at + 4)
  if (kind === 5) return { colour: values.length > at + 1 && a < 256 ? a : undefined, used: 2 }
  if (kind === 2) return { colour: values.length > at + 3 ? rgb(a, b, c) : undefined, used: 4 }
  return { colour: undefined, used: 1 }
}

/** The form with colons: `38:5:n`, `38:2:r:g:b`, or with a color space `38:2::r:g:b`. */
const extendedColon = (parts: readonly number[]): Colour | undefined =>
  extended(parts[1] === 2 && parts.length > 5 ? [2, ...parts.slice(3)] : parts.slice(1), 0).colour

const setFlag: Readonly<Record<number, number>> = {
  1: flag.bold,
  2: flag.dim,
  3: flag.italic,
  4: flag.underline,
  7: flag.inverse,
  8: flag.hidden,
  9: flag.strike,
  21: flag.underline,
}
const clearFlag: Readonly<Record<number, number>> = {
  22: flag.bold | flag.dim,
  23: flag.italic,
  24: flag.underline,
  27: flag.inverse,
  28: flag.hidden,
  29: flag.strike,
}

const simple = (style: Style, code: number): Style => {
  if (code === 0) return plainStyle
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 }
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 }
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 }
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 }
  if (code === 39) return { ...style, fg: defaultColour }
  if (code === 49) return { ...style, bg: defaultColour }
  const set = setFlag[code]
  if (set !== undefined) return { ...style, flags: style.flags | set }
  const clear = clearFlag[code]
  return clear === undefined ? style : { ...style, flags: style.flags & ~clear }
}

const withColons = (style: Style, part: string): Style => {
  const parts = part.split(':').map(Number)
  const [code] = parts
  if (code === 4) return simple(style, parts[1] === 0 ? 24 : 4)
  const colour = code === 38 || code === 48 ? extendedColon(parts) : undefined
  if (colour === undefined) return style
  return code === 38 ? { ...style, fg: colour } : { ...style, bg: colour }
}

/** The style after `ESC [ parameters m`. Unknown values change nothing. */
export const applySgr = (before: Style, parameters: string): Style => {
  if (parameters === '' || parameters === '0') return plainStyle
  const parts = parameters.split(';')
  const values = parts.map(Number)
  let style = before
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const code = values[i] ?? 0
    if (part.includes(':')) style = withColons(style, part)
    else if (code === 38 || code === 48 || code === 58) {
      // 58 sets the underline color, which is not shown; its values are skipped so that they are
      // not parsed as codes.
      const { colour, used } = extended(values, i + 1)
      if (colour !== undefined && code !== 58) style = code === 38 ? { ...style, fg: colour } : { ...style, bg: colour }
      i += used
    } else style = simple(style, code)
  }
  return style
}
