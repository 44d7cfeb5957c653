/** One row of a terminal: what is left after carriage returns, backspaces and erasures have been followed. */
import { sameStyle, type Style } from './style.ts'
import type { Segment } from './segment.ts'

interface Cell {
  char: string
  style: Style
  href: string | undefined
}

/** A cursor sent further right than this stays here, so that a hostile log cannot ask for gigabytes of blanks. */
const maxBlank = 4096

export class Row {
  readonly #cells: Cell[] = []
  #at = 0

  write(text: string, style: Style, href: string | undefined): void {
    // By code points: a pair of surrogates is one cell.
    for (const char of text) this.#cells[this.#at++] = { char, style, href }
  }

  carriageReturn(): void {
    this.#at = 0
  }

  /** Relative; stops at the left edge. */
  move(by: number, style: Style): void {
    this.moveTo(this.#at + by, style)
  }

  moveTo(column: number, style: Style): void {
    this.#at = Math.max(0, Math.min(column, this.#cells.length + maxBlank))
    while (this.#cells.length < this.#at) this.#cells.push({ char: ' ', style: { ...style, bg: -1 }, href: undefined })
  }

  /** `ESC [ n K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 the whole line. */
  erase(mode: number): void {
    if (mode === 2) {
      // The cursor stays where it is, but nobody wants the blanks that a terminal would leave before it.
      this.#cells.length = 0
      this.#at = 0
    } else if (mode === 1) {
      const last = this.#cells[Math.min(this.#at, this.#cells.length - 1)]
      const end = Math.min(this.#at + 1, this.#cells.length)
      if (last) for (let i = 0; i < end; i++) this.#cells[i] = { char: ' ', style: last.style, href: undefined }
    } else this.#cells.length = Math.min(this.#cells.length, this.#at)
  }

  /** Neighbours of the same look joined. */
  segments(): Segment[] {
    const segments: Segment[] = []
    let chars: string[] = []
    let open: Cell | undefined
    const close = (): void => {
      if (open) segments.push({ text: chars.join(''), style: open.style, href: open.href })
      chars = []
    }
    for (const cell of this.#cells) {
      if (!open || !sameStyle(open.style, cell.style) || open.href !== cell.href) {
        close()
        open = cell
      }
      chars.push(cell.char)
    }
    close()
    return segments
  }
}
