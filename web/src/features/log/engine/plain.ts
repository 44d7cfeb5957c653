import { plainText } from './ansi/index.ts'
import { asciiRuns } from './ascii.ts'
import type { LogModel } from './model.ts'

const lineEnd = Uint8Array.of(0x0a)
const chunkSize = 1 << 20
const encoder = new TextEncoder()

/**
 * The visible text of lines, without colors and with cursor movements applied. Created in slices:
 * see `step`.
 */
export class PlainCopy {
  readonly #model: LogModel
  readonly #from: number
  readonly #to: number
  readonly #only: Uint32Array | undefined
  #next: number
  #parts: Uint8Array<ArrayBuffer>[] = []
  #chunk = new Uint8Array(chunkSize)
  #used = 0

  /** `only`: copies only these of the lines in between, in order. */
  constructor(model: LogModel, from: number, to: number, only?: Uint32Array) {
    this.#model = model
    this.#only = only?.filter((line) => line >= from && line < to)
    this.#from = this.#only ? 0 : from
    this.#to = this.#only?.length ?? to
    this.#next = this.#from
  }

  /** Runs until the given time of `performance.now()`; returns true when complete. */
  step(until: number): boolean {
    while (this.#next < this.#to) {
      if (this.#next % 256 === 0 && performance.now() >= until) return false
      if (this.#next > this.#from) this.#add(lineEnd)
      this.#addLine(this.#only?.[this.#next] ?? this.#next)
      this.#next++
    }
    return true
  }

  blob(): Blob {
    this.#flush()
    return new Blob(this.#parts)
  }

  #addLine(line: number): void {
    const bytes = this.#model.bytesOf(line)
    if (bytes.length > chunkSize - this.#used) this.#flush()
    if (bytes.length <= chunkSize) {
      const start = this.#used
      const isSimple = asciiRuns(bytes, (from, to) => {
        this.#chunk.set(bytes.subarray(from, to), this.#used)
        this.#used += to - from
      })
      if (isSimple) return
      this.#used = start
    }
    this.#add(encoder.encode(plainText(this.#model.text(line))))
  }

  #add(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > chunkSize - this.#used) this.#flush()
    if (bytes.length > chunkSize) this.#parts.push(bytes)
    else {
      this.#chunk.set(bytes, this.#used)
      this.#used += bytes.length
    }
  }

  #flush(): void {
    if (this.#used === 0) return
    this.#parts.push(this.#chunk.subarray(0, this.#used))
    this.#chunk = new Uint8Array(chunkSize)
    this.#used = 0
  }
}
