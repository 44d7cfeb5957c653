/** The lines that a finder has recorded: repeated ones are stored once, and their number is bounded. */
import { plainOf } from './plain.ts'
import { ruleOf, type RuleMatch } from './rules/index.ts'

/** The maximum numbers of distinct relevant and irrelevant lines; beyond that, the last ones are kept. */
const maxKept = 4096
const maxDull = 20_000
const lateKept = 128
/** A line repeated more often than this is reported once. */
export const maxAgain = 7

export interface Occurrence {
  line: number
  text: string
  /** How many commands had begun by then. */
  command: number
  /** Right behind the name of a test that failed, or what else says that a failure comes. */
  boosted: boolean
  /** The line that named the failed test which it is about; 0 for none. */
  block: number
}

/** A line that was seen, as often as it came with other numbers. */
export interface Seen extends RuleMatch {
  count: number
  occurrence: Occurrence
  /** Where else it came in that command; only while that are few. */
  again: Occurrence[]
}

/** Made in this place only: objects alike are read many times quicker, and of a million lines most are counted on one. */
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

  /** Is there no room for more? What another line announced has twice as much. */
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

  /** Too many different ones to read them all: the last of them are read at the end. */
  keepLate(occurrence: Occurrence): void {
    this.#late.push(occurrence)
    if (this.#late.length > 2 * lateKept) this.#late.splice(0, lateKept)
  }

  /** All but those that came too late. */
  all(): Seen[] {
    return [...this.#shapes.values()]
  }

  /** Those that came when there was no more room. */
  late(): Seen[] {
    return this.#late.flatMap((occurrence) => {
      const text = plainOf(occurrence.text)
      const ruled = ruleOf(text)
      return ruled ? [seenOf(ruled, { ...occurrence, text })] : []
    })
  }
}
