/**
 * Finds the error lines of a failed step in one pass over its log, keeping a bounded number of
 * lines.
 */
import { Commands } from './commands.ts'
import { Tail } from './ends.ts'
import { LineFilter, shapeOf } from './keyword-filter.ts'
import { aboveOf, isCause, lineAbove, type Neighbour } from './neighbours.ts'
import { maxChars, plainOf } from './plain.ts'
import { rank, type DecisiveLine, type EndOfStep } from './rank.ts'
import { ignoredFailure, falsePositive, strict } from './rules/false-positives.ts'
import { ruleOf } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { words } from './rules/word-pattern.ts'
import { maxAgain, SeenLines, seenOf, type Seen, type Occurrence } from './repeated-lines.ts'
import { programOf } from './program-prefix.ts'
import { TestScopes } from './test-scopes.ts'
import { expectedWeight, LineContext } from './line-context.ts'

export interface Finder {
  /** Adds a line, or several joined by newlines (without one at the end). */
  push(text: string): void
  /** The error lines, most relevant first. Can be called again after more lines. */
  end(how?: EndOfStep): DecisiveLine[]
}

/** The minimum weight of an exception's message. */
const exceptionWeight = 78
/** The maximum weight of an exception in the middle of a chain of causes. */
const middleCauseWeight = 70
const maxChainLines = 80
const unnamed: Rule = { reason: 'exception', weight: exceptionWeight, pattern: /^/ }
/** Lines of at least this weight are not source code. */
const minMessageWeight = 74

class LogFinder implements Finder {
  readonly #filter = new LineFilter(words)
  readonly #seen = new SeenLines()
  #lines = 0
  readonly #commands = new Commands()
  readonly #context = new LineContext()
  readonly #tail = new Tail()
  readonly #tests = new TestScopes()
  /** Whether warnings count as errors. */
  #isStrict = false
  /** The last line that was recorded. */
  #latest: Seen | undefined
  #latestLine = 0
  /** The last exception that was named as the cause of another one. */
  #cause: Seen | undefined
  /** The last line of the previous chunk. */
  #before = ''

  push(text: string): void {
    const before = this.#lines
    this.#lines += this.#filter.scan(text, (index, from, to) => this.#scanLine(before + index + 1, text, from, to))
    this.#before = text.slice(text.lastIndexOf('\n') + 1)
    this.#tail.keep(text, before, this.#lines, this.#commands.count)
  }

