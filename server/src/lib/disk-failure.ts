/** Messages for failures of the server's disk. */

export const diskIsFull = 'The disk of the server is full: free some space on it, then try again'

/** `reason`: the error of the disk. */
export const diskFails = (reason: string): string =>
  `The server cannot read or write its disk (${reason}): check the disk, then try again`

const texts: Readonly<Record<string, string>> = {
  ENOSPC: diskIsFull,
  EDQUOT: diskIsFull,
  EROFS: diskFails('read-only'),
  EIO: diskFails('input/output error'),
}

/**
 * One sentence about a failed call of the file system; `null` where its error is none of a full,
 * read-only or broken disk.
 */
export function diskFailure(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? (texts[code] ?? null) : null
}
