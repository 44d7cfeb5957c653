/** The limits of one file, with small budgets; the real ones are in `newBudget`. */
import { describe, expect, it } from 'vitest'
import { Decoder } from './decode.ts'
import { newBudget, readDocument } from './yaml-text.ts'
import type { Budget } from './yaml-text.ts'

const decoded = (text: string, budget: Partial<Budget>, read: (decoder: Decoder) => unknown) => {
  const all = { ...newBudget(), ...budget }
  const decoder = new Decoder(readDocument({ text, offset: 0 }, all), all)
  const value = read(decoder)
  decoder.finish()
  return { value, left: all }
}
/** All of the budget may be used up, but not one more. */
const costs = (text: string, name: keyof Budget, cost: number, read: (decoder: Decoder) => unknown, error: string) => {
  expect(decoded(text, { [name]: cost }, read).left[name]).toBe(0)
  expect(() => decoded(text, { [name]: cost - 1 }, read)).toThrow(error)
}
const aliasing = 'yaml: document contains excessive aliasing'
const texts = (decoder: Decoder) => decoder.texts(decoder.document.root)

describe('a file is bounded', () => {
  it('in its parts', () => {
    const parts = newBudget().tokens - decoded('[a, b]\n', {}, texts).left.tokens
    costs('[a, b]\n', 'tokens', parts, texts, 'yaml: the file has too many parts')
    expect(newBudget().tokens - decoded('[a, b, c]\n', {}, texts).left.tokens).toBeGreaterThan(parts)
  })
  it('in the values of lists and maps that are read, each time', () => {
    costs('[a, b, c]\n', 'visits', 3, texts, aliasing)
    const keys = (decoder: Decoder) => decoder.struct(decoder.document.root, 'map')
    costs('{a: b, c: d}\n', 'visits', 2, keys, aliasing)
    costs('{a: b, c: d}\n', 'visits', 4, (decoder) => [keys(decoder), keys(decoder)], aliasing)
  })
  it('in aliases', () => {
    // Three values, of which two are aliases.
    costs('[&x a, *x, *x]\n', 'visits', 5, texts, aliasing)
    expect(decoded('[&x a, *x, *x]\n', {}, texts).value).toEqual(['a', 'a', 'a'])
  })
  it('in characters, each time that a text is read', () => {
    costs('[abc, "de"]\n', 'characters', 5, texts, aliasing)
    costs('[&x abc, *x]\n', 'characters', 6, texts, aliasing)
  })
  it('in merges, which multiply', () => {
    const levels = Array.from({ length: 5 }, (_, i) => `l${i + 1}: &l${i + 1} {<<: [*l${i}, *l${i}, *l${i}]}\n`)
    const text = `l0: &l0 {a: b}\n${levels.join('')}last: *l5\n`
    const last = (decoder: Decoder) => decoder.textMap(decoder.struct(decoder.document.root, 'map')?.get('last'))
    expect(() => decoded(text, { visits: 3 ** 5 }, last)).toThrow(aliasing)
    expect(decoded(text, {}, last).value).toEqual({ a: 'b' })
  })
  it('in the levels of merges', () => {
    const chain = (count: number) =>
      `l0: &l0 {a: b}\n${Array.from({ length: count }, (_, i) => `l${i + 1}: &l${i + 1} {<<: *l${i}}\n`).join('')}last: *l${count}\n`
    const last = (decoder: Decoder) => decoder.textMap(decoder.struct(decoder.document.root, 'map')?.get('last'))
    expect(decoded(chain(50), {}, last).value).toEqual({ a: 'b' })
    expect(() => decoded(chain(51), {}, last)).toThrow('yaml: merges are nested more than 50 levels deep')
  })
  it('in patterns', () => {
    const pattern = (decoder: Decoder) => decoder.spendPattern(7)
    costs('a\n', 'patterns', 7, pattern, 'yaml: the patterns in the conditions of the file are too long')
  })
})
