/**
 * Numbers in paths and parameters, refused in the words that clients know from Go (docs/api §2.0).
 */
import { Refusal } from '../lib/refusal.ts'

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

/** As Go's `Atoi` parses it: `null` for anything but a 64-bit number in digits. */
function plainInteger(text: string | null): number | null {
  if (text === null || !/^[+-]?\d{1,19}$/.test(text)) return null
  const number = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, number) === number ? Number(number) : null
}

/** A page: 1 for anything that is none. */
export function pageNumber(text: string | null): number {
  // Beyond the end all pages are empty; the product of page and size must fit into a number of
  // SQLite.
  return Math.max(1, Math.min(plainInteger(text) ?? 1, 1_000_000_000))
}

/** A page's size; `fallback` if it is not a number from 1 to `max`. */
export function pageSize(text: string | null, max: number, fallback = 25): number {
  const number = plainInteger(text)
  return number !== null && number >= 1 && number <= max ? number : fallback
}
