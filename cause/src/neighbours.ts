/** What a line says about the line above it. */

/** Points at something in the line above, which therefore is source code. */
const pointer = /^\s*[\^~][\^~ ]*$/
/** A stack frame (JavaScript, Java, .NET); the exception's message is above the first one. */
const frame = /^\s{1,20}at \S.{0,400}(?::\d{1,7}\)?|\)|\.\w{2,6}:line \d{1,7})$/
/** `NotFound: no such cart`. */
const head = /^\s*(?:Uncaught )?[A-Za-z_$][\w$.:]{1,200}(?: \[\w{1,60}\])?: \S/
const trace = /^\s*Traceback \(most recent call last\)/
/** The rule below the titles of columns. */
const rule = /^[-=─━+| ]{8,400}$/
const titles = /^\s*\S.{0,200}?\S {2,60}\S.{0,200}?\S {2,60}\S/
/** One exception of a chain, in which each explains the one before. */
const cause = /^\s*(?:\[cause\]|Caused by): /

export type Neighbour = 'source' | 'exception' | 'announcement' | 'titles'

const caret = 94
const tilde = 126
const blank = 32
const tab = 9
const capitalT = 84
const dash = 45
const equals = 61

/** The line above the one at `from`; `before` is the line above the text's first one. */
export const lineAbove = (text: string, from: number, before: string): string =>
  from === 0 ? before : text.slice(text.lastIndexOf('\n', from - 2) + 1, from - 1)

/** What the line above is, if the line from `from` to `to` shows it. */
export const aboveOf = (text: string, from: number, to: number, before: string): Neighbour | undefined => {
  const last = text.charCodeAt(to - 1)
  if (last === caret || last === tilde) return pointer.test(text.slice(from, to)) ? 'source' : undefined
  const first = text.charCodeAt(from)
  if (first === dash || first === equals)
    return rule.test(text.slice(from, to)) && titles.test(lineAbove(text, from, before)) ? 'titles' : undefined
  if (first === capitalT) return trace.test(text.slice(from, to)) ? 'announcement' : undefined
  if ((first !== blank && first !== tab) || to - from > 500 || !frame.test(text.slice(from, to))) return undefined
  return head.test(lineAbove(text, from, before)) ? 'exception' : undefined
}

export const isCause = (plain: string): boolean => cause.test(plain)
