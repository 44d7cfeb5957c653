import { expect, test } from 'vitest'
import { inLatin } from './build-server.mjs'

test('escaped characters leave strings unchanged', () => {
  const text = 'déjà vu: ✗ 3 of 4 … 💥 — “done”'
  const code = inLatin(JSON.stringify(text))
  expect(code).toMatch(/^[\0-\xff]+$/)
  expect(code).toContain('déjà')
  expect(JSON.parse(code)).toBe(text)
})

test('a raw template string with a character outside of Latin-1 is rejected', () => {
  expect(() => inLatin('const a = 1\nconst b = String.raw`…`')).toThrow('String.raw`…`')
  const plain = 'const b = String.raw`\\d`'
  expect(inLatin(plain)).toBe(plain)
})
