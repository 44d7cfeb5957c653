/**
 * The globs of conditions (docs/api §6.3): `*` and `?` stop at `/`, `**` works only as a whole path
 * segment, `{a,b}` and `[ab]` work, case matters, an invalid pattern matches nothing. Matching
 * takes at most time proportional to pattern × text, because patterns are untrusted.
 */

type Token =
  | { kind: 'char'; value: string }
  | { kind: 'any' }
  | { kind: 'star' }
  /** `**` and its slash match nothing or whole path segments. */
  | { kind: 'parts' }
  /** `**` at the end matches everything. */
  | { kind: 'rest' }
  | { kind: 'set'; test: (char: string) => boolean }

/** A pattern beyond these limits is invalid. */
const maxPatternChars = 1_000
const maxAlternatives = 64

/**
 * `[a-c]`, `[^ab]` and, if `negations` has the mark, `[!ab]`; `null` if it is unclosed or empty, or
 * has an unescaped `-` that is not between two characters.
 */
export const readSet = (
  pattern: readonly string[],
  start: number,
  negations = '^!',
): { test: (char: string) => boolean; next: number } | null => {
  let at = start + 1
  const negated = negations.includes(pattern[at] ?? ' ')
  if (negated) at += 1
  const readChar = (): string | undefined => {
    if (pattern[at] === '-' || pattern[at] === ']') return undefined
    if (pattern[at] === '\\') at += 1
    at += 1
    return pattern[at - 1]
  }
  const ranges: [string, string][] = []
  while (pattern[at] !== ']') {
    const low = readChar()
    const isRange = pattern[at] === '-'
    if (isRange) at += 1
    const high = isRange ? readChar() : low
    if (low === undefined || high === undefined) return null
    ranges.push([low, high])
  }
  if (ranges.length === 0) return null
  const inside = (char: string): boolean => ranges.some(([low, high]) => char >= low && char <= high)
  return { test: (char) => inside(char) !== negated, next: at + 1 }
}

/** The end of the braces that begin at `start`, and the positions of their commas. */
const readBraces = (pattern: string, start: number): { end: number; commas: number[] } | null => {
  const commas: number[] = []
  let depth = 0
  for (let at = start; at < pattern.length; at += 1) {
    const char = pattern[at]
    if (char === '\\') at += 1
    else if (char === '{') depth += 1
    else if (char === ',' && depth === 1) commas.push(at)
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return { end: at, commas }
    }
  }
  return null
}

const firstBrace = (pattern: string): number => {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1
    else if (pattern[at] === '{') return at
  }
  return -1
}

/** Expands the braces of a pattern; `null` if it is invalid or expands to too many. */
const expand = (pattern: string): string[] | null => {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const start = firstBrace(next)
    if (start < 0) {
      done.push(next)
    } else {
      const braces = readBraces(next, start)
      if (!braces) return null
      const bounds = [start, ...braces.commas, braces.end]
      for (let part = 0; part + 1 < bounds.length; part += 1) {
        const alternative = next.slice((bounds[part] ?? 0) + 1, bounds[part + 1])
        open.push(next.slice(0, start) + alternative + next.slice(braces.end + 1))
      }
    }
    if (open.length + done.length > maxAlternatives) return null
  }
  return done
}

const tokenize = (text: string): Token[] | null => {
  const pattern = [...text]
  const tokens: Token[] = []
  let at = 0
  for (let char = pattern[0]; char !== undefined; char = pattern[at]) {
    const begins = at === 0 || pattern[at - 1] === '/'
    if (begins && char === '*' && pattern[at + 1] === '*' && [undefined, '/'].includes(pattern[at + 2])) {
      tokens.push({ kind: at + 2 < pattern.length ? 'parts' : 'rest' })
      at += 3
    } else if (char === '[') {
      const set = readSet(pattern, at)
      if (!set) return null
      tokens.push({ kind: 'set', test: (one) => one !== '/' && set.test(one) })
      at = set.next
    } else if (char === '\\') {
      const value = pattern[at + 1]
      if (value === undefined) return null
      tokens.push({ kind: 'char', value })
      at += 2
    } else {
      tokens.push(char === '*' ? { kind: 'star' } : char === '?' ? { kind: 'any' } : { kind: 'char', value: char })
      at += 1
    }
  }
  return tokens
}

/** Reads the text once and tracks all positions that the pattern may have reached. */
const run = (tokens: readonly Token[], text: string): boolean => {
  const reach = (positions: Set<number>, from: number): void => {
    positions.add(from)
    // These can match an empty text.
    for (let at = from; tokens[at]?.kind === 'star' || tokens[at]?.kind === 'parts' || tokens[at]?.kind === 'rest';) {
      at += 1
      positions.add(at)
    }
  }
  const step = (next: Set<number>, position: number, char: string): void => {
    const token = tokens[position]
    if (token?.kind === 'rest') reach(next, position)
    else if (token?.kind === 'parts') {
      next.add(position)
      if (char === '/') reach(next, position)
    } else if (token?.kind === 'char' ? token.value === char : token?.kind === 'set' && token.test(char)) {
      reach(next, position + 1)
    } else if (char !== '/' && token?.kind === 'any') reach(next, position + 1)
    else if (char !== '/' && token?.kind === 'star') reach(next, position)
  }
  let reached = new Set<number>()
  reach(reached, 0)
  for (const char of text) {
    const next = new Set<number>()
    for (const position of reached) step(next, position, char)
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(tokens.length)
}

const isPlain = (pattern: string): boolean => !/[*?[{\\]/.test(pattern)

/** How many characters a text's every character may be held against. */
export const globCost = (pattern: string): number => {
  if (isPlain(pattern) || pattern.length > maxPatternChars) return 0
  return (expand(pattern) ?? []).reduce((sum, alternative) => sum + alternative.length, 0)
}

/** A slash at the end of a pattern is ignored. */
const withoutSlash = (pattern: string): string =>
  pattern.length > 1 && pattern.endsWith('/') && !pattern.endsWith('\\/') ? pattern.slice(0, -1) : pattern

export const matchGlob = (written: string, text: string): boolean => {
  const pattern = withoutSlash(written)
  if (isPlain(pattern)) return pattern.length <= maxPatternChars && pattern === text
  const patterns = pattern.length > maxPatternChars ? null : expand(pattern)?.map(tokenize)
  if (!patterns || patterns.includes(null)) return false
  return patterns.some((tokens) => tokens !== null && run(tokens, text))
}
