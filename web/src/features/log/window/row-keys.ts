/**
 * Which row of one drawing is which of the one before. While the log is read a row is its line; in a rush all rows are other
 * lines each time, and their elements stay and get other texts. Where the one turns into the other no element goes: who has
 * the focus in a row, or a hand on it, keeps it.
 */
export class RowKeys {
  #last: readonly { line: number; key: number }[] = []
  #made = 0

  /** The keys of these lines, which are drawn in this order. */
  of(lines: readonly number[], rushing: boolean): number[] {
    const before = this.#last
    const byLine = rushing ? undefined : new Map(before.map(({ line, key }) => [line, key]))
    this.#last = lines.map((line, place) => {
      const key = byLine ? byLine.get(line) : before[place]?.key
      return { line, key: key ?? ++this.#made }
    })
    return this.#last.map(({ key }) => key)
  }
}
