/** Searches log lines, identically in the browser's workers and in the server's. */

export interface Query {
  text: string
  matchCase: boolean
  word: boolean
  pattern: boolean
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What the messages of V8, SpiderMonkey and JavaScriptCore mean; the first match counts. */
const patternFaults: readonly (readonly [RegExp, string])[] = [
  [/\brange\b/i, 'a range in “[…]” ends before it starts'],
  [/numbers out of order/i, 'the first number in “{…}” is larger than the second'],
  [/character class/i, 'a “[” has no “]”'],
  [/unmatched/i, 'a “)” has no “(”'],
  [/unterminated (?:group|paren)|missing \)/i, 'a “(” has no “)”'],
  [/at end/i, 'it ends with a single “\\”'],
  [/repeat|quantifier/i, 'there is nothing to repeat before a “*”, “+”, “?” or “{…}”'],
  [/too (?:large|many)/i, 'it is too large'],
  [/group|reference|\(\?/i, 'a “(?…)” or “\\k” is written wrongly'],
]

/** V8's messages repeat the pattern: `Invalid regular expression: /(/g: Unterminated group`. */
function patternError(error: unknown): SyntaxError {
  const reason = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 1) : ''
  const found = patternFaults.find(([words]) => words.test(reason))
  return new SyntaxError(`The pattern is not valid${found ? `: ${found[1]}` : ''}`)
}

/** Throws a SyntaxError in words for users if the pattern is invalid. */
export const compile = (query: Query): RegExp => {
  const source = query.pattern ? query.text : escaped(query.text)
  const flags = query.matchCase ? 'g' : 'gi'
  try {
    const expression = new RegExp(source, flags)
    // `\b` works only next to word characters; this also works for words that start with a dash or
    // a dot.
    return query.word ? new RegExp(`(?<!\\w)(?:${source})(?!\\w)`, flags) : expression
  } catch (error) {
    throw patternError(error)
  }
}

/** Calls back with the start and end of each match that is not empty. */
export const matchLine = (expression: RegExp, text: string, onMatch: (start: number, end: number) => void): void => {
  expression.lastIndex = 0
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    if (match[0] === '') expression.lastIndex++
    else onMatch(match.index, match.index + match[0].length)
  }
}

/** A match in a log. */
export interface StepHit {
  /** The line number, as on the screen and in links. */
  number: number
  /** The index of the match in its line, from 0. */
  column: number
  before: string
  text: string
  after: string
}

const around = 60
const cut = (text: string, from: number, to: number): string => text.slice(Math.max(0, from), to)

/** The match with the characters around it that are shown. */
export const hitOf = (number: number, line: string, start: number, end: number): StepHit => ({
  number,
  column: start,
  before: cut(line, start - around, start),
  text: cut(line, start, Math.min(end, start + 2 * around)),
  after: cut(line, end, end + around),
})

/**
 * Flightdeck only: a build with matches in a search of a repository's logs. The response has one
 * JSON value per line.
 */
export interface FoundBuild {
  number: number
  /** The branch that was built; for a pull request, its target branch. */
  branch: string
  event: string
  /** Unix seconds. */
  created: number
  /** The login of the commit's author. */
  author: string
}

/** When a line was printed. */
export interface LineMoment {
  /** Whole seconds since the step's log started. */
  time: number
  /** The tenths of a second, 0 to 9, if known. */
  tenth?: number
}

export interface FoundHit extends StepHit, LineMoment {
  /** The previous line, if there is one. */
  previous?: LineMoment
}

export type SearchMessage =
  /** The number of builds to search, newest first. */
  | { type: 'begin'; builds: number }
  /** Repeated for a step: each message replaces the earlier one. */
  | {
      type: 'found'
      build: FoundBuild
      stage: { number: number; name: string }
      /** `started`: Unix seconds. */
      step: { number: number; name: string; started: number }
      /** When its log started, in Unix milliseconds, if known. */
      began?: number
      count: number
      /** The first hits; empty if the limit was already reached. */
      hits: FoundHit[]
    }
  /** `unread`: the number of its logs that could not be read. */
  | { type: 'searched'; build: number; unread: number }
  /** `stopped`: why the search ended before the last build. */
  | { type: 'end'; stopped?: 'pattern' | 'time' }
