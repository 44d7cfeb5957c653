/** Times as texts. */

const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
const firstSecond = -62_167_219_200

/** As RFC 3339 has it; `null` for what it cannot say: years of more or less than four digits, and what is no number. */
export function rfc3339(seconds: number): string | null {
  if (!(seconds >= firstSecond && seconds <= lastSecond)) return null
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}
