import { Lexer } from 'yaml'

/**
 * The members of the library's lexer that are changed; `flowLevel` is the number of open brackets.
 */
interface Inside {
  flowLevel: number
  indentNext: number
  parseQuotedScalar(): Generator<string, unknown>
}

/**
 * A lexer that ignores indentation within brackets and quotes. The library follows the standard,
 * which requires each line of them to be indented further than their key; Drone's parser accepts
 * any column.
 */
export const freeLexer = (): Lexer => {
  const lexer = new Lexer()
  const inside = lexer as unknown as Inside
  let indent = 0
  let isQuoted = false
  Object.defineProperty(inside, 'indentNext', {
    get: () => (isQuoted || inside.flowLevel > 0 ? 0 : indent),
    set: (next: number) => {
      indent = next
    },
  })
  const parse = inside.parseQuotedScalar.bind(lexer)
  inside.parseQuotedScalar = function* () {
    isQuoted = true
    const next: unknown = yield* parse()
    isQuoted = false
    return next
  }
  return lexer
}
