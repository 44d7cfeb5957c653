/** Random access to the lines of a log, from 0. */
export interface Lines {
  count: number
  /** The line as in the log, with colors. */
  at(index: number): string
}

const newline = 10
const blank = ''

/**
 * The lines of `text` that are needed for the cause at the index `cause`: lines near it, and the
 * last ones. All others are empty.
 */
export const linesNear = (
  text: string,
  cause: number,
  { above, below, tail }: Record<'above' | 'below' | 'tail', number>,
): Lines => {
  const first = Math.max(0, cause - above)
  const nearby: string[] = []
  const last: string[] = []
  let count = 0
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && text.charCodeAt(at) !== newline) continue
    if (count >= first && count <= cause + below) nearby.push(text.slice(from, at))
    count++
    from = at + 1
  }
  for (let end = text.length; last.length < tail && end >= 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    last.push(text.slice(end === 0 ? 0 : start, end))
    end = end === 0 ? -1 : start - 1
  }
  return { count, at: (index) => nearby[index - first] ?? last[count - 1 - index] ?? blank }
}
