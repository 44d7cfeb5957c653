/**
 * A growing list of unsigned 32-bit numbers: four bytes each, and nothing for the garbage collector
 * to scan.
 */
import { binarySearch } from '../../../lib/binary-search.ts'

export class Numbers {
  #data = new Uint32Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#data.length) {
      const larger = new Uint32Array(Math.ceil(this.#data.length * 1.5))
      larger.set(this.#data)
      this.#data = larger
    }
    this.#data[this.#length++] = value
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
  }

  all(): Uint32Array<ArrayBuffer> {
    return this.#data.slice(0, this.#length)
  }

  at(index: number): number {
    return this.#data[index] ?? 0
  }

  /** The first index whose value is at least this; the values must not decrease. */
  lowerBound(value: number): number {
    return binarySearch(this.#length, (index) => this.at(index) >= value)
  }
}
