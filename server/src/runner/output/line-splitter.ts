/** A longer line is split, so that no entry of a log becomes too large. In UTF-16 code units. */
const maxEntryLength = 32 * 1024

export interface LineSplitter {
  /**
   * Yields the complete entries, normally one line each with its `\n` (docs/api §1.7). Callers must
   * read all of them.
   */
  push(text: string): Generator<string>
  /** Returns the incomplete line and removes it from the buffer. */
  flush(): string
  isWaiting(): boolean
}

/** Splits output into entries of a log. */
export function createLineSplitter(): LineSplitter {
  let remainder = ''
  return {
    *push(text) {
      let from = 0
      const all = remainder + text
      // The buffered text contains no line end, so the search starts after it.
      for (let end = all.indexOf('\n', remainder.length); from < all.length; end = all.indexOf('\n', from)) {
        const stop = end === -1 ? all.length : end + 1
        while (stop - from > maxEntryLength) {
          const cut = from + maxEntryLength - (isHighSurrogate(all.charCodeAt(from + maxEntryLength - 1)) ? 1 : 0)
          yield all.slice(from, cut)
          from = cut
        }
        if (end === -1) break
        yield all.slice(from, stop)
        from = stop
      }
      remainder = all.slice(from)
    },
    flush() {
      const beginning = remainder
      remainder = ''
      return beginning
    },
    isWaiting: () => remainder !== '',
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
