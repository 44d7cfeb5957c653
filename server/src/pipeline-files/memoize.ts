import { createHash } from 'node:crypto'
import { createLruCache } from '../lib/cache.ts'

/** What was made of a text, or why it could not be. */
type Result<T> = { value: T; size: number } | { error: unknown; size: number }

/**
 * Makes something of a text once, and answers it again as long as there is room: `most` is how many characters of JSON
 * all that is kept may have together. What was asked for longest ago goes first.
 */
export const createMemoize = <T>(maxCharacters: number): ((text: string, make: () => T) => T) => {
  const kept = createLruCache<Result<T>>({ maxSize: maxCharacters, sizeOf: ({ size }) => size })

  const attempt = (make: () => T): Result<T> => {
    try {
      const value = make()
      return { value, size: JSON.stringify(value).length }
    } catch (error) {
      return { error, size: 1_000 }
    }
  }
  return (text, make) => {
    const key = createHash('sha256').update(text).digest('base64')
    const known = kept.get(key)
    const result = known ?? attempt(make)
    if (!known) kept.set(key, result)
    if ('error' in result) throw result.error
    return result.value
  }
}
