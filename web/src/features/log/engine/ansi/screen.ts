/** One row of a terminal, after carriage returns, backspaces and erasures have been applied. */
import { sameStyle, type Style } from './style.ts'
import type { Segment } from './segment.ts'

interface Cell {
  char: string
  style: Style
  href: string | undefined
  /** The number of erasures before it was written. */
  age: number
}

/**
 * The number of blanks that cursor movement can add, so that a hostile log can't allocate
 * gigabytes.
 */
const maxBlanks = 4096
const tabWidth = 8

export class Row {
  readonly #cells: Cell[] = []
  #at = 0
  #blanks = maxBlanks
  /**
   * `ESC [ 1 K` as the column that it erased up to and its sequence number, sorted by column: one
   * that reaches further replaces those before it. Cells are erased only at the end, so that the
   * cost never exceeds the line's length.
   */
  readonly #erased: { end: number; age: number }[] = []
  #age = 0

  write(text: string, style: Style, href: string | undefined): void {
    // By code points: a surrogate pair is one cell.
    for (const char of text) {
      if (char === '\t') this.moveTo(this.#at - (this.#at % tabWidth) + tabWidth, style)
      else this.#cells[this.#at++] = { char, style, href, age: this.#age }
    }
  }

  carriageReturn(): void {
    this.#at = 0
  }

  /** Relative; stops at the left edge. */
  move(by: number, style: Style): void {
    this.moveTo(this.#at + by, style)
  }

  moveTo(column: number, style: Style): void {
    this.#at = Math.max(0, Math.min(column, this.#cells.length + this.#blanks))
    if (this.#cells.length >= this.#at) return
    const blank = { char: ' ', style: { ...style, bg: -1 }, href: undefined, age: this.#age }
    this.#blanks -= this.#at - this.#cells.length
    while (this.#cells.length < this.#at) this.#cells.push(blank)
  }

  /**
   * `ESC [ n K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 the whole line.
   */
  erase(mode: number): void {
    if (mode === 2) {
      // The cursor stays in place, but the blanks that a terminal would leave before it are
      // dropped.
      this.#cells.length = 0
      this.#at = 0
    } else if (mode === 1) {
      const end = Math.min(this.#at + 1, this.#cells.length)
      while ((this.#erased.at(-1)?.end ?? Infinity) <= end) this.#erased.pop()
      this.#erased.push({ end, age: ++this.#age })
    } else this.#cells.length = Math.min(this.#cells.length, this.#at)
  }

  /** Joins adjacent cells of the same style. */
  segments(): Segment[] {
    const segments: Segment[] = []
    let chars: string[] = []
    let open: Omit<Cell, 'char' | 'age'> | undefined
    const close = (): void => {
      if (open) segments.push({ text: chars.join(''), style: open.style, href: open.href })
      chars = []
    }
    let last = this.#erased.length - 1
    this.#cells.forEach((cell, column) => {
      while (last >= 0 && (this.#erased[last]?.end ?? 0) <= column) last--
      const isErased = (this.#erased[last]?.age ?? 0) > cell.age
      const { style } = cell
      const href = isErased ? undefined : cell.href
      if (!open || !sameStyle(open.style, style) || open.href !== href) {
        close()
        open = { style, href }
      }
      chars.push(isErased ? ' ' : cell.char)
    })
    close()
    return segments
  }
}
