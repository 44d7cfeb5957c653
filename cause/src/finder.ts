/** Which lines of a failed step tell why, found while its log goes by once. Keeps a bounded number of lines, whatever comes. */
import { Commands } from './commands.ts'
import { Tail } from './ends.ts'
import { Sieve, shapeOf } from './grams.ts'
import { normalise } from './normalise.ts'
import { inOrder } from './order.ts'
import { longest, plainOf } from './plain.ts'
import { forgiven, strict } from './rules/harmless.ts'
import { ruleOf, type Ruled } from './rules/index.ts'
import { words } from './rules/words.ts'
import { foreseen, Waiting } from './waiting.ts'

export interface DecisiveLine {
  /** Its number, from 1 on, as on the screen. */
  line: number
  /** As one reads it, without colours, and cut. */
  text: string
  /** What tells that it matters: a tool, or what it is about. */
  reason: string
  /** What its rule gives it: the higher, the more it tells. Comparable within one log only; behind the first, lines stand by their form as well. */
  score: number
}

export interface EndOfStep {
  /** A step that ended well has no cause. */
  exitCode?: number | undefined
  /** Lines (as `normalise` makes them) that the step said before, when it was green: a set, or what answers as one. */
  known?: { has(line: string): boolean } | undefined
}

export interface Finder {
  /** A line, or several joined by line ends (none behind the last). */
  push(text: string): void
  /** The decisive lines, the most telling first. May be asked again when more came. */
  end(how?: EndOfStep): DecisiveLine[]
}

/** How many lines are told at most. */
const most = 12
/** Lines that tell so much less than the first one are not told, beyond the first three. */
const close = 30
const longestShown = 400
/** How many different lines are kept that tell something, and that tell nothing; and of more than those the last ones. */
const mostKept = 4096
const mostDull = 20_000
const lateKept = 128

interface Told {
  line: number
  text: string
  /** How many commands had begun by then. */
  command: number
  /** Right behind the name of a test that failed, or what else says that a failure comes. */
  boosted: boolean
}

/** A line that was seen, as often as it came with other numbers. */
interface Seen extends Ruled {
  count: number
  told: Told
  /** Where else it came in that command; only while that are few. */
  again: Told[]
}

/** What an exit code says of itself. */
const hints: Readonly<Record<number, RegExp>> = {
  124: /\btimed? ?-?out\b|\bsignal TERM\b|\bTerminated\b/i,
  126: /permission denied|cannot execute|exec format/i,
  127: /not found/i,
  134: /abort|assert/i,
  137: /\bkilled\b|\boom|\bmemory\b/i,
  139: /segmentation|segv/i,
  143: /\bterminated\b|\btimed? ?out\b|\bcancel/i,
}

/** A line that comes more often than this is told once. */
const mostAgain = 7
/** So much less tells a line that only announces one. */
const headings = 32

/** What is wrong in a place may be so in others, too, before it is taken for noise. */
const fewTimes = 12

