import { describe, expect, it } from 'vitest'
import { createFingerprint, readFingerprint } from './fingerprint.ts'
import { normalise } from './normalise.ts'

/** Different in words, for numbers count for nothing. */
const words = (number: number): string =>
  [...String(number)]
    .map((digit) => ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][Number(digit)])
    .join(' ')

const made = (lines: readonly string[], limit = 1e9) => {
  const writer = createFingerprint()
  for (const line of lines) writer.add(line)
  return writer.bytes(limit)
}

describe('a fingerprint', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${words(index)}`)
  it('contains every line that was added, despite other numbers, times and colours', () => {
    const known = readFingerprint(made([...lines, '\u001b[31m12:01:03 took 12 ms\u001b[0m']))
    expect(lines.filter((line) => !known?.has(normalise(line)))).toEqual([])
    expect(known?.has(normalise('09:59:00 took 900 ms'))).toBe(true)
  })
  it('rarely takes a new line for a known one', () => {
    const known = readFingerprint(made(lines))
    const others = Array.from({ length: 10_000 }, (_, index) => `other ${words(index)}`)
    // 10,000 of 2^24: six of 10,000 by chance.
    expect(others.filter((line) => known?.has(normalise(line))).length).toBeLessThan(30)
  })
  it('is at most as large as it may be, and then still knows what was there', () => {
    const whole = made(lines)
    expect(whole.length).toBeLessThan(2.3 * lines.length)
    const small = made(lines, 4000)
    expect(small.length).toBeLessThanOrEqual(4000)
    const known = readFingerprint(small)
    expect(lines.filter((line) => !known?.has(normalise(line)))).toEqual([])
  })
  it('stays whole where it is exactly as large as it may be, and is folded where it is one byte larger', () => {
    const whole = made(lines)
    expect(made(lines, whole.length)).toEqual(whole)
    expect(made(lines, whole.length - 1).length).toBeLessThan(whole.length)
  })
  it('of an empty log is empty', () => {
    expect(readFingerprint(made([]))?.has('x')).toBe(false)
  })
  it.each([[[]], [[3]], [[99]], [[24, 255]], [[24, 255, 255, 255, 255, 255]], [[12, 255, 255, 1]]])(
    'is none: %j',
    (bytes) => {
      expect(readFingerprint(Uint8Array.from(bytes))).toBeUndefined()
    },
  )
})
