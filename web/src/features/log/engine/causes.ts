/**
 * Finds the error lines of a failed step's log, in slices, so that line requests are served in
 * between.
 */
import { createFinder, failedTestOf, readFingerprint, type FailedTest } from '@flightdeck/cause'

import { plainText } from './ansi/index.ts'
import type { LogModel } from './model.ts'

const blockLines = 4096
/** The number of context lines before and after an error line. */
const contextLines = 2
/** Longer lines are truncated to this many characters; the console has the full line. */
const maxChars = 300

export interface CauseLine {
  /** The line number on the screen and in links. */
  number: number
  text: string
}

export interface Cause extends CauseLine {
  /** The index among the loaded lines. */
  index: number
  before: CauseLine[]
  after: CauseLine[]
  /** No line reports a failure: it is only the last line. */
  guess?: true
  /** Only for the first cause: the failed test. */
  test?: FailedTest
}

/** Lines whose score is lower than the first one's by more than this are not marked. */
const maxScoreGap = 30

const decoder = new TextDecoder()

const blockOf = (model: LogModel, from: number, to: number): string => {
  const parts = model.raw(from, to)
  const text = parts.map((bytes, i) => decoder.decode(bytes, { stream: i < parts.length - 1 })).join('')
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

export class CauseScan {
  readonly #model: LogModel
  readonly #exitCode: number | undefined
  readonly #known: Uint8Array | undefined
  readonly #finder = createFinder()
  #at = 0

  /** `known`: the fingerprint of the step's last successful log. */
  constructor(model: LogModel, exitCode: number | undefined, known?: Uint8Array) {
    this.#model = model
    this.#exitCode = exitCode
    this.#known = known
  }

  /** Runs until the given time of `performance.now()`; returns true once all lines are read. */
  step(until: number): boolean {
    while (this.#at < this.#model.lines) {
      if (performance.now() >= until) return false
      const to = Math.min(this.#model.lines, this.#at + blockLines)
      this.#finder.push(blockOf(this.#model, this.#at, to))
      this.#at = to
    }
    return true
  }

  /** Most relevant first. */
  found(): Cause[] {
    const found = this.#finder.end({ exitCode: this.#exitCode, known: this.#known && readFingerprint(this.#known) })
    const minScore = (found[0]?.score ?? 0) - maxScoreGap
    // If no line reports a failure, only the last line is known.
    const shown = found.filter(({ reason, score }, place) => place === 0 || (reason !== 'end' && score >= minScore))
    return shown.map(({ line, reason }, place) => {
      if (reason === 'end') return { ...this.#cause(line - 1), guess: true }
      const test = place === 0 ? this.#test(line - 1) : undefined
      return { ...this.#cause(line - 1), ...(test && { test }) }
    })
  }

  #test(index: number): FailedTest | undefined {
    const model = this.#model
    return failedTestOf({ count: model.lines, at: (at) => model.text(at) }, index)
  }

  /**
   * Near either end of the log, the other side gets more lines, so that the total stays the same.
   */
  #cause(index: number): Cause {
    const { lines } = this.#model
    const all = 2 * contextLines + 1
    const from = Math.max(0, Math.min(index - contextLines, lines - all))
    return {
      index,
      ...this.#line(index),
      before: this.#lines(from, index),
      after: this.#lines(index + 1, Math.min(lines, from + all)),
    }
  }

  #lines(from: number, to: number): CauseLine[] {
    return Array.from({ length: Math.max(0, to - from) }, (_, i) => this.#line(from + i))
  }

  #line(index: number): CauseLine {
    return { number: this.#model.numberOf(index), text: plainText(this.#model.text(index)).slice(0, maxChars) }
  }
}
