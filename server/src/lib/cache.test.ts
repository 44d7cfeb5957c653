import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countEntries, createLruCache, memorySize } from './cache.ts'
import { cutText } from './truncate-text.ts'

describe('a cache', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('forgets what was used least recently when there is no room', () => {
    const cache = createLruCache<string>({ maxSize: 2, sizeOf: countEntries })
    cache.set('a', '1')
    cache.set('b', '2')
    cache.get('a')
    cache.set('c', '3')
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['1', undefined, '3'])
  })
  it('counts keys and values, and replaced entries once', () => {
    const cache = createLruCache<string>({ maxSize: 1_000 })
    for (let times = 0; times < 50; times += 1) cache.set('k'.repeat(100), 'v'.repeat(100))
    expect(cache.size()).toBeGreaterThan(400)
    cache.set('l'.repeat(300), '')
    expect(cache.get('k'.repeat(100))).toBeUndefined()
  })
  it('reports evicted entries, and no others', () => {
    const evicted: string[] = []
    const onEvict = (value: string, key: string) => void evicted.push(`${key} ${value}`)
    const cache = createLruCache<string>({ maxSize: 2, sizeOf: countEntries, onEvict })
    for (const key of ['a', 'a', 'b', 'c']) cache.set(key, '1')
    cache.delete('c')
    cache.clear()
    expect([evicted, cache.size()]).toEqual([['a 1'], 0])
  })
  it('keeps nothing that is larger than all its room', () => {
    const cache = createLruCache<string>({ maxSize: 1_000 })
    cache.set('a', 'x'.repeat(10_000))
    expect([cache.get('a'), cache.size()]).toEqual([undefined, 0])
  })
  it('removes expired entries without a read', () => {
    const cache = createLruCache<string>({ maxSize: 1_000, ttlMs: 50 })
    cache.set('a', 'x')
    cache.set('b', 'x', { ttlMs: 500 })
    vi.advanceTimersByTime(60)
    const one = cache.size()
    expect([...cache.entries()].map(([key]) => key)).toEqual(['b'])
    cache.delete('b')
    expect(cache.size()).toBeLessThan(one)
  })
})

describe('the size of a value', () => {
  it.each<[string, unknown, number]>([
    ['text', 'x'.repeat(1_000), 2_000],
    ['bytes', Buffer.alloc(5_000), 5_000],
    ['a long list', Array.from({ length: 1_000 }, () => 1), 8_000],
    ['what lies deep', { a: [{ b: { c: 'x'.repeat(1_000) } }] }, 2_000],
    ['the names of people', { author: { name: 'x'.repeat(1_000), email: 'x'.repeat(1_000) } }, 4_000],
  ])('counts %s', (_what, value, least) => {
    expect(memorySize(value)).toBeGreaterThanOrEqual(least)
    expect(memorySize(value)).toBeLessThan(2 * least)
  })
})

it('a text is cut at character boundaries', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('abcd', 3)).toBe('abc')
  expect(cutText('ab😀', 3)).toBe('ab')
})
