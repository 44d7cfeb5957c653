/** Finds text in lines. Plain text is searched in whole blocks of lines, patterns line by line. */
import { matchLine, type Query } from '@flightdeck/api'

export { compile, matchLine, type Query } from '@flightdeck/api'

export const sameQuery = (a: Query, b: Query): boolean =>
  a.text === b.text && a.matchCase === b.matchCase && a.word === b.word && a.pattern === b.pattern

/**
 * The same for a block of lines joined by newlines, for expressions that cannot match a newline.
 */
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
