/**
 * The server's only cache: when the size of all entries, keys included, exceeds the limit, the
 * least recently used are evicted first. Expired entries are removed at once, even if no caller
 * reads them.
 */
import { LRUCache } from 'lru-cache'

export interface CacheOptions<V extends object | string | number> {
  /** The total size, in the unit of `sizeOf`. Larger single entries are not cached. */
  maxSize: number
  /**
   * Bytes in memory, as far as they are known (`memorySize`), unless something else is counted. At
   * least 1.
   */
  sizeOf?: (value: V, key: string) => number
  /** Milliseconds after which a value expires; without it none does. */
  ttlMs?: number
  /** Called when a value is evicted because the cache is full. */
  onEvict?: (value: V, key: string) => void
  /** Milliseconds of some clock; for tests. */
  now?: () => number
}

export interface Cache<V> {
  /** The value is the one that was used most recently then. */
  get(key: string): V | undefined
  /** The same, without updating when it was last used. */
  peek(key: string): V | undefined
  set(key: string, value: V, options?: { ttlMs: number }): void
  delete(key: string): void
  clear(): void
  /** The one that was used most recently first. */
  entries(): Iterable<[string, V]>
  /** Of all that is kept, in the unit of `sizeOf`. */
  size(): number
}

const pointerBytes = 8
const objectBytes = 24

/**
 * About how many bytes of memory a value of plain data takes: each string at two bytes a character,
 * each key and element. What occurs several times is counted each time. Linear in the value.
 */
export function memorySize(value: unknown): number {
  let bytes = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const item = left.pop()
    bytes += pointerBytes
    if (typeof item === 'string') bytes += objectBytes + 2 * item.length
    else if (ArrayBuffer.isView(item)) bytes += objectBytes + item.byteLength
    else if (typeof item === 'object' && item !== null) {
      bytes += objectBytes
      // Keys are shared by objects of one shape; each costs a place.
      for (const part of Array.isArray(item) ? item : Object.values(item)) left.push(part)
    }
  }
  return bytes
}

/** Counts entries instead of bytes. */
export const countEntries = (): number => 1

/** The package keeps a value for longer than its time by up to a millisecond. */
const lastMs = (ttlMs: number): number => Math.max(1, Math.floor(ttlMs) - 1)

export function createLruCache<V extends object | string | number>({
  maxSize,
  sizeOf = (value, key) => memorySize(value) + memorySize(key),
  ttlMs,
  onEvict,
  // Never 0, which the package takes for no time at all.
  now = () => 1 + performance.now(),
}: CacheOptions<V>): Cache<V> {
  const cache = new LRUCache<string, V>({
    maxSize: Math.min(maxSize, Number.MAX_SAFE_INTEGER),
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(sizeOf(value, key))),
    ttl: ttlMs === undefined ? 0 : lastMs(ttlMs),
    // Otherwise expired entries stay until they are read or evicted.
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now },
    ...(onEvict && { dispose: (value, key, reason) => reason === 'evict' && onEvict(value, key) }),
  })
  return {
    get: (key) => cache.get(key),
    peek: (key) => cache.peek(key),
    set: (key, value, options) => void cache.set(key, value, options && { ttl: lastMs(options.ttlMs) }),
    delete: (key) => void cache.delete(key),
    entries: () => cache.entries() as Iterable<[string, V]>,
    clear: () => cache.clear(),
    size: () => cache.calculatedSize,
  }
}
