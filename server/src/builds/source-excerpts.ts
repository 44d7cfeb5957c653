/** Excerpts of a pipeline file around the lines of an error. Pure. */
import type { Excerpt } from '@flightdeck/api'

/** Context lines before and after. */
const around = 3
const maxExcerpts = 3
/** Pushers control these lines, so lists of errors shorten them. */
const maxLineLength = 200

const numbersIn = (error: string): number[] => {
  // Both texts come from `pipeline/yaml-text.ts`: lines count from the start of their document
  // unless the text says otherwise.
  const start = Number(/ \(in the document after line (\d+) of the file\)/.exec(error)?.[1] ?? 0)
  const found = [...error.matchAll(/\bline (\d+)( of the file)?:/g)].map(
    ([, number, isOfFile]) => Number(number) + (isOfFile ? 0 : start),
  )
  return [...new Set(found)].slice(0, maxExcerpts)
}

const shown = (text: string): string => {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line
}

/** Whether the error text names lines. */
export const namesLines = (error: string): boolean => numbersIn(error).length > 0

/**
 * One excerpt per line that the error names, or of the line where it was found; none if there is no
 * line, or the file lacks it.
 */
export const excerptsOf = (error: string, text: string, found: number | null = null): Excerpt[] => {
  const named = numbersIn(error)
  const numbers = named.length === 0 && found !== null ? [found] : named
  if (numbers.length === 0) return []
  const last = Math.max(...numbers) + around
  const lines = text.split('\n', last)
  if (lines.at(-1) === '') lines.pop()
  return numbers.flatMap((line) => {
    const from = Math.max(1, line - around)
    const some = lines.slice(from - 1, line + around)
    return some.length > line - from
      ? [{ line, lines: some.map((one, at) => ({ number: from + at, text: shown(one) })) }]
      : []
  })
}
