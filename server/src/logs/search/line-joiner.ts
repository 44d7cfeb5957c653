/**
 * Builds the lines of a log from its entries, numbered as in the console
 * (web/src/features/log/engine/model.ts).
 */
import type { Line, LineMoment } from '@flightdeck/api'

export interface LogLine {
  number: number
  text: string
  /** The time of the entry in which the line begins. */
  at: LineMoment
  /** The time of the previous line, if any. */
  before: LineMoment | undefined
}

/** Maximum characters of a line that are searched; the rest is ignored. */
const maxLineChars = 1024 * 1024

/** A line without its text, so that the text can be freed. */
const momentOf = ({ time, tenth }: Line): LineMoment => (tenth === undefined ? { time } : { time, tenth })

export interface LineJoiner {
  /** The lines that these entries complete. */
  push: (entries: readonly Line[]) => LogLine[]
  end: () => LogLine[]
}

/**
 * An entry may hold several lines or part of one. If no entry has a line end, each entry is a line.
 */
export function createLineJoiner(): LineJoiner {
  let number: number | undefined
  let open: { text: string; at: LineMoment } | undefined
  let before: LineMoment | undefined
  /**
   * Entries so far, while none has a line end: each may be a line, or all of them the start of one
   * line.
   */
  let unsure: Line[] | undefined = []
  let unsureLength = 0

  const numbered = (text: string, at: LineMoment): LogLine => {
    const line = { number: number!++, text, at, before }
    before = at
    return line
  }
  const asLines = (): LogLine[] => {
    const lines = (unsure ?? []).filter(({ out }) => out !== '').map((entry) => numbered(entry.out, momentOf(entry)))
    unsure = undefined
    return lines
  }

  function join(entry: Line, lines: LogLine[]): void {
    const { out } = entry
    const at = momentOf(entry)
    let from = 0
    for (let end = out.indexOf('\n'); end !== -1; end = out.indexOf('\n', from)) {
      const piece = out.slice(from, end)
      lines.push(numbered(open ? open.text + piece : piece, open?.at ?? at))
      open = undefined
      from = end + 1
    }
    if (from === out.length) return
    const remainder = out.slice(from)
    if (!open) open = { text: remainder, at }
    // Cut only once, at the end, because each cut copies the whole text so far.
    else if (open.text.length < maxLineChars) {
      open.text += remainder
      if (open.text.length > maxLineChars) open.text = open.text.slice(0, maxLineChars)
    }
  }

  return {
    push(entries) {
      const lines: LogLine[] = []
      for (const entry of entries) {
        number ??= entry.pos + 1
        if (!unsure) join(entry, lines)
        else {
          unsure.push(entry)
          unsureLength += entry.out.length
          if (entry.out.includes('\n')) {
            const before = unsure
            unsure = undefined
            for (const one of before) join(one, lines)
          } else if (unsureLength > maxLineChars) {
            // Longer than any readable line, so each entry is a line, and so are later entries.
            for (const line of asLines()) lines.push(line)
          }
        }
      }
      return lines
    },
    end() {
      if (unsure) return asLines()
      const last = open
      open = undefined
      return last ? [numbered(last.text, last.at)] : []
    },
  }
}
