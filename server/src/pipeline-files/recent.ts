import { createHash } from 'node:crypto'

/** What was made of a text, or why it could not be. */
type Result<T> = { value: T; size: number } | { error: unknown; size: number }

/**
 * Makes something of a text once, and answers it again as long as there is room: `most` is how many characters of JSON
 * all that is kept may have together. What was asked for longest ago goes first.
 */
export const createRecent = <T>(most: number): ((text: string, make: () => T) => T) => {
  const kept = new Map<string, Result<T>>()
  let size = 0

  const attempt = (make: () => T): Result<T> => {
    try {
      const value = make()
      return { value, size: JSON.stringify(value).length }
    } catch (error) {
      return { error, size: 1_000 }
    }
  }
  const keep = (key: string, result: Result<T>): void => {
    kept.set(key, result)
    size += result.size
    for (const [oldest, { size: freed }] of kept) {
      if (size <= most) break
      kept.delete(oldest)
      size -= freed
    }
  }
  return (text, make) => {
    const key = createHash('sha256').update(text).digest('base64')
    const known = kept.get(key)
    if (known) {
      kept.delete(key)
      size -= known.size
    }
    const result = known ?? attempt(make)
    keep(key, result)
    if ('error' in result) throw result.error
    return result.value
  }
}
