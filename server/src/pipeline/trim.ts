/** `${v#pattern}` and its relatives: `*` stands for any text, `?` for one character, as in a shell. */

/** Only so much of a pattern counts, and only so much of a value is tried against it. */
const longestPattern = 200
const longestTried = 1_000

const isPlain = (pattern: string): boolean => !/[*?]/.test(pattern)

/** What a trim costs at most, in characters that a plain search would look at. */
export const trimSteps = (value: string, pattern: string): number =>
  isPlain(pattern) ? 1 : 4 * Math.min(value.length, longestTried) * Math.min(pattern.length, longestPattern)

/** How much of the beginning of `text` the pattern matches; 0 if it matches nothing. One walk tells all lengths. */
const matched = (text: readonly string[], pattern: readonly string[], longest: boolean): number => {
  const open = (positions: Set<number>): Set<number> => {
    for (const position of positions) if (pattern[position] === '*') positions.add(position + 1)
    return positions
  }
  let reached = open(new Set([0]))
  let length = 0
  for (let tried = 0; ; tried += 1) {
    if (reached.has(pattern.length)) {
      length = tried
      if (!longest) return length
    }
    const char = text[tried]
    if (char === undefined || reached.size === 0) return length
    const next = new Set<number>()
    for (const position of reached) {
      if (pattern[position] === '*') next.add(position)
      else if (pattern[position] === '?' || pattern[position] === char) next.add(position + 1)
    }
    reached = open(next)
  }
}

export const trimPrefix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  const text = [...value]
  const length = matched(text.slice(0, longestTried), Array.from(pattern.slice(0, longestPattern)), longest)
  return text.slice(length).join('')
}

export const trimSuffix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value
  const text = [...value]
  const backwards = text.slice(-longestTried).toReversed()
  const length = matched(backwards, Array.from(pattern.slice(0, longestPattern)).toReversed(), longest)
  return text.slice(0, text.length - length).join('')
}
