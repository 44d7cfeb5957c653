import { createLruCache } from '../lib/cache.ts'
import { limits } from '../pipeline/documents.ts'

/**
 * Caches files at commits. A commit never changes, so forty tags of one commit need a single read
 * from git.
 */
export interface ConfigTexts {
  /** The result of `read`; concurrent calls for the same file share it. */
  of(key: { repoId: number; sha: string; path: string }, read: () => Promise<string | null>): Promise<string | null>
}

/** Characters of all that is kept. */
const maxKept = 8_000_000
/** The overhead of each entry, so that the number of empty files is limited, too. */
const overhead = 500

export const createConfigTexts = (maxSize = maxKept): ConfigTexts => {
  const cache = createLruCache<string>({ maxSize, sizeOf: (text) => text.length + overhead })
  const pending = new Map<string, Promise<string | null>>()
  return {
    async of({ repoId, sha, path }, read) {
      const key = `${repoId} ${sha} ${path}`
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const reading = pending.get(key) ?? read().finally(() => pending.delete(key))
      pending.set(key, reading)
      const text = await reading
      // A missing file may appear later; one that is too large is an error in any case.
      if (text !== null && text.length <= limits.text) cache.set(key, text)
      return text
    },
  }
}
