/** How earlier lines affect a line: names of failed tests, headings, stack traces, boxes. */
import { announcing, Boxes, drawn, indentOf, listing, place, repeatsOpener } from './rules/blocks.ts'
import { advice, falsePositive, mute } from './rules/false-positives.ts'
import type { RuleMatch } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { programOf } from './program-prefix.ts'

/** The maximum length of a stack trace. */
const maxTraceLines = 1000
/** The maximum distance from a test's name to its output, unless another test is named. */
const maxBlockLines = 300
/** Lines with at least this weight are a diagnosis, not the name of a test. */
export const diagnosisWeight = 80
/** The maximum weight of a line about an expected failure. */
export const expectedWeight = 24
/** `Prebuild failed`: says no more than its heading. */
const verdict = /^\W*\w{1,30} failed[.!]?$/i
/** `> node verify.js`: the command that runs. */
const echo = /^\s*> (?:[a-z]|[A-Z_]{2,60}=)/
/** A heading with a lower weight does not use up the announcement. */
const minHeadingWeight = 40
/** The penalty for an announced line that ends with a colon: the message is below it. */
const colonPenalty = 4
/** The maximum weight of a line that repeats the name of the test. */
const repeatedNameWeight = 44
/** The minimum weight of a line that a heading announces. */
const minListedWeight = 50
/** A line that ends with a colon announces a more relevant one. */
const heading = (weight: number): Rule => ({
  reason: 'heading',
  weight,
  pattern: /^/,
  next: Math.max(minListedWeight, Math.min(90, weight + 2)),
  soon: 3,
})
const announced: Rule = { reason: 'announced', weight: 0, pattern: /^/ }

/** A traceback line without the prefix that all of them have: `INTERNALERROR> `. */
const withoutLabelOf = (opener: string, plain: string): string => {
  const label = opener.slice(0, Math.max(0, opener.indexOf('Traceback'))).trimEnd()
  return label !== '' && plain.startsWith(label) ? plain.slice(label.length).replace(/^ /, '') : plain
}

export class LineContext {
  #boostUntil = 0
  /** The line that named the failed test. */
  #opener = ''
  /** Its line number. */
  #openedAt = -maxBlockLines
  /** The announcement that is still open: its rule, line number and text. */
  #next: { rule: Rule; line: number; text: string } | undefined
  readonly #boxes = new Boxes()

  /** Whether the next line must be read. */
  get isOpen(): boolean {
    return this.#next !== undefined
  }

  /** Whether the line after this one must be read. */
  wants(line: number): boolean {
    return this.isOpen || this.#boxes.isList(line)
  }

  /** Whether a line directly follows one that announces a failure. */
  isBoosted(line: number, program?: string): boolean {
    return line <= this.#boostUntil && this.#isOfProgram(program)
  }

  /** The number of the line that named the failed test to which a line belongs; 0 for none. */
  blockOf(line: number, program?: string): number {
    return line - this.#openedAt <= maxBlockLines && this.#isOfProgram(program) ? this.#openedAt : 0
  }

  /**
   * Whether the line is from the failed test's program. Output of a server during the test is not
   * about the test.
   */
  #isOfProgram(program: string | undefined): boolean {
    return program === undefined || this.#opener === '' || program === programOf(this.#opener)
  }

  /** A new test starts. */
  endTest(): void {
    this.#boostUntil = 0
    this.#openedAt = -maxBlockLines
  }

  /** A new command starts. */
  end(): void {
    this.#next = undefined
    this.endTest()
    this.#boxes.end()
  }

  /** The weight of a line in this context; `found` is its own weight. */
  weigh(line: number, plain: string, found: RuleMatch | undefined): RuleMatch | undefined {
    const ruled = this.#weighAnnounced(line, plain, found) ?? found
    const warns = this.#boxes.warns(line, plain)
    if (!ruled) return undefined
    if (warns) return { ...ruled, weight: Math.min(ruled.weight, expectedWeight) }
    if (!this.isBoosted(line) || ruled.rule.opens || !repeatsOpener(plain, this.#opener)) return ruled
    return { ...ruled, weight: Math.min(ruled.weight, repeatedNameWeight) }
  }

  /**
   * Records what a line announces. `isFull` returns whether there is no room left for lines of that
   * kind.
   */
  open(line: number, rule: Rule, plain: string, isFull: (isLoose: boolean) => boolean): void {
    if (rule.opens) {
      this.#boostUntil = line + rule.opens
      this.#opener = plain
      if (rule.weight < diagnosisWeight) this.#openedAt = line
    }
    const opening = rule.next
      ? rule
      : rule.reason !== 'pytest' && announcing(plain, rule.weight)
        ? heading(rule.weight)
        : undefined
    if (!opening || isFull(opening.soon !== undefined)) return
    if ((opening.next ?? 0) >= (this.#next?.rule.next ?? 0)) this.#next = { rule: opening, line, text: plain }
  }

  /**
   * The weight of a line that another one announced: `Traceback`, `What went wrong`, the name of a
   * failed test.
   */
  #weighAnnounced(line: number, plain: string, found: RuleMatch | undefined): RuleMatch | undefined {
    const announcement = this.#next
    if (!announcement) return undefined
    const { next = 0, reason, dedent, soon, deeper, isNext } = announcement.rule
    if (line - announcement.line > (soon ?? maxTraceLines)) this.#next = undefined
    if (mute.test(plain) || (dedent && /^[\s|+]/.test(withoutLabelOf(announcement.text, plain)))) return undefined
    // Positions, source code and the repeatedNameWeight name are not the announced message.
    const isPlace = place.test(plain) && !listing.test(announcement.text)
    if (!dedent && (isPlace || drawn.test(plain) || announcement.text.includes(plain.trim()))) return undefined
    if (echo.test(plain) || found?.reason === 'summary' || verdict.test(plain)) return undefined
    this.#next = undefined
    if (found?.reason === 'follows') return undefined
    if (advice.test(plain) || (soon !== undefined && falsePositive.test(plain))) return undefined
    if (deeper && indentOf(plain) <= indentOf(announcement.text)) return undefined
    // Headings and summaries do not gain weight from an announcement.
    if ((found?.weight ?? 0) >= next || found?.rule.next) return undefined
    const isOpen = plain.trimEnd().endsWith(':')
    if ((found?.weight ?? 0) < minHeadingWeight && isOpen && !isNext) {
      this.#next = { ...announcement, line }
      return undefined
    }
    return { rule: announced, reason, weight: isOpen && !isNext ? next - colonPenalty : next }
  }
}
