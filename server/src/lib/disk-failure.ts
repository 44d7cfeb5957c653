/** Failures of the server's disk, in words for people. */

export const diskIsFull = 'The disk of the server is full: free some space on it, then try again'

/** `words`: what the disk answers. */
export const diskFails = (words: string): string =>
  `The server cannot read or write its disk (${words}): check the disk, then try again`

const texts: Readonly<Record<string, string>> = {
  ENOSPC: diskIsFull,
  EDQUOT: diskIsFull,
  EROFS: diskFails('read-only'),
  EIO: diskFails('input/output error'),
}

/** One sentence about a failed call of the file system; `null` where its error is none of a full, read-only or broken disk. */
export function diskFailure(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? (texts[code] ?? null) : null
}
