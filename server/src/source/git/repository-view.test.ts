import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createViews } from './repository-view.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-views-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function repository(name: string): string {
  const path = join(folder, name)
  for (const part of ['objects', 'refs']) mkdirSync(join(path, part), { recursive: true })
  return path
}

it('views above the size limit are removed, least recently used first, and created again when needed', async () => {
  const [one, two, three] = [repository('one'), repository('two'), repository('three')]
  // The limit has room for two views.
  const views = createViews(join(folder, 'views'), 10_000)
  const { path } = await views.open(one)
  await views.open(two)
  await views.open(one)
  await views.open(three)
  await expect.poll(() => readdirSync(join(folder, 'views')).length).toBe(2)
  expect((await views.open(one)).path).toBe(path)
  await views.open(two)
  await views.open(three)
  expect((await views.open(one)).path).toBe(path)
  expect(readdirSync(path)).toContain('objects')
})

it('a repository whose shallow commits keep changing uses no more space than others @system', async () => {
  const one = repository('one')
  const views = createViews(join(folder, 'views'), 50_000)
  for (let count = 0; count < 40; count++) {
    writeFileSync(join(one, 'shallow'), `${String(count).padStart(40, '0')}\n`.repeat(100))
    await views.open(one)
  }
  await expect.poll(() => readdirSync(join(folder, 'views')).length).toBeLessThanOrEqual(6)
})
