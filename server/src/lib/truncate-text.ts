/**
 * Texts of strangers are cut where they enter, at the limits that docs/limits.md lists
 * (characters).
 */
export const textLimits = {
  /** Names and addresses of people. */
  person: 250,
  /** What is shown of a commit's message. */
  message: 50_000,
  /** Maximum bytes of a path in a repository; Linux allows no longer ones. */
  path: 4_096,
  /** A longer ref starts no build. */
  ref: 1_000,
} as const

/**
 * At most `max` characters, always as a copy: a substring, as from `slice` and `split`, keeps the
 * whole text in memory. A character that is cut in two is dropped.
 */
export function cutText(text: string, max: number): string {
  const decoded = Buffer.from(text.slice(0, max)).toString('utf8')
  return text.length > max ? decoded.replace(/\uFFFD$/, '') : decoded
}
