/** What was found before, as long as there is room: what was asked for longest ago goes first. */
export interface Kept<T> {
  /** Becomes the newest. */
  get: (key: string) => T | undefined
  set: (key: string, value: T) => void
}

/** `most`: of all that is kept together, in the unit of `sizeOf`, which for one value is always the same. */
export function createKept<T>(most: number, sizeOf: (value: T) => number): Kept<T> {
  const kept = new Map<string, T>()
  let size = 0

  function take(key: string): T | undefined {
    const value = kept.get(key)
    if (value !== undefined && kept.delete(key)) size -= sizeOf(value)
    return value
  }
  function set(key: string, value: T): void {
    take(key)
    kept.set(key, value)
    size += sizeOf(value)
    for (const oldest of kept.keys()) {
      if (size <= most) break
      take(oldest)
    }
  }

  return {
    get(key) {
      const value = take(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
