/** Which lines of a failed step tell why, found while its log goes by once. Keeps a bounded number of lines, whatever comes. */
import { Sieve, shapeOf } from './grams.ts'
import { normalise } from './normalise.ts'
import { longest, plainOf } from './plain.ts'
import { announcing, Boxes, drawn, indentOf, place, repeats } from './rules/blocks.ts'
import { advice, forgiven, harmless, strict } from './rules/harmless.ts'
import { ruleOf, type Ruled } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'
import { words } from './rules/words.ts'

export interface DecisiveLine {
  /** Its number, from 1 on, as on the screen. */
  line: number
  /** As one reads it, without colours, and cut. */
  text: string
  /** What tells that it matters: a tool, or what it is about. */
  reason: string
  /** The higher, the more it tells. Comparable within one log only. */
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

/** The last words of a program that goes on to its end. */
const closing = /^\W*(?:done|finished|complete|completed|bye|exiting|clean(?:ing)? ?up|all done)\b.{0,20}$/i
/** `docs/a.md: leads nowhere`: what something is, of a program's own words. */
const statement = /^(?:[a-z][\w-]* \d+|[\w-]*[./][\w./-]{1,80}(?::\d+)?): [a-z]/

/** Says nothing but its level. */
const mute = /^(?:\W*\[[A-Z]{4,7}\])?\W*$/

/** How many lines are told at most. */
const most = 12
/** Lines that tell so much less than the first one are not told, beyond the first three. */
const close = 30
const longestShown = 400
/** How many different lines are kept that tell something, and that tell nothing; and of more than those the last ones. */
const mostKept = 4096
const mostDull = 32_000
const lateKept = 128
/** The last lines are looked at whatever they say. */
const tailKept = 40
/** So far behind a line of a difference a `+ ` is one of it, and no command. */
const differenceLines = 8
/** A trace is no longer than this. */
const longestTrace = 1000

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
/** Commands that tidy up behind one that failed. */
const tidying =
  /^[+$] (?:exit|rm|cleanup|clean_up|trap|return|kill|wait|docker (?:rm|stop|compose down)|echo|printf|set|popd|cat)\b/

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

/** What a line is worth that was foreseen. */
const foreseen = 24
/** And one that says the name of the test again. */
const repeated = 44
/** Where warnings are errors they stand a little behind what is said to be one. */
const strictLess = 8
const mostInTest = 64
const testBegins = /^(?:=== RUN|\[ RUN)/
const testPassed = /^(?:--- PASS|\[ {3,}OK \])/

/** What the last line is worth, whatever it says; more if somebody says behind it that the command failed. */
const lastWords = 34
const lastWordsBeforeSum = 44
/** And those before it. */
const others = 8

const plus = 43
const dollar = 36
const dash = 45
const blank = 32

class LogFinder implements Finder {
  readonly #sieve = new Sieve(words)
  readonly #shapes = new Map<number, Seen>()
  /** Lines that tell nothing. */
  readonly #dull = new Set<number>()
  #late: Told[] = []
  #lines = 0
  #commands = 0
  #lastCommand: { line: number; text: string } | undefined
  /** The last line of a difference, which has lines that begin with `+ ` as commands do. */
  #difference = -differenceLines
  #boostUntil = 0
  /** The name of the test that failed. */
  #opener = ''
  readonly #boxes = new Boxes()
  /** Warnings are errors. */
  #isStrict = false
  /** What the test at hand has said, where tests tell when they begin. */
  #inTest: Seen[] | undefined
  /** What the line that is waited for is worth, and since when. */
  #next: { rule: Rule; line: number; text: string } | undefined
  #tail: { line: number; text: string; command: number }[] = []

  push(text: string): void {
    const before = this.#lines
    this.#lines += this.#sieve.sift(text, (index, from, to) => this.#look(before + index + 1, text, from, to))
    this.#keepTail(text, before)
  }

  /** Answers how many of the next lines are to be looked at as well. */
  #look(line: number, text: string, from: number, to: number): number {
    if (this.#isCommand(line, text, from)) {
      this.#begin(line, plainOf(text.slice(from, to)))
      return 0
    }
    if (text.charCodeAt(from) !== blank) this.#scope(text.slice(from, from + 12))
    const shape = shapeOf(text, from, to)
    const seen = this.#shapes.get(shape)
    if (seen && !this.#next) {
      this.#count(seen, line, text, from, to)
      this.#open(line, seen)
    } else if (this.#next || !this.#dull.has(shape)) this.#read(line, text.slice(from, to), shape, seen)
    return this.#next ? 1 : 0
  }

  /** What a test that passed has said is no cause. */
  #scope(start: string): void {
    const passed = testPassed.test(start)
    if (!passed && !testBegins.test(start)) return
    if (passed) for (const seen of this.#inTest ?? []) seen.weight = Math.min(seen.weight, foreseen)
    this.#inTest = passed ? undefined : []
    this.#boostUntil = 0
  }

  /** A line that was not seen before, or that another one announced. */
  #read(line: number, raw: string, shape: number, known: Seen | undefined): void {
    if (!known && !this.#next && this.#isFull(1)) {
      // Too many different ones to read them all: the last of them are read at the end.
      this.#late.push({ line, text: raw.slice(0, longest), command: this.#commands, boosted: false })
      if (this.#late.length > 2 * lateKept) this.#late.splice(0, lateKept)
      return
    }
    const plain = plainOf(raw)
    if (forgiven.test(plain)) this.#forgive(line)
    const found = known ?? ruleOf(plain)
    const awaited = this.#await(line, plain, found?.weight ?? 0, found?.rule)
    if (strict.test(plain)) this.#isStrict = true
    const ruled = this.#inPlace(line, plain, awaited ?? found)
    if (!ruled) {
      this.#dull.add(shape)
      return
    }
    const told = this.#told(line, plain)
    if (known && known.weight >= ruled.weight) this.#count(known, line, plain, 0, plain.length)
    else {
      const made = { ...ruled, count: (known?.count ?? 0) + 1, told, again: [] }
      this.#shapes.set(shape, made)
      if (this.#inTest && this.#inTest.length < mostInTest) this.#inTest.push(made)
    }
    this.#open(line, this.#shapes.get(shape) ?? ruled, plain)
  }

  /** The same words tell less in a box that warns, and where they only repeat the name of the test. */
  #inPlace(line: number, plain: string, ruled: Ruled | undefined): Ruled | undefined {
    const warns = this.#boxes.warns(plain)
    if (!ruled) return undefined
    if (warns) return { ...ruled, weight: Math.min(ruled.weight, foreseen) }
    if (line > this.#boostUntil || ruled.rule.opens || !repeats(plain, this.#opener)) return ruled
    return { ...ruled, weight: Math.min(ruled.weight, repeated) }
  }

  #open(line: number, { rule }: Pick<Ruled, 'rule'>, plain = ''): void {
    if (rule.opens) {
      this.#boostUntil = line + rule.opens
      this.#opener = plain
    }
    const announced = rule.next ? rule : announcing(plain, rule.weight) ? heading(rule.weight) : undefined
    if (!announced || this.#isFull(announced.soon === undefined ? 2 : 1)) return
    if ((announced.next ?? 0) >= (this.#next?.rule.next ?? 0)) this.#next = { rule: announced, line, text: plain }
  }

  #isFull(times: number): boolean {
    return this.#shapes.size >= times * mostKept || this.#dull.size >= times * mostDull
  }

  /** `+ command`, as runners print it, and `$ command`; not the lines of a difference. */
  #isCommand(line: number, text: string, from: number): boolean {
    const first = text.charCodeAt(from)
    if (first === dash) this.#difference = line
    if (first !== plus && first !== dollar) return false
    const second = text.charCodeAt(from + 1)
    const third = text.charCodeAt(from + 2)
    if (second !== blank || third === blank || Number.isNaN(third)) {
      if (first === plus && second !== plus) this.#difference = line
      return false
    }
    return first === dollar || line - this.#difference > differenceLines
  }

  #begin(line: number, text: string): void {
    this.#next = undefined
    this.#boostUntil = 0
    if (tidying.test(text)) return
    this.#commands++
    this.#lastCommand = { line, text }
  }

  /** What a line is worth that an opening one announced: `Traceback`, `What went wrong`, the name of a test that failed. */
  #await(line: number, plain: string, weight: number, rule: Rule | undefined): Ruled | undefined {
    const waiting = this.#next
    if (!waiting) return undefined
    const { next = 0, reason, dedent, soon, deeper } = waiting.rule
    if (line - waiting.line > (soon ?? longestTrace)) this.#next = undefined
    if (!/\w/.test(plain) || (dedent && /^[\s|+]/.test(plain))) return undefined
    // A place, a piece of source and the name again say nothing yet.
    if (!dedent && (place.test(plain) || drawn.test(plain) || waiting.text.includes(plain.trim()))) return undefined
    if (rule?.reason === 'summary') return undefined
    this.#next = undefined
    if (advice.test(plain) || (soon !== undefined && harmless.test(plain))) return undefined
    if (deeper && indentOf(plain) <= indentOf(waiting.text)) return undefined
    // A heading or a sum does not become more by its place.
    if (weight >= next || rule?.next) return undefined
    if (weight === 0 && plain.trimEnd().endsWith(':')) {
      this.#next = { ...waiting, line }
      return undefined
    }
    return { rule: announced, reason, weight: next }
  }

  /** What was said right before was foreseen. */
  #forgive(line: number): void {
    for (const seen of this.#shapes.values())
      if (line - seen.told.line <= 2) seen.weight = Math.min(seen.weight, foreseen)
  }

  #told(line: number, text: string): Told {
    return { line, text, command: this.#commands, boosted: line <= this.#boostUntil }
  }

  /** It is told where it first came in the command that ran last, best behind what announces a failure. */
  #count(seen: Seen, line: number, text: string, from: number, to: number): void {
    seen.count++
    const { told } = seen
    const isLater = this.#commands > told.command
    const isBetter = line <= this.#boostUntil && !told.boosted && !seen.rule.opens && this.#commands === told.command
    if (!isLater && !isBetter && (seen.again.length >= mostAgain || line === told.line)) return
    const next = this.#told(line, plainOf(text.slice(from, to)))
    if (isLater || isBetter) {
      seen.told = next
      seen.again = []
    } else seen.again.push(next)
  }

