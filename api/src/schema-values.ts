/**
 * Values as the API writes them. A key that is omitted when empty (docs/api §1, the names with `?`)
 * must be absent or not empty: `present.…` rejects zero, `false`, `""`, `[]` and `{}`.
 */
import * as z from 'zod/mini'

export const whole = z.int()
/** Unix seconds, `0` = never. */
export const time = z.int().check(z.nonnegative())
export const strings = z.array(z.string())
export const stringMap = z.record(z.string(), z.string())

export const present = {
  number: z.optional(z.int().check(z.positive())),
  text: z.optional(z.string().check(z.minLength(1))),
  flag: z.optional(z.boolean().check(z.refine((value) => value, 'is left out when false'))),
  texts: z.optional(strings.check(z.minLength(1))),
  map: z.optional(stringMap.check(z.refine((value) => Object.keys(value).length > 0, 'is left out when empty'))),
}
