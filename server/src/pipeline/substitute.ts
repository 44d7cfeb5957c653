/**
 * `${VAR}` in the text of a pipeline file, replaced by the runner before it parses (docs/api §6.1).
 * Forms that are not listed there (`${a[@]}`, `${x:+y}`, `${1}`) stay as they are, for the shell.
 */
import { ConfigError } from './doc.ts'
import { limits } from './documents.ts'
import { trimPrefix, trimSteps, trimSuffix } from './trim.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** An expression may nest, but not span lines. */
const maxExpressionLength = 1_000

/** The position of the `}` that closes the `${` before `start`, or -1. */
const findEnd = (text: string, start: number): number => {
  let depth = 1
  for (let at = start; at < Math.min(text.length, start + maxExpressionLength); at += 1) {
    const char = text[at]
    if (char === '\n') return -1
    if (char === '$' && text[at + 1] === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** Characters to process per file: untrusted expressions could otherwise run forever. */
const maxSteps = 30_000_000

interface Budget {
  steps: number
}
const take = (budget: Budget, steps: number): void => {
  budget.steps -= steps
  if (budget.steps < 0) throw new ConfigError('substitution: the expressions of the file take too long')
}

const checkSize = (size: number): void => {
  if (size > limits.text) throw new ConfigError('substitution: the result is too large')
}

const first = (value: string, change: (char: string) => string): string => {
  const [head = ''] = value
  return change(head) + value.slice(head.length)
}

const substring = (value: string, argument: string): string => {
  const [from = '', count] = argument.split(':')
  const chars = [...value]
  const start = Number(from)
  if (from.trim() === '' || !Number.isInteger(start)) return value
  const begin = start < 0 ? Math.max(0, chars.length + start) : start
  if (count === undefined) return chars.slice(begin).join('')
  const length = Number(count)
  if (count.trim() === '' || !Number.isInteger(length)) return value
  return chars.slice(begin, begin + Math.max(0, length)).join('')
}

/** The position of the first separating `/`: neither escaped nor within an expression. */
const findSlash = (text: string): number => {
  const marks = /\\[\\/]|\$\{|\//g
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '/') return mark.index
    if (mark[0] === '${') marks.lastIndex = Math.max(marks.lastIndex, findEnd(text, marks.lastIndex))
  }
  return -1
}

/** `/a/b`, `//a/b`, `/#a/b`, `/%a/b`: plain texts, not patterns. A slash in `a` is written `\/`. */
const replace = (value: string, operator: string, expand: (text: string) => string): string => {
  const [, mode = '', rest = ''] = /^\/([/#%]?)([^]*)$/.exec(operator) ?? []
  const slash = findSlash(rest)
  const search = expand(slash < 0 ? rest : rest.slice(0, slash))
  const by = slash < 0 ? '' : expand(rest.slice(slash + 1))
  if (search === '') return value
  if (mode === '#') return value.startsWith(search) ? by + value.slice(search.length) : value
  if (mode === '%') return value.endsWith(search) ? value.slice(0, value.length - search.length) + by : value
  const parts = value.split(search)
  if (mode === '/') {
    checkSize(value.length + (parts.length - 1) * (by.length - search.length))
    return parts.join(by)
  }
  return parts.length < 2 ? value : (parts[0] ?? '') + by + parts.slice(1).join(search)
}

/** All operators except replacement; `null` for an unknown operator. */
const apply = (value: string, operator: string, budget: Budget): string | null => {
  switch (operator) {
    case '':
      return value
    case '^':
      return first(value, (char) => char.toUpperCase())
    case '^^':
      return value.toUpperCase()
    case ',':
      return first(value, (char) => char.toLowerCase())
    case ',,':
      return value.toLowerCase()
  }
  const found = /^(:=|:-|=|##?|%%?|:(?![?+]))([^]*)$/.exec(operator)
  const [, sign = '', argument = ''] = found ?? []
  if (sign === '=' || sign === ':=' || sign === ':-') return value === '' ? argument : value
  if (sign === ':') return substring(value, argument)
  if (/^[#%]/.test(sign)) take(budget, trimSteps(value, argument))
  if (sign.startsWith('#')) return trimPrefix(value, argument, sign === '##')
  if (sign.startsWith('%')) return trimSuffix(value, argument, sign === '%%')
  return null
}

const evaluate = (expression: string, variables: Variables, budget: Budget): string | null => {
  const [head = '', length, name = ''] = /^(#?)([A-Za-z_]\w*)/.exec(expression) ?? []
  if (name === '') return null
  const operator = expression.slice(head.length)
  const raw = (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''
  // A quoted line cannot break the file's structure.
  const value = raw.includes('\n') ? JSON.stringify(raw) : raw
  if (length === '#') return operator === '' ? String([...value].length) : null
  const expand = (text: string): string => replaceAll(text, variables, budget)
  return operator.startsWith('/') ? replace(value, operator, expand) : apply(value, expand(operator), budget)
}

const replaceAll = (text: string, variables: Variables, budget: Budget): string => {
  const parts: string[] = []
  let size = 0
  let from = 0
  const put = (part: string): void => {
    size += part.length
    checkSize(size)
    parts.push(part)
  }
  // `$$`, `\\` and `\/` lose their first character, in the whole file (docs/api §6.1 "side
  // effect").
  const marks = /\$\$|\\\\|\\\/|\$\{/g
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const end = mark[0] === '${' ? findEnd(text, marks.lastIndex) : -1
    if (mark[0] === '${') take(budget, (end < 0 ? maxExpressionLength : end - mark.index) + 1)
    const value = end < 0 ? null : evaluate(text.slice(marks.lastIndex, end), variables, budget)
    if (mark[0] === '${' && value === null) continue
    put(text.slice(from, mark.index))
    put(value ?? mark[0].slice(1))
    from = value === null ? marks.lastIndex : end + 1
    marks.lastIndex = from
  }
  put(text.slice(from))
  return parts.join('')
}

/** Throws `ConfigError` if the result would be too large or take more than `steps`. */
export const substitute = (text: string, variables: Variables, steps: number = maxSteps): string =>
  replaceAll(text, variables, { steps })
