/** The lines of a pipeline file that an error is about, with their neighbours. Pure. */
import type { Excerpt } from '@flightdeck/api'

/** Lines before and after. */
const around = 3
const maxExcerpts = 3
/** Anyone with push access writes these lines: a list of errors keeps them short. */
const longestLine = 200

const numbersIn = (error: string): number[] => {
  // Both are our own words (`pipeline/yaml-text.ts`): lines count from the start of their document, unless they say so.
  const start = Number(/ \(in the document after line (\d+) of the file\)/.exec(error)?.[1] ?? 0)
  const found = [...error.matchAll(/\bline (\d+)( of the file)?:/g)].map(
    ([, number, isOfFile]) => Number(number) + (isOfFile ? 0 : start),
  )
  return [...new Set(found)].slice(0, maxExcerpts)
}

const shown = (text: string): string => {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}

/** Whether the error names its lines itself. */
export const namesLines = (error: string): boolean => numbersIn(error).length > 0

/**
 * Of each line that the error names, else of the one that it was found at; none where there is neither, or the file has no
 * such line.
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