/** Where warnings are errors they stand a little behind what is said to be one. */
const strictLess = 8
/** What tells less only sums up, or stands last; and what a warning must be worth to be what such a line speaks of. */
const telling = 50
const leastWarned = 66
const counting = /\b(?:violations?|warnings?|issues?|problems?|findings?|offenses?)\b|\bnot (?:been )?met\b/i
const mostInTest = 64
const testBegins = /^(?:=== RUN|\[ RUN)/
const testPassed = /^(?:--- PASS|\[ {3,}OK \])/

/** Such lines begin with `=`, `-` or `[`. */
const ofTests = new Set([61, 45, 91])

class LogFinder implements Finder {
  readonly #sieve = new Sieve(words)
  readonly #shapes = new Map<number, Seen>()
  /** Lines that tell nothing. */
  readonly #dull = new Set<number>()
  #late: Told[] = []
  #lines = 0
  readonly #commands = new Commands()
  readonly #waiting = new Waiting()
  readonly #tail = new Tail()
  /** Warnings are errors. */
  #isStrict = false
  /** What the test at hand has said, where tests tell when they begin. */
  #inTest: Seen[] | undefined
  /** What was told last. */
  #latest: Seen | undefined
  readonly #isFull = (isLoose: boolean): boolean => {
    const times = isLoose ? 1 : 2
    return this.#shapes.size >= times * mostKept || this.#dull.size >= times * mostDull
  }

  push(text: string): void {
    const before = this.#lines
    this.#lines += this.#sieve.sift(text, (index, from, to) => this.#look(before + index + 1, text, from, to))
    this.#tail.keep(text, before, this.#lines, this.#commands.count)
  }

  /** Answers how many of the next lines are to be looked at as well. */
  #look(line: number, text: string, from: number, to: number): number {
    if (this.#commands.isOne(line, text, from)) {
      this.#commands.begin(line, plainOf(text.slice(from, to)))
      this.#waiting.end()
      return 0
    }
    if (ofTests.has(text.charCodeAt(from))) this.#scope(text.slice(from, from + 12))
    const shape = shapeOf(text, from, to)
    const seen = this.#shapes.get(shape)
    const isWanted = this.#waiting.wants(line - 1)
    if (seen && !isWanted) {
      this.#count(seen, line, text, from, to)
      this.#waiting.open(line, seen.rule, '', this.#isFull)
    } else if (isWanted || !this.#dull.has(shape)) this.#read(line, text.slice(from, to), shape, seen)
    return this.#waiting.wants(line) ? 1 : 0
  }

  /** What a test that passed has said is no cause. */
  #scope(start: string): void {
    const passed = testPassed.test(start)
    if (!passed && !testBegins.test(start)) return
    if (passed) for (const seen of this.#inTest ?? []) seen.weight = Math.min(seen.weight, foreseen)
    this.#inTest = passed ? undefined : []
    this.#waiting.endTest()
  }

  /** A line that was not seen before, or that another one announced. */
  #read(line: number, raw: string, shape: number, known: Seen | undefined): void {
    if (!known && !this.#waiting.isOn && this.#isFull(true)) {
      // Too many different ones to read them all: the last of them are read at the end.
      this.#late.push({ line, text: raw.slice(0, longest), command: this.#commands.count, boosted: false })
      if (this.#late.length > 2 * lateKept) this.#late.splice(0, lateKept)
      return
    }
    const plain = plainOf(raw)
    if (strict.test(plain)) this.#isStrict = true
    if (forgiven.test(plain)) {
      this.#forgive(line)
      return
    }
    const ruled = this.#waiting.weigh(line, plain, known ?? ruleOf(plain))
    if (!ruled) {
      this.#dull.add(shape)
      return
    }
    const told = this.#told(line, plain)
    if (known && known.weight >= ruled.weight) this.#count(known, line, plain, 0, plain.length)
    else {
      const made = { ...ruled, count: (known?.count ?? 0) + 1, told, again: [] }
      this.#shapes.set(shape, made)
      this.#latest = made
      if (this.#inTest && this.#inTest.length < mostInTest) this.#inTest.push(made)
    }
    this.#waiting.open(line, (this.#shapes.get(shape) ?? ruled).rule, plain, this.#isFull)
  }

  /** What was said right before was foreseen. */
  #forgive(line: number): void {
    const latest = this.#latest
    if (latest && line - latest.told.line <= 2) latest.weight = Math.min(latest.weight, foreseen)
  }

  #told(line: number, text: string): Told {
    return { line, text, command: this.#commands.count, boosted: this.#waiting.isBoosted(line) }
  }

  /** It is told where it first came in the command that ran last, best behind what announces a failure. */
  #count(seen: Seen, line: number, text: string, from: number, to: number): void {
    seen.count++
    this.#latest = seen
    const { told } = seen
    const { count } = this.#commands
    const isLater = count > told.command
    const isBetter = this.#waiting.isBoosted(line) && !told.boosted && !seen.rule.opens && count === told.command
    if (!isLater && !isBetter && (seen.again.length >= mostAgain || line === told.line)) return
    const next = this.#told(line, plainOf(text.slice(from, to)))
    if (isLater || isBetter) {
      seen.told = next
      seen.again = []
    } else seen.again.push(next)
  }

  end(how: EndOfStep = {}): DecisiveLine[] {
    if (how.exitCode === 0) return []
    const ranked = this.#ranked(how, this.#isStrict ? 0 : Infinity)
    const [first] = ranked
    // Last words that only count what is wrong speak of what was warned of above them.
    const isCount = first !== undefined && first.score < telling && counting.test(first.text)
    return isCount ? this.#ranked(how, leastWarned) : ranked
  }

  /** Warnings count as errors whose kind of line is worth `strictFrom`. */
  #ranked({ exitCode, known }: EndOfStep, strictFrom: number): DecisiveLine[] {
    const hint = hints[exitCode ?? 0]
    const late = this.#late.flatMap((told) => {
      const text = plainOf(told.text)
      const ruled = ruleOf(text)
      return ruled ? { ...ruled, count: 1, told: { ...told, text }, again: [] } : []
    })
    const found = [...this.#shapes.values(), ...late].flatMap((seen) =>
      [seen.told, ...(seen.count <= mostAgain + 1 ? seen.again : [])].map((told) =>
        this.#scored(seen, told, { hint, known, strictFrom }),
      ),
    )
    const best = new Map<number, DecisiveLine>()
    const ends = this.#tail.ends(this.#commands, exitCode).map((one) => ({
      ...one,
      text: one.text.slice(0, longestShown),
      score: one.score + (one.reason === 'end' ? freshness(one.text, known) : 0),
    }))
    for (const one of [...found, ...ends])
      if (one.score > (best.get(one.line)?.score ?? -Infinity)) best.set(one.line, one)
    for (const { told, again, rule } of this.#shapes.values())
      if (rule.opens) for (const { line } of [told, ...again]) announce(best, line, rule.opens)
    const ranked = [...best.values()].toSorted((a, b) => b.score - a.score || a.line - b.line)
    const least = (ranked[0]?.score ?? 0) - close
    return inOrder(ranked)
      .filter(({ score }, place) => place < 3 || score >= least)
      .slice(0, most)
  }

  #scored(
    { reason, weight: said, rule, count, isSoft }: Seen,
    { line, text, command, boosted }: Told,
    { hint, known, strictFrom }: { hint: RegExp | undefined; known: EndOfStep['known']; strictFrom: number },
  ): DecisiveLine {
    const behind = this.#commands.count - command
    const isWarning = isSoft && rule.weight >= strictFrom && /warn/i.test(text)
    const weight = isWarning ? Math.max(said, rule.weight - strictLess) : said
    // What is said over and over is hardly the reason; but many tests fail alike, and many places are wrong alike.
    const few = rule.ofPlaces ? fewTimes : 1
    const often =
      count > few && weight < 88 && !rule.opens && !boosted
        ? Math.min(24, 4 * Math.log2(count)) / (weight > 80 ? 2 : 1)
        : 0
    const hinted = hint?.test(text) ? 12 : 0
    const score =
      weight +
      (boosted && weight > 30 && !rule.opens ? 10 : 0) +
      hinted -
      often -
      Math.min(75, 45 * behind) +
      freshness(text, known)
    return { line, text: text.slice(0, longestShown), reason, score }
  }
}

/** The name of a test that failed tells nothing besides what it announces. */
const announce = (found: ReadonlyMap<number, DecisiveLine>, line: number, opens: number): void => {
  const one = found.get(line)
  if (!one) return
  for (let next = line + 1; next <= line + opens; next++)
    if ((found.get(next)?.score ?? 0) >= one.score + 6) {
      one.score -= headings
      return
    }
}

/** Lines that the step never said before tell more. */
const freshness = (text: string, known: EndOfStep['known']): number =>
  known ? (known.has(normalise(text)) ? -40 : 10) : 0

export const createFinder = (): Finder => new LogFinder()