  #keepTail(text: string, before: number): void {
    let end = text.length
    const lines: { line: number; text: string; command: number }[] = []
    for (let line = this.#lines; line > before && lines.length < tailKept; line--) {
      const from = text.lastIndexOf('\n', end - 1) + 1
      lines.push({ line, text: text.slice(from, end), command: this.#commands })
      end = from - 1
    }
    this.#tail = [...this.#tail, ...lines.toReversed()].slice(-tailKept)
  }

  end({ exitCode, known }: EndOfStep = {}): DecisiveLine[] {
    if (exitCode === 0) return []
    const hint = hints[exitCode ?? 0]
    const late = this.#late.flatMap((told) => {
      const text = plainOf(told.text)
      const ruled = ruleOf(text)
      return ruled ? { ...ruled, count: 1, told: { ...told, text }, again: [] } : []
    })
    const found = [...this.#shapes.values(), ...late].flatMap((seen) =>
      [seen.told, ...(seen.count <= mostAgain + 1 ? seen.again : [])].map((told) =>
        this.#scored(seen, told, hint, known),
      ),
    )
    const best = new Map<number, DecisiveLine>()
    for (const one of [...found, ...this.#ends(known, exitCode)])
      if (one.score > (best.get(one.line)?.score ?? -Infinity)) best.set(one.line, one)
    for (const { told, again, rule } of this.#shapes.values())
      if (rule.opens) for (const { line } of [told, ...again]) announce(best, line, rule.opens)
    const ranked = [...best.values()].toSorted((a, b) => b.score - a.score || a.line - b.line)
    const least = (ranked[0]?.score ?? 0) - close
    return ranked.filter(({ score }, place) => place < 3 || score >= least).slice(0, most)
  }

  #scored(
    { reason, weight: said, rule, count, isSoft }: Seen,
    { line, text, command, boosted }: Told,
    hint: RegExp | undefined,
    known: EndOfStep['known'],
  ): DecisiveLine {
    const behind = this.#commands - command
    const weight = isSoft && this.#isStrict && /warn/i.test(text) ? Math.max(said, rule.weight - strictLess) : said
    // What is said over and over is hardly the reason.
    const often =
      count > (boosted ? 3 : 1) && weight < 88 && !rule.opens
        ? Math.min(24, 4 * Math.log2(count)) / (weight > 80 || boosted ? 2 : 1)
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

  /** The last lines, and the last command, which is its own reason when it said nothing. */
  #ends(known: EndOfStep['known'], exitCode: number | undefined): DecisiveLine[] {
    const ends: DecisiveLine[] = []
    let said = false
    let words = lastWords
    for (const { line, text, command } of this.#tail.toReversed()) {
      const plain = plainOf(text)
      if (mute.test(plain) || line === this.#lastCommand?.line || tidying.test(plain)) continue
      if (command < this.#commands) continue
      if (line > (this.#lastCommand?.line ?? 0)) said = true
      const rule = ruleOf(plain)
      if (rule?.reason === 'summary') words = lastWordsBeforeSum
      if (rule?.reason === 'summary' || harmless.test(plain) || advice.test(plain) || closing.test(plain)) continue
      const near = 1 - (this.#lines - line) / tailKept
      ends.push({
        line,
        text: plain.slice(0, longestShown),
        reason: 'end',
        score: (statement.test(plain) ? Math.max(words, lastWords) + 2 : words) + near + freshness(plain, known),
      })
      words = others
    }
    const command = this.#lastCommand
    if (command)
      ends.push({
        line: command.line,
        text: command.text.slice(0, longestShown),
        reason: 'command',
        score: !said ? 76 : exitCode === 124 && /\btimeout\b/.test(command.text) ? lastWordsBeforeSum : others - 1,
      })
    return ends
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
