import type { Plugin } from 'vite'

type Attributes = Readonly<Record<string, string>>
export type Part = readonly [tag: string, attributes: Attributes]

const number = /[-+]?(?:\d+\.?\d*|\.\d+)/.source
/** `m 1 2 3 4` at the head of a path: behind another one it would be relative to that one's end, and its further pairs are lines. */
const relativeHead = new RegExp(`^m\\s*(${number})[\\s,]*(${number})[\\s,]*(?=([-+.\\d])?)`)

const absolute = (d: string): string =>
  d.replace(relativeHead, (_, x: string, y: string, more?: string) => `M${x} ${y}${more ? 'l' : ''}`)

/** Numbers after a letter of a path, without what floating point adds to sums. */
const to = (letter: string, ...numbers: readonly number[]): string =>
  `${letter}${numbers.map((value) => Math.round(value * 1000) / 1000).join(' ')}`

/** A quarter or half of an ellipse, to a place relative to where the path is. */
const arc = (rx: number, ry: number, x: number, y: number): string => to('a', rx, ry, 0, 0, 1, x, y)

const ellipse = (cx: number, cy: number, rx: number, ry: number): string =>
  `${to('M', cx - rx, cy)}${arc(rx, ry, 2 * rx, 0)}${arc(rx, ry, -2 * rx, 0)}z`

function rectangle(of: (name: string) => number): string {
  const [width, height] = [of('width'), of('height')]
  // One radius stands for both (SVG 2, "The rect element").
  const [rx, ry] = [of('rx') || of('ry'), of('ry') || of('rx')]
  const [across, down] = [width - 2 * rx, height - 2 * ry]
  const corners = [
    [across, 0, rx, ry],
    [0, down, -rx, ry],
    [-across, 0, -rx, -ry],
    [0, -down, rx, -ry],
  ] as const
  const sides = corners.map(([x, y, endX, endY]) => to('l', x, y) + (rx === 0 ? '' : arc(rx, ry, endX, endY)))
  return `${to('M', of('x') + rx, of('y'))}${sides.join('')}z`
}

const shapes: Readonly<Record<string, readonly [names: string, draw: (of: (name: string) => number) => string]>> = {
  circle: ['cx cy r', (of) => ellipse(of('cx'), of('cy'), of('r'), of('r'))],
  ellipse: ['cx cy rx ry', (of) => ellipse(of('cx'), of('cy'), of('rx'), of('ry'))],
  line: ['x1 y1 x2 y2', (of) => to('M', of('x1'), of('y1')) + to('L', of('x2'), of('y2'))],
  rect: ['x y width height rx ry', rectangle],
}

/** The data of a path that draws the same; nothing if the part is more than its shape (a fill of its own, say). */
function dataOf([tag, attributes]: Part): string | undefined {
  const names = Object.keys(attributes).filter((name) => name !== 'key')
  if (tag === 'path') return names.join() === 'd' ? absolute(attributes.d ?? '') : undefined
  const [known = '', draw] = shapes[tag] ?? []
  if (!draw || names.some((name) => !known.split(' ').includes(name))) return undefined
  return draw((name) => Number(attributes[name] ?? 0))
}

/** The parts of a drawing as the data of one path; nothing where they cannot be one. */
export function onePath(parts: readonly Part[]): string | undefined {
  const data = parts.map(dataOf)
  return data.includes(undefined) ? undefined : data.join('')
}

/** The parts as they stand in a file of lucide-react: arrays and objects of strings. */
const partsIn = /\bnode: (\[[\s\S]*?\n {2}\])/

/**
 * Draws each of Lucide's icons with one path: a page has dozens of them, of up to six parts each, all with the same line. What
 * cannot be one path, or is not written in the form that we know, stays as it is.
 */
export const iconsPlugin: Plugin = {
  name: 'flightdeck-icons',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/lucide-react/dist/esm/icons/')) return
    const [, text] = partsIn.exec(code) ?? []
    if (text === undefined) return
    const strict = text.replaceAll(/(\w+): "/g, '"$1": "')
    const d = onePath(JSON.parse(strict) as Part[])
    if (d === undefined) return
    return { code: code.replace(text, () => JSON.stringify([['path', { d }]])), map: null }
  },
}
