import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { longSignatureOf, mayHaveChanged, maxPaths, signatureOf } from './signature.ts'

let file: string
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-signature-'))
  file = join(folder, 'HEAD')
  writeFileSync(file, 'x')
})
afterEach(() => rmSync(folder, { recursive: true }))

const many = (count: number) => Array.from({ length: count }, () => file)

test('unchanged files need no check, up to the maximum number of paths', async () => {
  for (const count of [1, maxPaths - 1, maxPaths]) {
    const files = many(count)
    expect(mayHaveChanged({ files, signature: signatureOf(files).text }), `${count}`).toBe(false)
  }
  const files = many(maxPaths + 1)
  expect(mayHaveChanged({ files, signature: (await longSignatureOf(files)).text })).toBe(true)
})

test('a changed time, a removed file and an empty signature need a check', () => {
  const signature = signatureOf([file]).text
  utimesSync(file, 1, 1)
  expect(mayHaveChanged({ files: [file], signature })).toBe(true)
  rmSync(file)
  expect(mayHaveChanged({ files: [file], signature })).toBe(true)
  expect(mayHaveChanged({ files: [], signature: '' })).toBe(true)
})

test('a long signature consists of its parts, whatever their number', async () => {
  for (const count of [0, maxPaths, maxPaths + 1]) {
    const { text } = await longSignatureOf(many(count))
    expect(text, `${count}`).toBe(signatureOf(many(count)).text)
  }
})

test('a very recent time is not settled', () => {
  expect(signatureOf([file]).settled).toBe(false)
  utimesSync(file, 1, 1)
  expect(signatureOf([file]).settled).toBe(true)
})
