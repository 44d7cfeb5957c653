import { createHash } from 'node:crypto'
import { createLruCache } from '../lib/cache.ts'

/** The value computed from a text, or the error of the attempt. */
type Result<T> = { value: T; size: number } | { error: unknown; size: number }

/**
 * Caches the values computed from texts, and the errors. The cache holds at most `maxCharacters`
 * characters of JSON and evicts the least recently used entry first.
 */
export const createMemoize = <T>(maxCharacters: number): ((text: string, make: () => T) => T) => {
  const cache = createLruCache<Result<T>>({ maxSize: maxCharacters, sizeOf: ({ size }) => size })

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
    const cached = cache.get(key)
    const result = cached ?? attempt(make)
    if (!cached) cache.set(key, result)
    if ('error' in result) throw result.error
    return result.value
  }
}
