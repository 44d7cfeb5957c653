import { expect, it } from 'vitest'
import { createRowReader } from './row-reader.ts'

const linesOf = (text: string, piece: number): string[] => {
  const found: string[] = []
  const reader = createRowReader((out) => found.push(out.replace(/\r?\n$/, '')))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece))
  return found
}
const texts = ['plain', 'a "quoted" \\ one', '{ braces } [ too ]', 'grün ✓', '', 'tab\tand more']
const rows = texts.map((out, pos) => ({ pos, out: `${out}\n`, time: 0 }))

it.each([1, 2, 7, 1000])('finds the lines however they are laid out, in pieces of %i bytes', (piece) => {
  const ours = `[${rows.map((row) => JSON.stringify(row)).join('\n,')}]`
  for (const text of [ours, JSON.stringify(rows), JSON.stringify(rows, undefined, 4)])
    expect(linesOf(text, piece)).toEqual(texts)
})

it('passes over what is no row, and what is endless', () => {
  const text = `[{"pos":0,"out":7},{"out":"${'x'.repeat(2 ** 20)}"},{"pos":1},{not json},{"out":"good\\r\\n"}`
  expect(linesOf(text, 4096)).toEqual(['good'])
  expect(linesOf('null', 1)).toEqual([])
})
