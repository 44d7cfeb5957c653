import { expect, it } from 'vitest'
import { problemOf, shortageOf } from './disk-space.ts'

const mebibyte = 1024 * 1024
const disk = { bsize: mebibyte, blocks: 100_000, bavail: 50_000, files: 1_000_000, ffree: 500_000 }

it('needs 256 MiB and 1,000 inodes, or a twentieth and a hundredth of a small disk', () => {
  expect(problemOf(disk)).toBeNull()
  expect(problemOf({ ...disk, bavail: 256 })).toBeNull()
  expect(problemOf({ ...disk, bavail: 255 })).toBe('The disk of the data folder is nearly full: 255 MiB are free')
  expect(problemOf({ ...disk, blocks: 100, bavail: 5 })).toBeNull()
  expect(problemOf({ ...disk, blocks: 100, bavail: 4 })).toMatch('nearly full')
  expect(problemOf({ ...disk, ffree: 1_000 })).toBeNull()
  expect(problemOf({ ...disk, ffree: 999 })).toBe('The disk of the data folder has nearly no inodes left: 999 are free')
  expect(problemOf({ ...disk, files: 1_000, ffree: 10 })).toBeNull()
  expect(problemOf({ ...disk, files: 1_000, ffree: 9 })).toMatch('inodes')
  expect(problemOf({ ...disk, files: 0, ffree: 0 })).toBeNull()
})

it('ends stages at half of that', () => {
  expect(shortageOf(disk)).toBeNull()
  expect(shortageOf({ ...disk, bavail: 128 })).toBeNull()
  expect(shortageOf({ ...disk, bavail: 127 })).toEqual({ kind: 'space', min: 128 * mebibyte })
  expect(shortageOf({ ...disk, blocks: 1_000, bavail: 24 })).toEqual({ kind: 'space', min: 25 * mebibyte })
  expect(shortageOf({ ...disk, ffree: 500 })).toBeNull()
  expect(shortageOf({ ...disk, ffree: 499 })).toEqual({ kind: 'inodes', min: 500 })
  expect(shortageOf({ ...disk, files: 0, ffree: 0 })).toBeNull()
})
