import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTrustCache } from './trust-cache.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-trust-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('limits its size in bytes, whatever the number of folders', () => {
  // The clock is long after the last change.
  const cache = createTrustCache<string>(() => Date.now() + 60_000, 60_000)
  const add = (name: string, folders: number) => {
    const path = join(folder, name)
    cache.begin(path, { gitDir: path, commonDir: path })(
      name,
      Array.from({ length: folders }, () => path),
    )
    return path
  }
  for (const name of ['many', 'too-many', ...Array.from({ length: 20 }, (_, index) => `few-${index}`)])
    mkdirSync(join(folder, name))
  const few = Array.from({ length: 20 }, (_, index) => add(`few-${index}`, 1))
  expect(few.map((path) => cache.get(path))).not.toContain(undefined)
  const many = add('many', 200)
  expect(cache.get(many)).toBe('many')
  expect(few.filter((path) => cache.get(path) !== undefined).length).toBeLessThan(20)
  expect(cache.get(add('too-many', 1_000))).toBeUndefined()
})
