/** The lines that differ between two texts. Pure. */

export interface DiffLine {
  /** `gap`: unchanged lines are omitted here. */
  mark: '+' | '-' | ' ' | 'gap'
  text: string
}

/**
 * The maximum number of cells in the table for the longest common subsequence; larger texts are
 * shown as removed and added.
 */
const maxCells = 4_000_000
const contextLines = 3

/** Compares the lines between the common start and the common end. */
const middle = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  const removed = before.map((text): DiffLine => ({ mark: '-', text }))
  const added = after.map((text): DiffLine => ({ mark: '+', text }))
  if (before.length * after.length > maxCells) return [...removed, ...added]
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [old, now] = [before[row], after[column]]
    if (old !== undefined && old === now) {
      lines.push({ mark: ' ', text: old })
      row += 1
      column += 1
    } else if (old !== undefined && (now === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old })
      row += 1
    } else if (now !== undefined) {
      lines.push({ mark: '+', text: now })
      column += 1
    }
  }
  return lines
}

/** A line break at the end of a text does not add an empty line. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/**
 * Each change with three lines of context; empty if the texts are equal or differ only in the line
 * break at the end.
 */
export const lineDiff = (before: string, after: string): DiffLine[] => {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  if (start === old.length && start === now.length) return []
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const same = (text: string): DiffLine => ({ mark: ' ', text })
  const all = [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ]
  const isNear = new Uint8Array(all.length)
  all.forEach(({ mark }, index) => {
    if (mark !== ' ') isNear.fill(1, Math.max(0, index - contextLines), index + contextLines + 1)
  })
  return all.flatMap((line, index) => {
    if (isNear[index]) return [line]
    return index > 0 && isNear[index - 1] ? [{ mark: 'gap' as const, text: '' }] : []
  })
}
