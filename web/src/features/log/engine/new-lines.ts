/**
 * Finds the lines of a log that an earlier run did not have, in slices, so that lines can be
 * requested in between.
 */
import { blankLine, createFingerprint, hashOfLine, readFingerprint, type Fingerprint } from '@flightdeck/cause'

import type { LogModel } from './model.ts'
import { Numbers } from './numbers.ts'

const blockLines = 1024

/** Reads the lines of a log in blocks; returns the next line to read. */
const lookOn = (model: LogModel, from: number, until: number, use: (line: number) => void): number => {
  let at = from
  while (at < model.lines && performance.now() < until)
    for (const to = Math.min(model.lines, at + blockLines); at < to; at++) use(at)
  return at
}

export class NewLinesScan {
  readonly #model: LogModel
  readonly #known: Fingerprint | undefined
  readonly #found = new Numbers()
  #at = 0

  /** `known`: the fingerprint of the earlier run. If it is invalid, no line is new. */
  constructor(model: LogModel, known: Uint8Array) {
    this.#model = model
    this.#known = readFingerprint(known)
  }

  /** Runs until the given time of `performance.now()`; returns true once all lines are read. */
  step(until: number): boolean {
    const known = this.#known
    if (!known) return true
    this.#at = lookOn(this.#model, this.#at, until, (line) => {
      const bytes = this.#model.bytesOf(line)
      const hash = hashOfLine(bytes, 0, bytes.length)
      if (hash !== blankLine && !known.hasHash(hash)) this.#found.push(line)
    })
    return this.#at >= this.#model.lines
  }

  /** The new lines, in order. */
  found(): Uint32Array<ArrayBuffer> {
    return this.#found.all()
  }
}

/** The line hashes of a log, for a `NewLinesScan` of another one. */
export class FingerprintScan {
  readonly #model: LogModel
  readonly #writer = createFingerprint()
  #at = 0

  constructor(model: LogModel) {
    this.#model = model
  }

  step(until: number): boolean {
    this.#at = lookOn(this.#model, this.#at, until, (line) => {
      const bytes = this.#model.bytesOf(line)
      this.#writer.addBytes(bytes, 0, bytes.length)
    })
    return this.#at >= this.#model.lines
  }

  found(): Uint8Array<ArrayBuffer> {
    return this.#writer.bytes(Infinity)
  }
}
