/**
 * Parses the JSON array of a saved log as its bytes arrive: complete rows are parsed in batches, so
 * that the response's text never exists as one string.
 */
import type { Line } from '@flightdeck/api'

const quote = 0x22
const backslash = 0x5c
const open = 0x7b
const close = 0x7d
const arrayOpen = 0x5b

/** The maximum of a JavaScript date, in Unix milliseconds. */
const latest = 8.64e15
const isWithin = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** A row as servers send it; missing and invalid fields get a default value. */
const toLine = (value: unknown, position: number): Line => {
  const row: Partial<Record<keyof Line, unknown>> = typeof value === 'object' && value !== null ? value : {}
  return {
    pos: typeof row.pos === 'number' && row.pos >= 0 ? row.pos : position,
    out: typeof row.out === 'string' ? row.out : '',
    time: typeof row.time === 'number' && row.time >= 0 ? row.time : 0,
    ...(isWithin(row.tenth, 9) && { tenth: row.tenth }),
    ...(isWithin(row.began, latest) && { began: row.began }),
  }
}

/** One message of the live stream; undefined if it is invalid. */
export const parseRow = (json: string, position: number): Line | undefined => {
  try {
    return toLine(JSON.parse(json), position)
  } catch {
    return undefined
  }
}

export class RowReader {
  /**
   * Bytes of incomplete rows: the first `#length`. Reused for each chunk, because allocating memory
   * is slow.
   */
  #buffer = new Uint8Array(0)
  #length = 0
  /** The position up to which it was scanned, and the scanner's state there. */
  #at = 0
  #depth = 0
  #inString = false
  #started = false
  #count = 0
  readonly #decoder = new TextDecoder()

  /** The rows that these bytes complete. Throws if they are not JSON. */
  push(bytes: Uint8Array): Line[] {
    const data = this.#extend(bytes)
    if (!this.#started && !this.#begin(data)) return []
    const end = this.#lastRowEnd(data)
    if (end === 0) return []
    const text = this.#decoder.decode(data.subarray(0, end)).trim().replace(/^,/, '')
    data.copyWithin(0, end)
    this.#length -= end
    this.#at -= end
    return this.#parse(`[${text}]`)
  }

  /** The end of the response. Throws if it is truncated. */
  end(): void {
    const rest = this.#decoder.decode(this.#buffer.subarray(0, this.#length)).trim()
    const complete = this.#started ? rest === ']' : rest === '' || rest === 'null'
    if (!complete) throw new SyntaxError('The log is not complete')
  }

  /** The bytes of incomplete rows, followed by these. */
  #extend(bytes: Uint8Array): Uint8Array {
    const before = this.#length
    this.#length += bytes.length
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(this.#length * 2)
      larger.set(this.#buffer.subarray(0, before))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, before)
    return this.#buffer.subarray(0, this.#length)
  }

  #begin(data: Uint8Array): boolean {
    const at = data.findIndex((byte) => byte > 0x20)
    if (at === -1) return false
    if (data[at] !== arrayOpen) return false
    this.#started = true
    // Replaces the bracket by white space, so that only rows and commas follow.
    data[at] = 0x20
    this.#at = at + 1
    return true
  }

  /** The index after the last complete row, 0 if there is none. */
  #lastRowEnd(data: Uint8Array): number {
    let end = 0
    let i = this.#at
    while (i < data.length) {
      if (this.#inString) {
        const at = data.indexOf(quote, i)
        if (at === -1) {
          // A backslash at the very end may escape the next quote: check the run again when more
          // data arrives.
          let run = data.length
          while (run > i && data[run - 1] === backslash) run--
          i = run
          break
        }
        let slashes = 0
        while (at - 1 - slashes >= i && data[at - 1 - slashes] === backslash) slashes++
        if (slashes % 2 === 0) this.#inString = false
        i = at + 1
        continue
      }
      const byte = data[i++]
      if (byte === quote) this.#inString = true
      else if (byte === open) this.#depth++
      else if (byte === close && --this.#depth === 0) end = i
    }
    this.#at = i
    return end
  }

  #parse(json: string): Line[] {
    const values: unknown = JSON.parse(json)
    return Array.isArray(values) ? values.map((value) => toLine(value, this.#count++)) : []
  }
}
