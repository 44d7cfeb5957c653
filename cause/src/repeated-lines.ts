/**
 * The lines that a finder has recorded: repeated ones are stored once, and their number is bounded.
 */
import { plainOf } from './plain.ts'
import { ruleOf, type RuleMatch } from './rules/index.ts'

/**
 * The maximum numbers of distinct relevant and irrelevant lines, and of the last lines that are
 * kept beyond that.
 */
const maxKept = 4096
const maxDull = 20_000
const lateKept = 128
/** A line repeated more often than this is reported once. */
export const maxAgain = 7

export interface Occurrence {
  line: number
  text: string
  /** The number of commands that had started. */
  command: number
  /** Directly after the name of a failed test, or after another line that announces a failure. */
  boosted: boolean
  /** The line that names the failed test to which this line belongs; 0 for none. */
  block: number
}

/** A recorded line, with all its occurrences with other numbers. */
export interface Seen extends RuleMatch {
  count: number
  occurrence: Occurrence
  /** Other occurrences in the same command, if there are few. */
  again: Occurrence[]
}

/**
 * Creates all of these objects with the same shape: engines read them many times faster, and most
 * lines of a log update one.
 */
export const seenOf = (
  { rule, reason, weight, isSoft = false }: RuleMatch,
  occurrence: Occurrence,
  count = 1,
): Seen => ({
  rule,
  reason,
  weight,
  isSoft,
  count,
  occurrence,
  again: [],
})

export class SeenLines {
  /** Relevant lines, by shape (`shapeOf`). */
  readonly #shapes = new Map<number, Seen>()
  /** Irrelevant lines. */
  readonly #dull = new Set<number>()
  #late: Occurrence[] = []

  /** Whether there is no room left. Announced lines have twice the room. */
  readonly isFull = (isLoose: boolean): boolean => {
    const times = isLoose ? 1 : 2
    return this.#shapes.size >= times * maxKept || this.#dull.size >= times * maxDull
  }

  of(shape: number): Seen | undefined {
    return this.#shapes.get(shape)
  }

  isDull(shape: number): boolean {
    return this.#dull.has(shape)
  }

  keep(shape: number, seen: Seen): void {
    this.#shapes.set(shape, seen)
  }

  keepDull(shape: number): void {
    this.#dull.add(shape)
  }

  /** Keeps the last of the lines for which there is no room; they are read at the end. */
  keepLate(occurrence: Occurrence): void {
    this.#late.push(occurrence)
    if (this.#late.length > 2 * lateKept) this.#late.splice(0, lateKept)
  }

  /** All recorded lines, without the late ones. */
  all(): Seen[] {
    return [...this.#shapes.values()]
  }

  /** The lines for which there was no room. */
  late(): Seen[] {
    return this.#late.flatMap((occurrence) => {
      const text = plainOf(occurrence.text)
      const ruled = ruleOf(text)
      return ruled ? [seenOf(ruled, { ...occurrence, text })] : []
    })
  }
}
