/**
 * `${v#pattern}` and its relatives: `*` matches any text, `?` one character, `[a-c]` one of a set,
 * as in a shell.
 */
import { readSet } from './glob.ts'

/** Maximum characters of a pattern that are used, and of a value that are matched. */
const maxPatternLength = 200
const maxValueLength = 1_000

type Token = '*' | ((char: string) => boolean)

/**
 * Sets work only when trimming a prefix: Drone reads a suffix pattern backwards, so its sets have
 * no effect.
 */
const isPlain = (pattern: string): boolean => !/[*?[\\]/.test(pattern)

/** `null` if the pattern is invalid; then nothing is trimmed. */
const tokensOf = (pattern: readonly string[], hasSets: boolean): Token[] | null => {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at]
    if (char === '*') tokens.push('*')
    else if (char === '?') tokens.push(() => true)
    else if (char === '[' && hasSets) {
      // Drone treats `!` as a literal character here (envsubst's path.Match).
      const set = readSet(pattern, at, '^')
      if (!set) return null
      tokens.push(set.test)
      at = set.next - 1
    } else {
      if (char === '\\' && hasSets) at += 1
      const plain = pattern[at]
      if (plain === undefined) return null
      tokens.push((other) => other === plain)
    }
  }
  return tokens
}

/** The maximum cost of a trim, in characters that a plain search would process. */
export const trimSteps = (value: string, pattern: string): number =>
  isPlain(pattern) ? 1 : 4 * Math.min(value.length, maxValueLength) * Math.min(pattern.length, maxPatternLength)

/**
 * The length of the prefix of `text` that the pattern matches; 0 if none. One pass finds all
 * lengths.
 */
const matched = (text: readonly string[], pattern: readonly Token[], longest: boolean): number => {
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
      const token = pattern[position]
      if (token === '*') next.add(position)
      else if (token?.(char)) next.add(position + 1)
    }
    reached = open(next)
  }
}

export const trimPrefix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  const text = [...value]
  const tokens = tokensOf(Array.from(pattern.slice(0, maxPatternLength)), true)
  const length = tokens === null ? 0 : matched(text.slice(0, maxValueLength), tokens, longest)
  return text.slice(length).join('')
}

export const trimSuffix = (value: string, pattern: string, longest: boolean): string => {
  if (isPlain(pattern)) return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value
  const text = [...value]
  const backwards = text.slice(-maxValueLength).toReversed()
  const tokens = tokensOf(Array.from(pattern.slice(0, maxPatternLength)).toReversed(), false) ?? []
  const length = matched(backwards, tokens, longest)
  return text.slice(0, text.length - length).join('')
}
