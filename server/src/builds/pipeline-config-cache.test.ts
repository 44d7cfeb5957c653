import { expect, test } from 'vitest'
import { createConfigTexts } from './pipeline-config-cache.ts'

const key = (sha: string, path = '.drone.yml', repoId = 1) => ({ repoId, sha, path })
/** Counts how often it was called. */
const reader = (text: string | null) => {
  const read = () => {
    read.times++
    return Promise.resolve(text)
  }
  read.times = 0
  return read
}

test('what was read is not read again, and is its own for each repository, commit and file', async () => {
  const texts = createConfigTexts()
  const read = reader('kind: pipeline')
  for (const one of [key('a'), key('a'), key('b'), key('a', 'x.yml'), key('a', '.drone.yml', 2), key('b')])
    expect(await texts.of(one, read)).toBe('kind: pipeline')
  expect(read.times).toBe(4)
})

test('an empty file is a file', async () => {
  const texts = createConfigTexts()
  const read = reader('')
  expect([await texts.of(key('a'), read), await texts.of(key('a'), read)]).toEqual(['', ''])
  expect(read.times).toBe(1)
})

test('concurrent reads share one result', async () => {
  const texts = createConfigTexts()
  const read = reader('text')
  expect(await Promise.all([texts.of(key('a'), read), texts.of(key('a'), read)])).toEqual(['text', 'text'])
  expect(read.times).toBe(1)
})

test('a missing or unreadable file is read again', async () => {
  const texts = createConfigTexts()
  expect(await texts.of(key('a'), reader(null))).toBeNull()
  await expect(texts.of(key('a'), () => Promise.reject(new Error('git')))).rejects.toThrow('git')
  expect(await texts.of(key('a'), reader('text'))).toBe('text')
})

test('what is too large is not kept', async () => {
  const texts = createConfigTexts(Infinity)
  const read = reader('x'.repeat(2_000_000))
  await texts.of(key('a'), read)
  await texts.of(key('a'), read)
  expect(read.times).toBe(2)
})

test('what was asked for longest ago is forgotten first, once too much is kept', async () => {
  // Room for three small files with their overhead.
  const texts = createConfigTexts(1_600)
  const read = reader('x'.repeat(10))
  const reads = async (...shas: string[]) => {
    const before = read.times
    for (const sha of shas) await texts.of(key(sha), read)
    return read.times - before
  }
  expect(await reads('a', 'b', 'c', 'a', 'b', 'c')).toBe(3)
  expect(await reads('a', 'd')).toBe(1)
  // `b` was asked for longest ago; the others are here still.
  expect(await reads('c', 'a', 'd')).toBe(0)
  expect(await reads('b')).toBe(1)
  expect(await reads('a', 'd', 'b')).toBe(0)
})
