/** Serializes work per key, in the order of the calls. */
export type KeyedMutex = <T>(key: number, work: () => Promise<T>) => Promise<T>

export const createKeyedMutex = (): KeyedMutex => {
  const tails = new Map<number, Promise<unknown>>()
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve()
    // A failure is its caller's business; the next in line runs anyway.
    const result = before.then(work, work)
    const tail = result.catch(() => {})
    tails.set(key, tail)
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    return result
  }
}
