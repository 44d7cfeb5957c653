/** What lines before a line make of it: names of tests that failed, headings, traces, boxes. */
import { announcing, Boxes, drawn, indentOf, listing, place, repeats } from './rules/blocks.ts'
import { advice, harmless } from './rules/harmless.ts'
import type { Ruled } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'

/** A trace is no longer than this. */
const longestTrace = 1000
/** What a line is worth that was foreseen. */
export const foreseen = 24
/** And one that says the name of the test again. */
const repeated = 44
/** What a heading announces is worth at least. */
const listed = 50
/** A line that ends with a colon announces one that tells a little more. */
const heading = (weight: number): Rule => ({
  reason: 'heading',
  weight,
  pattern: /^/,
  next: Math.max(listed, Math.min(90, weight + 2)),
  soon: 3,
})
const announced: Rule = { reason: 'announced', weight: 0, pattern: /^/ }

/** A line of a trace, without what stands before each of them: `INTERNALERROR> `. */
const withoutLabelOf = (opener: string, plain: string): string => {
  const label = opener.slice(0, Math.max(0, opener.indexOf('Traceback'))).trimEnd()
  return label !== '' && plain.startsWith(label) ? plain.slice(label.length).replace(/^ /, '') : plain
}

export class Waiting {
  #boostUntil = 0
  /** The name of the test that failed. */
  #opener = ''
  /** What the line that is waited for is worth, and since when. */
  #next: { rule: Rule; line: number; text: string } | undefined
  readonly #boxes = new Boxes()

  /** Is the next line waited for, whatever it says? */
  get isOn(): boolean {
    return this.#next !== undefined
  }

  /** Is the line behind this one to be read whatever it says? */
  wants(line: number): boolean {
    return this.isOn || this.#boxes.isList(line)
  }

  /** Does a line stand right behind what says that a failure comes? */
  isBoosted(line: number): boolean {
    return line <= this.#boostUntil
  }

  /** Another test begins. */
  endTest(): void {
    this.#boostUntil = 0
  }

  /** Another command begins. */
  end(): void {
    this.#next = undefined
    this.#boostUntil = 0
    this.#boxes.end()
  }

  /** What a line is worth here, which by itself is worth `found`. */
  weigh(line: number, plain: string, found: Ruled | undefined): Ruled | undefined {
    const ruled = this.#await(line, plain, found) ?? found
    const warns = this.#boxes.warns(line, plain)
    if (!ruled) return undefined
    if (warns) return { ...ruled, weight: Math.min(ruled.weight, foreseen) }
    if (!this.isBoosted(line) || ruled.rule.opens || !repeats(plain, this.#opener)) return ruled
    return { ...ruled, weight: Math.min(ruled.weight, repeated) }
  }

  /** What a line announces; `isFull` says of a kind of rule whether no more of what it announces is kept. */
  open(line: number, rule: Rule, plain: string, isFull: (isLoose: boolean) => boolean): void {
    if (rule.opens) {
      this.#boostUntil = line + rule.opens
      this.#opener = plain
    }
    const opening = rule.next ? rule : announcing(plain, rule.weight) ? heading(rule.weight) : undefined
    if (!opening || isFull(opening.soon !== undefined)) return
    if ((opening.next ?? 0) >= (this.#next?.rule.next ?? 0)) this.#next = { rule: opening, line, text: plain }
  }

  /** What a line is worth that another one announced: `Traceback`, `What went wrong`, the name of a test that failed. */
  #await(line: number, plain: string, found: Ruled | undefined): Ruled | undefined {
    const waiting = this.#next
    if (!waiting) return undefined
    const { next = 0, reason, dedent, soon, deeper } = waiting.rule
    if (line - waiting.line > (soon ?? longestTrace)) this.#next = undefined
    if (!/\w/.test(plain) || (dedent && /^[\s|+]/.test(withoutLabelOf(waiting.text, plain)))) return undefined
    // A place, a piece of source and the name again say nothing yet.
    const isPlace = place.test(plain) && !listing.test(waiting.text)
    if (!dedent && (isPlace || drawn.test(plain) || waiting.text.includes(plain.trim()))) return undefined
    if (found?.reason === 'summary') return undefined
    this.#next = undefined
    if (advice.test(plain) || (soon !== undefined && harmless.test(plain))) return undefined
    if (deeper && indentOf(plain) <= indentOf(waiting.text)) return undefined
    // A heading or a sum does not become more by its place.
    if ((found?.weight ?? 0) >= next || found?.rule.next) return undefined
    if (!found && plain.trimEnd().endsWith(':')) {
      this.#next = { ...waiting, line }
      return undefined
    }
    return { rule: announced, reason, weight: next }
  }
}
