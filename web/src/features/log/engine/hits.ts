/** The hits of a search, in the order of lines. */
import { Numbers } from './numbers.ts'

export class Hits {
  readonly #lines = new Numbers()
  readonly #starts = new Numbers()
  readonly #ends = new Numbers()

  get count(): number {
    return this.#lines.length
  }

  push(line: number, start: number, end: number): void {
    this.#lines.push(line)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  /** Removes the hits from this line on. */
  truncate(line: number): void {
    const at = this.#lines.lowerBound(line)
    for (const list of [this.#lines, this.#starts, this.#ends]) list.truncate(at)
  }

  line(index: number): number {
    return this.#lines.at(index)
  }

  /** The first hit at or after this line; `count` if there is none. */
  firstFrom(line: number): number {
    return this.#lines.lowerBound(line)
  }

  /** The hits of a line, with their numbers. */
  of(line: number): { index: number; start: number; end: number }[] {
    const marks: { index: number; start: number; end: number }[] = []
    for (let i = this.#lines.lowerBound(line); i < this.count && this.#lines.at(i) === line; i++)
      marks.push({ index: i, start: this.#starts.at(i), end: this.#ends.at(i) })
    return marks
  }

  /** Which of `buckets` equal parts of the log have a hit, for the ticks at the scroll bar. */
  spread(lines: number, buckets: number): number[] {
    const found = new Set<number>()
    const perBucket = Math.max(1, lines / buckets)
    for (let bucket = 0; bucket < buckets; bucket++) {
      const at = this.#lines.lowerBound(Math.floor(bucket * perBucket))
      if (at < this.count && this.#lines.at(at) < (bucket + 1) * perBucket) found.add(bucket)
    }
    return [...found]
  }
}
