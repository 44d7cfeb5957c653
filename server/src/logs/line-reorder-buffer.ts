import type { Line } from '@flightdeck/api'
import type { LogRows } from '../lib/log-rows.ts'

/** Maximum number of buffered lines; beyond it missing lines are skipped. */
const maxHeldLines = 5_000
/** Maximum characters of these lines: about what an official runner sends in a step's life. */
const maxHeldCharacters = 5 * 1024 * 1024

/**
 * Puts the lines of a log in order as they arrive, by `pos`: a runner may send a batch twice, late,
 * or never.
 */
export interface LineReorderBuffer {
  /**
   * Returns the lines that are next in order. Duplicates are dropped, lines after a gap are
   * buffered.
   */
  take(lines: readonly Line[]): readonly Line[]
  /** Whether these rows are next in order; if so, advances past them. */
  pass(rows: LogRows): boolean
  /** The buffered lines in order; missing lines before them are refused from then on. */
  giveUp(): readonly Line[]
  readonly holds: boolean
}

/** `next`: the first position that the log does not have yet. */
export function createLineReorderBuffer(next: number): LineReorderBuffer {
  let buffered = new Map<number, Line>()
  let characters = 0

  const follows = (lines: readonly Line[]): boolean => lines.every((line, index) => line.pos === next + index)
  const giveUp = () => {
    const lines = [...buffered.values()].toSorted((a, b) => a.pos - b.pos)
    buffered = new Map()
    characters = 0
    next = (lines.at(-1)?.pos ?? next - 1) + 1
    return lines
  }

  return {
    take(lines) {
      // The usual case: all batches of a runner arrive in order.
      if (buffered.size === 0 && follows(lines)) {
        next += lines.length
        return lines
      }
      for (const line of lines) {
        if (line.pos < next || buffered.has(line.pos)) continue
        buffered.set(line.pos, line)
        characters += line.out.length
      }
      if (buffered.size > maxHeldLines || characters > maxHeldCharacters) return giveUp()
      const ready: Line[] = []
      for (let line = buffered.get(next); line; line = buffered.get(next)) {
        ready.push(line)
        buffered.delete(next)
        characters -= line.out.length
        next += 1
      }
      return ready
    },
    pass({ pos, count }) {
      if (buffered.size > 0 || pos !== next) return false
      next += count
      return true
    },
    giveUp,
    get holds() {
      return buffered.size > 0
    },
  }
}
