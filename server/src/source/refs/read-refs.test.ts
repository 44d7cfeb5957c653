import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { partsOf, listRefFiles, parsePacked, readRefs } from './read-refs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-read-refs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a link that replaces the branches is not followed', async () => {
  const origin = testRepository(join(folder, 'web'))
  const sha = origin.commit({ a: '1' }, 'First')
  origin.git('tag', 'v1')
  const commonDir = join(origin.path, '.git')
  expect([...(await readRefs(commonDir)).keys()].toSorted()).toEqual(['refs/heads/main', 'refs/tags/v1'])

  mkdirSync(join(folder, 'elsewhere', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'elsewhere', 'deep', 'file'), `${sha}\n`)
  renameSync(join(commonDir, 'refs/heads'), join(folder, 'heads'))
  symlinkSync(join(folder, 'elsewhere'), join(commonDir, 'refs/heads'))
  expect([...(await readRefs(commonDir)).keys()]).toEqual(['refs/tags/v1'])
  expect((await listRefFiles(commonDir)).watched).toEqual(
    ['packed-refs', 'refs', 'refs/tags'].map((name) => join(commonDir, name)),
  )
})

test('refs in very many files are all listed, in batches @system', async () => {
  const commonDir = join(folder, 'web')
  const heads = join(commonDir, 'refs/heads')
  mkdirSync(join(heads, 'team'), { recursive: true })
  const names = Array.from({ length: 2_500 }, (_, index) => `${'b'.repeat(50)}${index}`).concat('team/one', 'team/two')
  for (const name of names) writeFileSync(join(heads, name), `${'a'.repeat(40)}\n`)
  const sizes: number[] = []
  for await (const entries of partsOf(await opendir(heads))) sizes.push(entries.length)
  expect([Math.max(...sizes) <= 1_000, sizes.reduce((sum, size) => sum + size)]).toEqual([true, 2_501])
  const refs = [...(await readRefs(commonDir)).keys()]
  expect(refs.toSorted()).toEqual(names.map((name) => `refs/heads/${name}`).toSorted())
})

test('packed refs are read in batches, however long their names are', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `refs/heads/${'ü'.repeat(20_000)}${index}`)
  const bytes = Buffer.from(
    `# pack-refs\n${names.map((name) => `${'a'.repeat(40)} ${name}\n^${'b'.repeat(40)}\n`).join('')}`,
  )
  expect(await countLoopTurns(() => parsePacked(bytes))).toBeGreaterThan(20)
  expect([...(await parsePacked(bytes))]).toEqual(names.map((name) => [name, 'a'.repeat(40)]))
})

test('a ref with a name of more than 1,000 characters starts no build', async () => {
  const origin = testRepository(join(folder, 'names'))
  const sha = origin.commit({ a: '1' }, 'First')
  const lines = [`refs/heads/${'x'.repeat(990)}`, `refs/heads/${'x'.repeat(989)}`].map((name) => `${sha} ${name}\n`)
  writeFileSync(join(origin.path, '.git/packed-refs'), lines.join(''))
  const names = [...(await readRefs(join(origin.path, '.git'))).keys()]
  expect(new Set(names.map(({ length }) => length))).toEqual(new Set(['refs/heads/main'.length, 1_000]))
})
