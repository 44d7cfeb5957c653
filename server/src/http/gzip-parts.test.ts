import { crc32, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { joinCrc, joinParts, packPart } from './gzip-parts.ts'

it('parts and the end are one gzip file', async () => {
  const texts = ['[', 'äöü '.repeat(40_000), '', 'x']
  const parts = await Promise.all(texts.map(packPart))
  expect(gunzipSync(joinParts(parts, ']\n')).toString()).toBe(`${texts.join('')}]\n`)
})

it('no part at all is one, too', () => {
  expect(gunzipSync(joinParts([], '[]\n')).toString()).toBe('[]\n')
})

it.each([0, 1, 2, 255, 256, 1_000_003])('the sum of a text with %d bytes more is that of the whole', (length) => {
  const [first, second] = ['what came before', 'y'.repeat(length)]
  expect(joinCrc(crc32(first), crc32(second), length)).toBe(crc32(first + second))
})
