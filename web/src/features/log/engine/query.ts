/** Finding text in lines. Plain words are found in whole blocks of lines at once, patterns line by line. */

export interface Query {
  text: string
  matchCase: boolean
  word: boolean
  pattern: boolean
}

export const sameQuery = (a: Query, b: Query): boolean =>
  a.text === b.text && a.matchCase === b.matchCase && a.word === b.word && a.pattern === b.pattern

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

/** The same for a block of lines joined by line ends, for expressions that cannot match a line end. */
export const matchBlock = (
  expression: RegExp,
  block: string,
  onMatch: (line: number, start: number, end: number) => void,
): void => {
  let line = 0
  let lineStart = 0
  let lineEnd = block.indexOf('\n')
  matchLine(expression, block, (start, end) => {
    while (lineEnd !== -1 && start > lineEnd) {
      line++
      lineStart = lineEnd + 1
      lineEnd = block.indexOf('\n', lineStart)
    }
    onMatch(line, start - lineStart, end - lineStart)
  })
}
