/**
 * Bounds for texts that are stored and shown; what a name may look like beyond that is its route's
 * affair.
 */
import { Refusal } from '../lib/refusal.ts'

/** At most so many characters on one line; refused with the words of `fault`. */
export function checkText(text: string | undefined, fault: string, maxLength = 250): void {
  if (text !== undefined && (text.length > maxLength || /\p{Cc}/u.test(text))) throw new Refusal(400, fault)
}
