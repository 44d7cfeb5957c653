/** `${v#pattern}` and its relatives: `*` stands for any text, `?` for one character, as in a shell. */

const longestPattern = 200

const matcher = (pattern: string): ((text: string) => boolean) => {
  const escaped = pattern.slice(0, longestPattern)
  return (text) => {
    let reached = new Set([0])
    const open = (positions: Set<number>): Set<number> => {
      for (const position of positions) if (escaped[position] === '*') positions.add(position + 1)
      return positions
    }
    open(reached)
    for (const char of text) {
      const next = new Set<number>()
      for (const position of reached) {
        if (escaped[position] === '*') next.add(position)
        else if (escaped[position] === '?' || escaped[position] === char) next.add(position + 1)
      }
      reached = open(next)
      if (reached.size === 0) return false
    }
    return reached.has(escaped.length)
  }
}

const isPlain = (pattern: string): boolean => !/[*?]/.test(pattern)

/** Only so much of a value is tried against a pattern. */
const longestTried = 1_000

const lengths = (value: string, longest: boolean): number[] => {
  const all = Array.from({ length: Math.min(value.length, longestTried) + 1 }, (_, length) => length)
  return longest ? all.toReversed() : all
}

export const trimPrefix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  const matches = matcher(pattern)
  const length = lengths(value, longest).find((count) => matches(value.slice(0, count)))
  return value.slice(length ?? 0)
}

export const trimSuffix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value
  const matches = matcher(pattern)
  const length = lengths(value, longest).find((count) => matches(value.slice(value.length - count)))
  return value.slice(0, value.length - (length ?? 0))
}