  /** Handles one line. Returns the number of following lines to read as well. */
  #scanLine(line: number, text: string, from: number, to: number): number {
    if (this.#commands.isOne(line, text, from)) {
      this.#commands.begin(line, plainOf(text.slice(from, to)))
      this.#context.end()
      return 0
    }
    if (this.#tests.read(text, from)) this.#context.endTest()
    const above = aboveOf(text, from, to, this.#before)
    if (above && line - this.#latestLine === 1) this.#reweigh(above)
    else if (above === 'exception') this.#readHead(line - 1, lineAbove(text, from, this.#before))
    const shape = shapeOf(text, from, to)
    const seen = this.#seen.of(shape)
    const isRequested = this.#context.wants(line - 1)
    if (seen && !isRequested) {
      this.#count(seen, line, text, from, to)
      this.#context.open(line, seen.rule, '', this.#seen.isFull)
    } else if (isRequested || !this.#seen.isDull(shape)) this.#read(line, text.slice(from, to), shape, seen)
    return this.#context.wants(line) ? 1 : 0
  }

  /** Evaluates a line with a new shape, or one that an earlier line announced. */
  #read(line: number, raw: string, shape: number, known: Seen | undefined): void {
    if (!known && !this.#context.isOpen && this.#seen.isFull(true)) {
      const text = raw.slice(0, maxChars)
      this.#seen.keepLate({ line, text, command: this.#commands.count, boosted: false, block: 0 })
      return
    }
    const plain = plainOf(raw)
    if (strict.test(plain)) this.#isStrict = true
    if (ignoredFailure.test(plain)) {
      this.#markExpected(line)
      return
    }
    const ruled = this.#context.weigh(line, plain, known ?? ruleOf(plain))
    if (!ruled) {
      this.#seen.keepDull(shape)
      return
    }
    const occurrence = this.#occurrence(line, plain)
    if (known && known.weight >= ruled.weight) this.#count(known, line, plain, 0, plain.length)
    else {
      const made = seenOf(ruled, occurrence, (known?.count ?? 0) + 1)
      this.#seen.keep(shape, made)
      this.#latest = made
      this.#latestLine = line
      this.#chain(line, made, plain)
      this.#tests.note(made)
    }
    this.#context.open(line, (this.#seen.of(shape) ?? ruled).rule, plain, this.#seen.isFull)
  }

  /** Adjusts the weight of the line above, once this line shows what kind it is. */
  #reweigh(above: Neighbour): void {
    const latest = this.#latest
    if (!latest || latest.rule.opens !== undefined) return
    // Skipped if the weight was reduced because of its position, for example as the repeated name
    // of a test.
    if (above === 'exception' && !latest.isSoft && latest.weight >= latest.rule.weight - 2)
      latest.weight = Math.max(latest.weight, exceptionWeight)
    const isLogged = latest.reason === 'exception' || latest.reason === 'error'
    if (above === 'announcement' && isLogged) latest.weight = Math.min(latest.weight, middleCauseWeight)
    if (above === 'titles') latest.weight = Math.min(latest.weight, expectedWeight)
    if (above === 'source' && latest.weight < minMessageWeight) latest.weight = Math.min(latest.weight, expectedWeight)
  }

  /** Records the message of an exception that has no error word. */
  #readHead(line: number, raw: string): void {
    const text = plainOf(raw)
    const shape = shapeOf(raw, 0, raw.length)
    if (falsePositive.test(text) || this.#seen.of(shape) || this.#seen.isFull(true)) return
    const made = seenOf({ reason: 'exception', weight: exceptionWeight, rule: unnamed }, this.#occurrence(line, text))
    this.#seen.keep(shape, made)
    this.#tests.note(made)
  }

  /**
   * Reduces the weight of exceptions in the middle of a chain of causes: the first and the last are
   * most relevant.
   */
  #chain(line: number, made: Seen, plain: string): void {
    if (isCause(plain)) {
      if (this.#cause && line - this.#cause.occurrence.line <= maxChainLines)
        this.#cause.weight = Math.min(this.#cause.weight, middleCauseWeight)
      this.#cause = made
    } else if (made.weight > middleCauseWeight) this.#cause = undefined
  }

  /** This line says that the failure above it was expected. */
  #markExpected(line: number): void {
    const latest = this.#latest
    if (latest && line - this.#latestLine <= 2) latest.weight = Math.min(latest.weight, expectedWeight)
  }

  #occurrence(line: number, text: string): Occurrence {
    const { count: command } = this.#commands
    const isOfTest = this.#context.isBoosted(line) || this.#context.blockOf(line) > 0
    const program = isOfTest ? programOf(text) : undefined
    return {
      line,
      text,
      command,
      boosted: this.#context.isBoosted(line, program),
      block: this.#context.blockOf(line, program),
    }
  }

  /**
   * Counts a repeated line. It is reported at its first occurrence in the last command, preferably
   * after a line that announces a failure.
   */
  #count(seen: Seen, line: number, text: string, from: number, to: number): void {
    seen.count++
    this.#latest = seen
    this.#latestLine = line
    const { occurrence } = seen
    const { count } = this.#commands
    const isLater = count > occurrence.command
    const isBetter =
      this.#context.isBoosted(line) && !occurrence.boosted && !seen.rule.opens && count === occurrence.command
    if (!isLater && !isBetter && (seen.again.length >= maxAgain || line === occurrence.line)) return
    const next = this.#occurrence(line, plainOf(text.slice(from, to)))
    if (isLater || isBetter) {
      seen.occurrence = next
      seen.again = []
    } else seen.again.push(next)
  }

  end(how: EndOfStep = {}): DecisiveLine[] {
    return rank({ seen: this.#seen, commands: this.#commands, tail: this.#tail, isStrict: this.#isStrict }, how)
  }
}

export const createFinder = (): Finder => new LogFinder()
