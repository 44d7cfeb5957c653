/**
 * Links to lines: `#L120` and `#L120-L140`, by the displayed numbers. They stay the same while the
 * log grows and when the saved log is read; if a runner has dropped the start of a log, they start
 * after the dropped lines.
 */
export interface LineRange {
  from: number
  to: number
}

export const readAnchor = (hash: string): LineRange | undefined => {
  const match = /^#?L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash)
  if (!match) return undefined
  const from = Number(match[1])
  const to = Number(match[2] ?? match[1])
  if (from === 0 || to === 0) return undefined
  return from <= to ? { from, to } : { from: to, to: from }
}

export const printAnchor = ({ from, to }: LineRange): string => (from === to ? `L${from}` : `L${from}-L${to}`)

/**
 * Extends the selection to a clicked line number, or with Shift to the range from the selected one.
 */
export const extendAnchor = (current: LineRange | undefined, line: number, stretch: boolean): LineRange => {
  if (!stretch || !current) return { from: line, to: line }
  return { from: Math.min(current.from, line), to: Math.max(current.from, line) }
}
