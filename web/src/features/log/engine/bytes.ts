/**
 * A text that only grows (or is truncated at its end), stored as UTF-8 in blocks: a log of 90 MB
 * takes 90 MB, not 180.
 */

const blockBits = 20
const blockSize = 1 << blockBits
const mask = blockSize - 1

export class Bytes {
  readonly #blocks: Uint8Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.length) {
      const offset = this.#length & mask
      const index = this.#length >>> blockBits
      let block = this.#blocks[index]
      if (!block) {
        block = new Uint8Array(blockSize)
        this.#blocks.push(block)
      }
      const part = Math.min(blockSize - offset, bytes.length - from)
      block.set(bytes.subarray(from, from + part), offset)
      from += part
      this.#length += part
    }
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
    this.#blocks.length = Math.ceil(this.#length / blockSize)
  }

  at(index: number): number | undefined {
    return index < this.#length ? this.#blocks[index >>> blockBits]?.[index & mask] : undefined
  }

  /** A view if possible, otherwise a copy. */
  read(from: number, to: number): Uint8Array {
    const first = from >>> blockBits
    const last = (to - 1) >>> blockBits
    if (to <= from) return new Uint8Array(0)
    if (first === last) return (this.#blocks[first] ?? new Uint8Array(0)).subarray(from & mask, ((to - 1) & mask) + 1)
    const copy = new Uint8Array(to - from)
    for (let at = from; at < to;) {
      const end = Math.min(to, ((at >>> blockBits) + 1) << blockBits)
      const block = this.#blocks[at >>> blockBits]
      if (block) copy.set(block.subarray(at & mask, (at & mask) + end - at), at - from)
      at = end
    }
    return copy
  }
}
