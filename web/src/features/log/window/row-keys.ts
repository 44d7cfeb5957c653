/**
 * Keys that match rows between two renders. Normally a row is keyed by its line; during a burst all
 * rows show other lines each time, so elements are reused with new text. The switch between the two
 * keeps the elements, so that focus or a pointer in a row is not lost.
 */
export class RowKeys {
  #last: readonly { line: number; key: number }[] = []
  #made = 0

  /** The keys of these lines, in the order in which they render. */
  of(lines: readonly number[], inBurst: boolean): number[] {
    const before = this.#last
    const byLine = inBurst ? undefined : new Map(before.map(({ line, key }) => [line, key]))
    this.#last = lines.map((line, index) => {
      const key = byLine ? byLine.get(line) : before[index]?.key
      return { line, key: key ?? ++this.#made }
    })
    return this.#last.map(({ key }) => key)
  }
}
