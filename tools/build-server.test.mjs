import { expect, test } from 'vitest'
import { inLatin } from './build-server.mjs'

test('a text means the same without characters that V8 needs two bytes for', () => {
  const text = 'déjà vu: ✗ 3 of 4 … 💥 — “done”'
  const code = inLatin(JSON.stringify(text))
  expect(code).toMatch(/^[\0-\xff]+$/)
  expect(code).toContain('déjà')
  expect(JSON.parse(code)).toBe(text)
})

test('a raw template text is refused if it holds an escape', () => {
  expect(() => inLatin('const a = 1\nconst b = String.raw`…`')).toThrow('String.raw`…`')
  const plain = 'const b = String.raw`\\d`'
  expect(inLatin(plain)).toBe(plain)
})
