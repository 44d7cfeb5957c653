/**
 * Parses YAML in bounded time and depth. The library's composer recurses, and deeply nested text
 * would crash the process, so the depth is checked on the flat token tree before composing.
 */
import { Composer, Lexer, LineCounter, Parser, isAlias, isNode, visit } from 'yaml'
import type { Alias, CST, Node, ParsedNode, YAMLError } from 'yaml'
import { ConfigError } from './doc.ts'
import type { DocumentText } from './documents.ts'
import { freeLexer } from './free-lexer.ts'

const deepest = 100
/** Maximum lexemes of one file: a pipeline file of 1 MB has about 200,000. */
const maxTokens = 400_000
const lastLine = (text: string): number => text.split('\n').length - 1

/** The budget that all documents of a file share. */
export interface Budget {
  tokens: number
  /**
   * Node visits, counted each time: stops exponential anchors. A file of 1 MB has about 250,000
   * nodes.
   */
  visits: number
  /** Characters of texts, counted at each visit: an anchor can refer to a long one. */
  characters: number
  /**
   * Characters of the patterns in conditions, as counted by `globCost`: each pattern is matched
   * against the build's names.
   */
  patterns: number
}
export const newBudget = (): Budget => ({
  tokens: maxTokens,
  visits: 400_000,
  characters: 10_000_000,
  patterns: 100_000,
})

export interface YamlDocument {
  root: Node | null
  text: DocumentText
  /** From 1, counted from the start of the document (docs/api §6.1). */
  lineOf(node: Node): number
  resolve(node: unknown): Node | null
}

/**
 * Lines in errors count from the start of the document. If the document is not the first in the
 * file, the text ends with its position, so that users find the line.
 */
export const where = (document: DocumentText): string =>
  document.offset === 0 ? '' : ` (in the document after line ${document.offset} of the file)`

const tooDeep = (token: CST.Token): boolean => {
  const open: [CST.Token, number][] = [[token, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next
    if (depth > deepest) return true
    if (current.type === 'document' && current.value) open.push([current.value, depth + 1])
    if (!('items' in current)) continue
    for (const item of current.items) {
      if (item.key) open.push([item.key, depth + 1])
      if (item.value) open.push([item.value, depth + 1])
    }
  }
  return false
}

/** Texts of Drone's parser for errors of our parser that have a well-known counterpart. */
const wording: Record<string, string> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_SCALAR_START: 'found character that cannot start any token',
}

const mustBeQuoted = 'a value that starts with * must be quoted'

/** The parser's own messages for these are misleading. */
const explain = (error: YAMLError, line: number, document: DocumentText): string => {
  if (error.code === 'BAD_ALIAS') return mustBeQuoted
  const around = document.text.split('\n', line + 1).slice(line - 1)
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && around.some((each) => /^ *- /.test(each))) {
    return 'unexpected list: a key such as `steps:` is missing before it'
  }
  return wording[error.code] ?? error.message.toLowerCase()
}

const fail = (document: DocumentText, line: number, what: string): never => {
  throw new ConfigError(`yaml: line ${Math.max(1, Math.min(line, lastLine(document.text)))}: ${what}${where(document)}`)
}

/** The marker that the lexer puts before a plain scalar. */
const scalarMark = '\u001f'

/** Drone's parser accepts `\'` in double quotes as an apostrophe; the YAML standard does not. */
const withApostrophes = (quoted: string): string =>
  quoted.replace(/\\([^])/g, (found, char: string) => (char === "'" ? char : found))

const readTokens = (document: DocumentText, lexer: Lexer, lines: LineCounter, budget: Budget): CST.Token[] => {
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  const addToken = (token: CST.Token): void => {
    if (token.type === 'error') fail(document, lines.linePos(token.offset).line, token.message.toLowerCase())
    tokens.push(token)
  }
  let before = ''
  // A carriage return without a line feed ends a line in Drone's parser, too.
  for (const lexeme of lexer.lex(document.text.replaceAll('\r', '\n'))) {
    budget.tokens -= 1
    if (budget.tokens < 0) throw new ConfigError('yaml: the file has too many parts')
    const isQuoted = lexeme.startsWith('"') && before !== scalarMark
    for (const token of parser.next(isQuoted ? withApostrophes(lexeme) : lexeme)) addToken(token)
    before = lexeme
  }
  for (const token of parser.end()) addToken(token)
  if (tokens.some(tooDeep)) throw new ConfigError(`yaml: exceeded max depth of ${deepest}${where(document)}`)
  return tokens
}

/** Maps each alias to its node: the nearest preceding anchor of its name. */
const targetsOf = (root: Node | null, document: DocumentText, lineOf: (node: Node) => number): Map<Alias, Node> => {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(root, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (!target) {
          const message = `yaml: unknown anchor '${node.source}' referenced (${mustBeQuoted})${where(document)}`
          throw new ConfigError(message, document.offset + lineOf(node))
        }
        targets.set(node, target)
      } else if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}

const compose = (text: DocumentText, lexer: Lexer, lines: LineCounter, budget: Budget) => {
  const tokens = readTokens(text, lexer, lines, budget)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false, strict: false })
  const [document] = composer.compose(tokens, true, text.text.length)
  const error = document?.errors[0]
  if (error) {
    const { line } = lines.linePos(error.pos[0])
    fail(text, line, explain(error, line, text))
  }
  return document
}

/**
 * Parses by the standard, and otherwise as Drone's parser would. Reports the standard parser's
 * error, whose position is more accurate.
 */
const composeSomehow = (text: DocumentText, budget: Budget) => {
  const lines = new LineCounter()
  try {
    return { document: compose(text, new Lexer(), lines, budget), lines }
  } catch (error) {
    if (!/["'[{]/.test(text.text)) throw error
    const again = new LineCounter()
    try {
      return { document: compose(text, freeLexer(), again, budget), lines: again }
    } catch {
      throw error
    }
  }
}

export const readDocument = (text: DocumentText, budget: Budget): YamlDocument => {
  const { document, lines } = composeSomehow(text, budget)
  const root: ParsedNode | null = document?.contents ?? null
  const lineOf = (node: Node): number => lines.linePos(node.range?.[0] ?? 0).line
  const targets = targetsOf(root, text, lineOf)
  const resolve = (node: unknown): Node | null => {
    let current = isNode(node) ? node : null
    while (isAlias(current)) {
      budget.visits -= 1
      if (budget.visits < 0) throw new ConfigError('yaml: document contains excessive aliasing')
      current = targets.get(current) ?? null
    }
    return current
  }
  return { root, text, lineOf, resolve }
}
