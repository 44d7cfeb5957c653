/** A piece of text without a line's end is cut here, so that no entry of a log gets out of hand. In UTF-16 code units. */
const maxEntryLength = 32 * 1024

export interface LineSplitter {
  /** The entries that are whole now: normally one line each, with its `\n` (docs/api §1.7). To be taken to the end. */
  push(text: string): Generator<string>
  /** The beginning of a line that has waited for its end. */
  flush(): string
  isWaiting(): boolean
}

/** Cuts output into entries of a log. */
export function createLineSplitter(): LineSplitter {
  let rest = ''
  return {
    *push(text) {
      let from = 0
      const all = rest + text
      // What was left over before held no line's end.
      for (let end = all.indexOf('\n', rest.length); from < all.length; end = all.indexOf('\n', from)) {
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
      rest = all.slice(from)
    },
    flush() {
      const beginning = rest
      rest = ''
      return beginning
    },
    isWaiting: () => rest !== '',
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
