/** Times as texts. */

const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
const firstSecond = -62_167_219_200

/**
 * The time in RFC 3339; `null` if it cannot be expressed: years without four digits, or a value
 * that is not a number.
 */
export function rfc3339(seconds: number): string | null {
  if (!(seconds >= firstSecond && seconds <= lastSecond)) return null
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}
