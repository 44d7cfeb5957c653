/** Bytes of a name that are kept until its end comes. No path of a log is longer; a pushed one may be as long as all that git says. */
const maxRestBytes = 64 * 1024

/** Finds in what git lists (names, each with a NUL behind it) those that end with a path. It comes piece by piece. */
export function namesEnding(ending: string, maxFound: number) {
  const wanted = Buffer.from(`/${ending}\0`)
  const found: string[] = []
  let rest: Buffer = Buffer.alloc(0)
  /** The beginning of `rest` is missing. */
  let isCut = false
  return {
    found,
    /** `false`: that is enough. */
    write(bytes: Buffer): boolean {
      const all = Buffer.concat([rest, bytes])
      for (let at = all.indexOf(wanted); at !== -1 && found.length < maxFound; at = all.indexOf(wanted, at + 1)) {
        const start = all.lastIndexOf(0, at) + 1
        if (start > 0 || !isCut) found.push(all.toString('utf8', start, at + wanted.length - 1))
      }
      const start = all.lastIndexOf(0) + 1
      isCut = (isCut && start === 0) || all.length - start > maxRestBytes
      rest = all.subarray(Math.max(start, all.length - maxRestBytes))
      return found.length < maxFound
    },
  }
}
