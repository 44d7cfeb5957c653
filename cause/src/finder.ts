/** Finds the error lines of a failed step in one pass over its log, keeping a bounded number of lines. */
import { Commands } from './commands.ts'
import { Tail } from './ends.ts'
import { LineFilter, shapeOf } from './grams.ts'
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
import { foreseen, Waiting } from './waiting.ts'

export interface Finder {
  /** A line, or several joined by line ends (none behind the last). */
  push(text: string): void
  /** The decisive lines, the most telling first. May be asked again when more came. */
  end(how?: EndOfStep): DecisiveLine[]
}

/** What the message of an exception is worth at least. */
const ofException = 78
/** And one that only leads from the first to the last of a chain. */
const betweenCauses = 70
const longestChain = 80
const unnamed: Rule = { reason: 'exception', weight: ofException, pattern: /^/ }
/** Lines of at least this weight are not source code. */
const minSaid = 74

class LogFinder implements Finder {
  readonly #sieve = new LineFilter(words)
  readonly #seen = new SeenLines()
  #lines = 0
  readonly #commands = new Commands()
  readonly #waiting = new Waiting()
  readonly #tail = new Tail()
  readonly #tests = new TestScopes()
  /** Warnings are errors. */
  #isStrict = false
  /** The last line that was recorded. */
  #latest: Seen | undefined
  #latestLine = 0
  /** The exception that was named last as the cause of another. */
  #cause: Seen | undefined
  /** The last line of the text before. */
  #before = ''

  push(text: string): void {
    const before = this.#lines
    this.#lines += this.#sieve.sift(text, (index, from, to) => this.#look(before + index + 1, text, from, to))
    this.#before = text.slice(text.lastIndexOf('\n') + 1)
    this.#tail.keep(text, before, this.#lines, this.#commands.count)
  }

  /** Returns the number of following lines to read as well. */
  #look(line: number, text: string, from: number, to: number): number {
    if (this.#commands.isOne(line, text, from)) {
      this.#commands.begin(line, plainOf(text.slice(from, to)))
      this.#waiting.end()
      return 0
    }
    if (this.#tests.read(text, from)) this.#waiting.endTest()
    const above = aboveOf(text, from, to, this.#before)
    if (above && line - this.#latestLine === 1) this.#reweigh(above)
    else if (above === 'exception') this.#readHead(line - 1, lineAbove(text, from, this.#before))
    const shape = shapeOf(text, from, to)
    const seen = this.#seen.of(shape)
    const isWanted = this.#waiting.wants(line - 1)
    if (seen && !isWanted) {
      this.#count(seen, line, text, from, to)
      this.#waiting.open(line, seen.rule, '', this.#seen.isFull)
    } else if (isWanted || !this.#seen.isDull(shape)) this.#read(line, text.slice(from, to), shape, seen)
    return this.#waiting.wants(line) ? 1 : 0
  }

  /** A line that was not seen before, or that another one announced. */
  #read(line: number, raw: string, shape: number, known: Seen | undefined): void {
    if (!known && !this.#waiting.isOn && this.#seen.isFull(true)) {
      const text = raw.slice(0, maxChars)
      this.#seen.keepLate({ line, text, command: this.#commands.count, boosted: false, block: 0 })
      return
    }
    const plain = plainOf(raw)
    if (strict.test(plain)) this.#isStrict = true
    if (ignoredFailure.test(plain)) {
      this.#forgive(line)
      return
    }
    const ruled = this.#waiting.weigh(line, plain, known ?? ruleOf(plain))
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
    this.#waiting.open(line, (this.#seen.of(shape) ?? ruled).rule, plain, this.#seen.isFull)
  }

  /** Updates the weight of the line above, once this line shows what it is. */
  #reweigh(above: Neighbour): void {
    const latest = this.#latest
    if (!latest || latest.rule.opens !== undefined) return
    // Not if its weight was reduced at its position: for example as the repeated name of a test.
    if (above === 'exception' && !latest.isSoft && latest.weight >= latest.rule.weight - 2)
      latest.weight = Math.max(latest.weight, ofException)
    const isLogged = latest.reason === 'exception' || latest.reason === 'error'
    if (above === 'announcement' && isLogged) latest.weight = Math.min(latest.weight, betweenCauses)
    if (above === 'titles') latest.weight = Math.min(latest.weight, foreseen)
    if (above === 'source' && latest.weight < minSaid) latest.weight = Math.min(latest.weight, foreseen)
  }

  /** The message of an exception without any error word. */
  #readHead(line: number, raw: string): void {
    const text = plainOf(raw)
    const shape = shapeOf(raw, 0, raw.length)
    if (falsePositive.test(text) || this.#seen.of(shape) || this.#seen.isFull(true)) return
    const made = seenOf({ reason: 'exception', weight: ofException, rule: unnamed }, this.#occurrence(line, text))
    this.#seen.keep(shape, made)
    this.#tests.note(made)
  }

  /** In a chain of causes, the first and the last are most relevant. */
  #chain(line: number, made: Seen, plain: string): void {
    if (isCause(plain)) {
      if (this.#cause && line - this.#cause.occurrence.line <= longestChain)
        this.#cause.weight = Math.min(this.#cause.weight, betweenCauses)
      this.#cause = made
    } else if (made.weight > betweenCauses) this.#cause = undefined
  }

  /** The previous line was an expected failure. */
  #forgive(line: number): void {
    const latest = this.#latest
    if (latest && line - this.#latestLine <= 2) latest.weight = Math.min(latest.weight, foreseen)
  }

  #occurrence(line: number, text: string): Occurrence {
    const { count: command } = this.#commands
    const isOfTest = this.#waiting.isBoosted(line) || this.#waiting.blockOf(line) > 0
    const program = isOfTest ? programOf(text) : undefined
    return {
      line,
      text,
      command,
      boosted: this.#waiting.isBoosted(line, program),
      block: this.#waiting.blockOf(line, program),
    }
  }

  /** It is reported where it first occurs in the last command, preferably after a line that announces a failure. */
  #count(seen: Seen, line: number, text: string, from: number, to: number): void {
    seen.count++
    this.#latest = seen
    this.#latestLine = line
    const { occurrence } = seen
    const { count } = this.#commands
    const isLater = count > occurrence.command
    const isBetter =
      this.#waiting.isBoosted(line) && !occurrence.boosted && !seen.rule.opens && count === occurrence.command
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
