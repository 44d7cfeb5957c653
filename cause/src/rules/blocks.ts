/**
 * How lines relate to each other: lines that announce another one, and lines that only give a
 * position.
 */

/** Only a source position, a stack frame or source code. */
export const place =
  /^\s*(?:(?:at|in|from|#|--?>|[›❯→>@]|File|file:|├|└|╭|│)\s*)?"?(?:[A-Za-z]:)?[^\s:]{1,300}(?:[:(]\d+(?:[:,]\d+)?\)?|\.\w{1,6}|,? line \d+(?:, in .{1,100})?)"?:?\s*$|^\s*at [\w$.<[]|^\S{1,300}:\d+:\d+: 0x[\da-f]+ in |^.{1,200} => \S{1,200}:\d+:\d+$|^\s*\S{1,300}[./]\S{1,200} \d+:\d+(?:-\d+)?$|^\s*\d+ *[|▕│]|^\s*[>➜] \d+ *[|▕│]/

/** The first line of a box, which shows what the box contains. */
const boxed = /^[│|┃] ?(?:Warning|Error)\b/

/** `WARNINGS:`; the lines below are ignored up to an empty line or the next heading. */
const warnings = /^\s*(?:WARNINGS?|Warnings)\s*:\s*$/
const otherHeading = /^\S.{0,60}:\s*$|^\s*$/
/** A list of warnings is assumed to be no longer than this. */
const maxListLines = 40

/** The heading of a test's output (Jest). */
const printed = /^\s*console\.\w{3,12}\s*$/

/** Whether a line is in a box or list of warnings. */
export class Boxes {
  #warns = false
  #listEnds = 0
  /** The indentation of the heading above a test's output. */
  #printed = Infinity

  /** Whether to read the next line, to find the end of a list. */
  isList(line: number): boolean {
    return line < this.#listEnds
  }

  /** A new command starts. */
  end(): void {
    this.#warns = false
    this.#listEnds = 0
    this.#printed = Infinity
  }

  warns(line: number, plain: string): boolean {
    if (warnings.test(plain)) this.#listEnds = line + maxListLines
    else if (otherHeading.test(plain)) this.#listEnds = 0
    if (!/^[│|┃]/.test(plain)) this.#warns = false
    else if (boxed.test(plain)) this.#warns = plain.includes('Warning')
    if (printed.test(plain)) this.#printed = indentOf(plain)
    else if (indentOf(plain) <= this.#printed) this.#printed = Infinity
    return this.#warns || line <= this.#listEnds || indentOf(plain) > this.#printed
  }
}

/** A message with the error's name before it. */
const named = /^\s*(?:[\w.]{1,60}(?:Error|Exception|Failure)?: )?/

/** Whether a line only repeats the name of the failed test. */
export const repeatsOpener = (plain: string, opener: string): boolean => {
  const message = plain.replace(named, '').trim()
  return message.length > 7 && opener.includes(message)
}

/** Parts of a block that are not a reason: drawn frames, YAML keys. */
export const drawn =
  /^\s*(?:[╭╰╵╷┌└│├·]|[─=~^-]{2}|(?:at|diff|stack|Expression|source|duration_ms|type|location|fileName|lineNumber)\b.{0,3}(?::|$)|- (?:hook id|exit code|duration)\b)/

export const indentOf = (text: string): number => text.length - text.trimStart().length

/** Headings that only announce a diagnosis. */
export const empty =
  /\b(?:issues?|problems?|errors?|failures?|violations?|message|following|reasons?|because|causes?)\s{0,4}:\s*$/i

/** `Unused files (2)`: a list follows, whose lines may be only file positions. */
export const listing = /^\S.{0,60} \(\d+\)\s*$/

/** The text after `the following command failed:` is the command, not the cause. */
const commands = /\bcommands?\b.{0,60}:$|[;,.(] ?to \w+ (?:it|this|them|that)\b[^:]{0,40}:$/i

/** Whether a line of this weight announces the line after it. */
export const announcing = (plain: string, weight: number): boolean => {
  const text = plain.trimEnd()
  if (listing.test(text)) return weight >= 20
  if (
    !text.endsWith(':') ||
    weight < 30 ||
    place.test(text) ||
    commands.test(text) ||
    /\b(?:[Ee]xpected|want|got)\b/.test(text)
  )
    return false
  return empty.test(text) || weight < 80
}
