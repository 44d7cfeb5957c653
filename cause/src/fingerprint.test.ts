import { describe, expect, it } from 'vitest'
import { createFingerprint, readFingerprint } from './fingerprint.ts'
import { normalise } from './normalise.ts'

/** Different words per number, because fingerprints ignore digits. */
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
  it('contains every added line, even with other numbers, times and colors', () => {
    const known = readFingerprint(made([...lines, '\u001b[31m12:01:03 took 12 ms\u001b[0m']))
    expect(lines.filter((line) => !known?.has(normalise(line)))).toEqual([])
    expect(known?.has(normalise('09:59:00 took 900 ms'))).toBe(true)
  })
  it('rarely reports a new line as known', () => {
    const known = readFingerprint(made(lines))
    const others = Array.from({ length: 10_000 }, (_, index) => `other ${words(index)}`)
    // 10,000 of 2^24: six of 10,000 by chance.
    expect(others.filter((line) => known?.has(normalise(line))).length).toBeLessThan(30)
  })
  it('stays within its size limit and still contains every line', () => {
    const whole = made(lines)
    expect(whole.length).toBeLessThan(2.3 * lines.length)
    const small = made(lines, 4000)
    expect(small.length).toBeLessThanOrEqual(4000)
    const known = readFingerprint(small)
    expect(lines.filter((line) => !known?.has(normalise(line)))).toEqual([])
  })
  it('stays unfolded at exactly its size limit, and is folded one byte above it', () => {
    const whole = made(lines)
    expect(made(lines, whole.length)).toEqual(whole)
    expect(made(lines, whole.length - 1).length).toBeLessThan(whole.length)
  })
  it('is empty for an empty log', () => {
    expect(readFingerprint(made([]))?.has('x')).toBe(false)
  })
  it.each([[[]], [[3]], [[99]], [[24, 255]], [[24, 255, 255, 255, 255, 255]], [[12, 255, 255, 1]]])(
    'is none: %j',
    (bytes) => {
      expect(readFingerprint(Uint8Array.from(bytes))).toBeUndefined()
    },
  )
})
