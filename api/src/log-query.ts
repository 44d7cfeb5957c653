/** Finding text in the lines of a log: the same in the browser's workers and in the server's. */

export interface Query {
  text: string
  matchCase: boolean
  word: boolean
  pattern: boolean
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Throws a SyntaxError with the engine's own words if the pattern cannot be read. */
export const compile = (query: Query): RegExp => {
  const source = query.pattern ? query.text : escaped(query.text)
  // `\b` is about word characters only; this also works for words that begin with a dash or a dot.
  const whole = query.word ? `(?<!\\w)(?:${source})(?!\\w)` : source
  return new RegExp(whole, query.matchCase ? 'g' : 'gi')
}

/** Calls back with the start and end of each match that is not empty. */
export const matchLine = (expression: RegExp, text: string, onMatch: (start: number, end: number) => void): void => {
  expression.lastIndex = 0
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    if (match[0] === '') expression.lastIndex++
    else onMatch(match.index, match.index + match[0].length)
  }
}

/** A place in a log where something was found. */
export interface StepHit {
  /** The line's, as on the screen and in links. */
  number: number
  /** Where in its line it begins, from 0. */
  column: number
  before: string
  text: string
  after: string
}

const around = 60
const cut = (text: string, from: number, to: number): string => text.slice(Math.max(0, from), to)

/** What is shown of a line: some characters before and behind what was found. */
export const hitOf = (number: number, line: string, start: number, end: number): StepHit => ({
  number,
  column: start,
  before: cut(line, start - around, start),
  text: cut(line, start, Math.min(end, start + 2 * around)),
  after: cut(line, end, end + around),
})

/** In the logs of a repository, by our own server: one JSON value per line of its answer. */
export interface FoundBuild {
  number: number
  /** The branch that was built; of a pull request the one it goes to. */
  branch: string
  event: string
  /** Unix seconds. */
  created: number
  /** Login of the commit's author. */
  author: string
}

/** When a line came. */
export interface LineMoment {
  /** Whole seconds since the step's log began. */
  time: number
  /** Tenths of a second beyond them, 0 to 9, where they are known. */
  tenth?: number
}

export interface FoundHit extends StepHit, LineMoment {
  /** The line before it, if there is one. */
  previous?: LineMoment
}

export type SearchMessage =
  /** How many builds are looked through, the newest first. */
  | { type: 'begin'; builds: number }
  /** Of the same step once more: what was found there by now. */
  | {
      type: 'found'
      build: FoundBuild
      stage: { number: number; name: string }
      /** `started`: Unix seconds. */
      step: { number: number; name: string; started: number }
      /** When its log started, in Unix milliseconds, if known. */
      began?: number
      count: number
      /** The first hits; empty if the limit on hits was reached before. */
      hits: FoundHit[]
    }
  /** `unread`: logs of it that could not be read. */
  | { type: 'searched'; build: number; unread: number }
  /** `stopped`: why builds before the last reported one are not searched. */
  | { type: 'end'; stopped?: 'pattern' | 'time' }
