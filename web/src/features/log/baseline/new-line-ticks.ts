/** The positions of new lines in a log, for the ticks at the scroll bar. */
import { placeIn } from '../reading/filtered-rows.ts'

export interface NewLineTick {
  /** The first hundredth of the log. */
  from: number
  /** The number of consecutive hundredths, 1 or more. */
  count: number
}

const hundredths = 100

/**
 * Marks for the scroll bar: which hundredths of the log contain new lines, adjacent ones merged. At
 * most fifty, however many lines are new.
 */
export function newLineTicks(newLines: ArrayLike<number>, lines: number): NewLineTick[] {
  const ticks: NewLineTick[] = []
  let last: NewLineTick | undefined
  for (let at = 0; at < hundredths; at++) {
    const from = Math.ceil((at * lines) / hundredths)
    const to = Math.ceil(((at + 1) * lines) / hundredths)
    if (placeIn(newLines, from) === placeIn(newLines, to)) last = undefined
    else if (last) last.count++
    else ticks.push((last = { from: at, count: 1 }))
  }
  return ticks
}
