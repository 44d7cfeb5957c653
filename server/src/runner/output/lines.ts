import type { Line } from '@flightdeck/api'

/** A piece of text without a line's end is cut here, so that no entry of a log gets out of hand. */
const longest = 32 * 1024

/** Cuts output into entries of a log: normally one line with its `\n` (docs/api §1.7). */
export function createLineSplitter(now: (pos: number) => Omit<Line, 'pos' | 'out'>) {
  let pos = 0
  let rest = ''

  const entry = (out: string): Line => ({ pos, out, ...now(pos++) })

  function push(text: string): Line[] {
    const lines: Line[] = []
    let from = 0
    const all = rest + text
    // What was left over before held no line's end.
    for (let end = all.indexOf('\n', rest.length); from < all.length; end = all.indexOf('\n', from)) {
      const stop = end === -1 ? all.length : end + 1
      while (stop - from > longest) {
        const cut = from + longest - (isHighSurrogate(all.charCodeAt(from + longest - 1)) ? 1 : 0)
        lines.push(entry(all.slice(from, cut)))
        from = cut
      }
      if (end === -1) break
      lines.push(entry(all.slice(from, stop)))
      from = stop
    }
    rest = all.slice(from)
    return lines
  }

  /** The beginning of a line that has waited for its end. */
  function flush(): Line[] {
    const out = rest
    rest = ''
    return out === '' ? [] : [entry(out)]
  }

  return { push, flush, waiting: () => rest !== '' }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
