import { expect, test } from 'vitest'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { parseList } from './change-list.ts'

const sha = 'a'.repeat(40)

test('many files are read in batches, and all are counted', async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => index.toString(36))
  const raw = names.map((name) => `:000000 100644 ${sha} ${sha} A\0${name}\0`).join('')
  const bytes = Buffer.from(`${sha}\0\0${raw}${names.map((name) => `1\t0\t${name}\0`).join('')}`)
  expect(await countLoopTurns(async () => parseList(bytes))).toBeGreaterThan(10)
  const { parents, files, count } = await parseList(bytes)
  expect([parents, files.length, count]).toEqual([[sha], 1_000, 100_000])
  expect(files.at(-1)).toEqual({ path: names[999], change: 'added', added: 1, deleted: 0 })
})

test('a commit with very many parents returns the first of them', async () => {
  const { parents } = await parseList(Buffer.from(`${`${sha} `.repeat(400_000)}\0`))
  expect([parents.length, new Set(parents)]).toEqual([100, new Set([sha])])
})
