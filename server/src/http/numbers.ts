/** Numbers in paths and parameters, refused in the words that clients know from Go (docs/api §2.0). */
import { Refusal } from '../refusal.ts'

const quoted = (text: string) => JSON.stringify(text)

function parse(text: string, parser: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new Refusal(400, `strconv.${parser}: parsing ${quoted(text)}: invalid syntax`)
  const number = Number(text)
  if (!Number.isSafeInteger(number)) {
    throw new Refusal(400, `strconv.${parser}: parsing ${quoted(text)}: value out of range`)
  }
  return number
}

export const buildNumber = (text: string): number => parse(text, 'ParseInt')
export const stageOrStepNumber = (text: string): number => parse(text, 'Atoi')

/** A page: 1 for anything that is none. */
export function pageNumber(text: string | null): number {
  const number = Number(text ?? '')
  // Beyond the end all pages are the same; SQLite wants the product of page and size to be a number that it can hold.
  return Number.isSafeInteger(number) && number > 1 ? Math.min(number, 1_000_000_000) : 1
}

/** A page's size: `fallback` for anything that is none or beyond `most`. */
export function pageSize(text: string | null, most: number, fallback = 25): number {
  const number = Number(text ?? '')
  return Number.isSafeInteger(number) && number >= 1 && number <= most ? number : fallback
}
