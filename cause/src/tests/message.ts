/**
 * The message of a failed test: the cause without its prefix and quotes, or the compared values
 * below it.
 */
import type { Lines } from './lines.ts'
import { readable } from './names.ts'

const maxChars = 200
/** The compared values are within this many lines of the cause. */
const maxPair = 8
/** After a line that ends with a colon, the message is within this many lines. */
const maxSoon = 4

const expected = /^\s*(?:E +|# +)?(?:Expected|expected|want|Want)\s*:\s*(\S.*)$/
const received = /^\s*(?:E +|# +)?(?:Received|received|Actual|actual|but was|got|Got|have)\s*:\s*(\S.*)$/
const left = /^\s*left\s*:\s*(\S.*)$/
const right = /^\s*right\s*:\s*(\S.*)$/
/** `220 !== 180` */
const compared = /^\S.* !==? \S/
/** The value starts here and continues on the lines below. */
const opened = /^(?:[|>][-+]?|[[({]|\S{1,60} ?[[({])$/

const wraps: readonly RegExp[] = [
  /^\s*(?:E {2,}|\[ERROR\] +|# +|> +|→ +)/,
  /^\S+:\d+:\w+:FAIL: /,
  /^\s*(?:[\w$]+[.\\])*\w*(?:AssertionError|AssertionFailedError|ComparisonFailure|ExpectationFailed\w*)(?: \[\w+\])?:(?: |$)/,
  /^\s*(?:error|Error|message): /,
  /^\s*\S+\.\w{1,4}:\d+(?::\d+)?: /,
  /^[A-Z][\w$]*\.\w+:\d+(?:->\S+)? /,
  /^(?:FAILED|ERROR) (?:[^\s:]+::){1,5}\S.*? - /,
]

const bare = (text: string): string => {
  const message = wraps.reduce((left, wrap) => left.replace(wrap, ''), text).trim()
  return /^(['"]).*\1$/.test(message) ? message.slice(1, -1) : message
}

/** The two compared values, on lines of their own. Undefined unless both are there. */
const valuesIn = (lines: Lines, cause: number, one: RegExp, other: RegExp): [string, string] | undefined => {
  let first: string | undefined
  let second: string | undefined
  for (let at = Math.max(0, cause - 1); at < Math.min(lines.count, cause + maxPair); at++) {
    const line = readable(lines, at)
    first ??= one.exec(line)?.[1]
    second ??= other.exec(line)?.[1]
  }
  if (first === undefined || second === undefined || opened.test(first) || opened.test(second)) return undefined
  return [first.trim().replace(/,$/, ''), second.trim().replace(/,$/, '')]
}

/** `Expected: 180` and `Received: 220`, in either order. */
const pairOf = (lines: Lines, cause: number): string | undefined => {
  const sides = valuesIn(lines, cause, left, right)
  if (sides) return `left ${sides[0]}, right ${sides[1]}`
  const values = valuesIn(lines, cause, expected, received)
  return values && `expected ${values[0]}, got ${values[1]}`
}

const announced = (lines: Lines, cause: number): string | undefined => {
  for (let at = cause + 1; at < Math.min(lines.count, cause + maxSoon); at++) {
    const line = readable(lines, at)
    if (line.trim() === '') continue
    return /^\s*[+-] |^\s*at |^\s*[{[(]$/.test(line) ? undefined : bare(line)
  }
  return undefined
}

/** Empty if the log has no more than the test's name. */
export const messageOf = (lines: Lines, cause: number, name: string | undefined): string => {
  const own = bare(readable(lines, cause))
  const below = own === '' || own.endsWith(':') ? announced(lines, cause) : undefined
  if (below !== undefined && compared.test(below)) return below.slice(0, maxChars)
  const pair = pairOf(lines, cause)
  if (pair !== undefined) return pair.slice(0, maxChars)
  if (name !== undefined && (/^not ok \d/.test(own) || own.replace(/^\W+/, '').startsWith(name))) return ''
  if (opened.test(own)) return ''
  return (below || own.replace(/:$/, '')).slice(0, maxChars)
}
