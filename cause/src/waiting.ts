/** What lines before a line make of it: names of tests that failed, headings, traces, boxes. */
import { announcing, Boxes, drawn, indentOf, listing, place, repeatsOpener } from './rules/blocks.ts'
import { advice, falsePositive, mute } from './rules/false-positives.ts'
import type { RuleMatch } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { programOf } from './program-prefix.ts'

/** A trace is no longer than this. */
const longestTrace = 1000
/** The maximum distance from a test's name to its output, unless another test is named. */
const longestBlock = 300
/** What is worth so much is a diagnosis, and no name of a test. */
export const diagnosed = 80
/** What a line is worth that was foreseen. */
export const foreseen = 24
/** `Prebuild failed`: says no more than its heading. */
const verdict = /^\W*\w{1,30} failed[.!]?$/i
/** `> node verify.js`: what is run. */
const echo = /^\s*> (?:[a-z]|[A-Z_]{2,60}=)/
/** Another heading that is worth less passes on what was waited for. */
const telling = 40
/** What ends with a colon leaves it to what comes below. */
const announcingLess = 4
/** And one that says the name of the test again. */
const repeated = 44
/** What a heading announces is worth at least. */
const listed = 50
/** A line that ends with a colon announces a more relevant one. */
const heading = (weight: number): Rule => ({
  reason: 'heading',
  weight,
  pattern: /^/,
  next: Math.max(listed, Math.min(90, weight + 2)),
  soon: 3,
})
const announced: Rule = { reason: 'announced', weight: 0, pattern: /^/ }

/** A traceback line without the prefix that all of them have: `INTERNALERROR> `. */
const withoutLabelOf = (opener: string, plain: string): string => {
  const label = opener.slice(0, Math.max(0, opener.indexOf('Traceback'))).trimEnd()
  return label !== '' && plain.startsWith(label) ? plain.slice(label.length).replace(/^ /, '') : plain
}

export class Waiting {
  #boostUntil = 0
  /** The name of the test that failed. */
  #opener = ''
  /** Its position. */
  #openedAt = -longestBlock
  /** What the line that is waited for is worth, and since when. */
  #next: { rule: Rule; line: number; text: string } | undefined
  readonly #boxes = new Boxes()

  /** Whether the next line is read in any case. */
  get isOn(): boolean {
    return this.#next !== undefined
  }

  /** Whether the line after this one is read in any case. */
  wants(line: number): boolean {
    return this.isOn || this.#boxes.isList(line)
  }

  /** Whether a line directly follows one that announces a failure. */
  isBoosted(line: number, program?: string): boolean {
    return line <= this.#boostUntil && this.#isHeard(program)
  }

  /** The line that named the failed test which a line is about; 0 for none. */
  blockOf(line: number, program?: string): number {
    return line - this.#openedAt <= longestBlock && this.#isHeard(program) ? this.#openedAt : 0
  }

  /** What a server says while a test fails is not about the test. */
  #isHeard(program: string | undefined): boolean {
    return program === undefined || this.#opener === '' || program === programOf(this.#opener)
  }

  /** Another test begins. */
  endTest(): void {
    this.#boostUntil = 0
    this.#openedAt = -longestBlock
  }

  /** Another command begins. */
  end(): void {
    this.#next = undefined
    this.endTest()
    this.#boxes.end()
  }

  /** The weight of a line in this context; `found` is its own weight. */
  weigh(line: number, plain: string, found: RuleMatch | undefined): RuleMatch | undefined {
    const ruled = this.#await(line, plain, found) ?? found
    const warns = this.#boxes.warns(line, plain)
    if (!ruled) return undefined
    if (warns) return { ...ruled, weight: Math.min(ruled.weight, foreseen) }
    if (!this.isBoosted(line) || ruled.rule.opens || !repeatsOpener(plain, this.#opener)) return ruled
    return { ...ruled, weight: Math.min(ruled.weight, repeated) }
  }

  /** What a line announces; `isFull` says of a kind of rule whether no more of what it announces is kept. */
  open(line: number, rule: Rule, plain: string, isFull: (isLoose: boolean) => boolean): void {
    if (rule.opens) {
      this.#boostUntil = line + rule.opens
      this.#opener = plain
      if (rule.weight < diagnosed) this.#openedAt = line
    }
    const opening = rule.next
      ? rule
      : rule.reason !== 'pytest' && announcing(plain, rule.weight)
        ? heading(rule.weight)
        : undefined
    if (!opening || isFull(opening.soon !== undefined)) return
    if ((opening.next ?? 0) >= (this.#next?.rule.next ?? 0)) this.#next = { rule: opening, line, text: plain }
  }

  /** What a line is worth that another one announced: `Traceback`, `What went wrong`, the name of a test that failed. */
  #await(line: number, plain: string, found: RuleMatch | undefined): RuleMatch | undefined {
    const waiting = this.#next
    if (!waiting) return undefined
    const { next = 0, reason, dedent, soon, deeper, isNext } = waiting.rule
    if (line - waiting.line > (soon ?? longestTrace)) this.#next = undefined
    if (mute.test(plain) || (dedent && /^[\s|+]/.test(withoutLabelOf(waiting.text, plain)))) return undefined
    // A place, a piece of source and the name again say nothing yet.
    const isPlace = place.test(plain) && !listing.test(waiting.text)
    if (!dedent && (isPlace || drawn.test(plain) || waiting.text.includes(plain.trim()))) return undefined
    if (echo.test(plain) || found?.reason === 'summary' || verdict.test(plain)) return undefined
    this.#next = undefined
    if (found?.reason === 'follows') return undefined
    if (advice.test(plain) || (soon !== undefined && falsePositive.test(plain))) return undefined
    if (deeper && indentOf(plain) <= indentOf(waiting.text)) return undefined
    // A heading or a sum does not become more by its place.
    if ((found?.weight ?? 0) >= next || found?.rule.next) return undefined
    const isOpen = plain.trimEnd().endsWith(':')
    if ((found?.weight ?? 0) < telling && isOpen && !isNext) {
      this.#next = { ...waiting, line }
      return undefined
    }
    return { rule: announced, reason, weight: isOpen && !isNext ? next - announcingLess : next }
  }
}
