/**
 * How many bytes of an incomplete name are buffered. No path in a log is longer, but a pushed path
 * can be as long as git's whole output.
 */
const maxRestBytes = 64 * 1024

/**
 * Finds the names that end with a path in git's output (names, each followed by NUL), which arrives
 * in chunks.
 */
export function namesEnding(ending: string, maxFound: number) {
  const pattern = Buffer.from(`/${ending}\0`)
  const found: string[] = []
  let remainder: Buffer = Buffer.alloc(0)
  /** Whether the beginning of `rest` was discarded. */
  let isCut = false
  return {
    found,
    /** Returns `false` when no more output is needed. */
    write(bytes: Buffer): boolean {
      const all = Buffer.concat([remainder, bytes])
      for (let at = all.indexOf(pattern); at !== -1 && found.length < maxFound; at = all.indexOf(pattern, at + 1)) {
        const start = all.lastIndexOf(0, at) + 1
        if (start > 0 || !isCut) found.push(all.toString('utf8', start, at + pattern.length - 1))
      }
      const start = all.lastIndexOf(0) + 1
      isCut = (isCut && start === 0) || all.length - start > maxRestBytes
      remainder = all.subarray(Math.max(start, all.length - maxRestBytes))
      return found.length < maxFound
    },
  }
}
