import { expect, test } from 'vitest'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { createCommitList } from './commit-list.ts'

/** The output of git for this format. */
const commit = (format: string, title: string, files: readonly string[]): string => {
  const known: Record<string, string> = { '%H': 'a'.repeat(40), '%P': '', '%an': 'Ada', '%at': '7', '%s': title }
  const head = format.replaceAll('%x00', '\0').replace(/%(?:an|at|[HPs])/g, (word) => known[word] ?? '')
  return `${head}\0\n${files.map((file) => `${file}\0`).join('')}`
}

test('a commit of very many files is read in batches, and the first files are returned', async () => {
  const reader = createCommitList(1, true)
  const files = Array.from({ length: 300_000 }, (_, index) => index.toString(36))
  const bytes = Buffer.from(commit(reader.format, 'First', files) + commit(reader.format, 'Second', ['b']))
  expect(await countLoopTurns(async () => reader.read(bytes))).toBeGreaterThan(10)
  const { commits, more } = await reader.read(bytes)
  const told = { sha: 'a'.repeat(40), title: 'First', author: 'Ada', time: 7, files: files.slice(0, 100) }
  expect({ commits, more }).toEqual({ commits: [{ ...told, total: 300_000 }], more: true })
})

test('`more` is set only above the limit', async () => {
  const listOf = async (count: number) => {
    const reader = createCommitList(2, false)
    const text = Array.from({ length: count }, (_, index) => commit(reader.format, `${index}`, [])).join('')
    const { commits, more } = await reader.read(Buffer.from(text))
    return [commits.length, more]
  }
  expect([await listOf(1), await listOf(2), await listOf(3)]).toEqual([
    [1, false],
    [2, false],
    [2, true],
  ])
})

test('the number of files of a commit is limited', async () => {
  const namesOf = async (count: number) => {
    const reader = createCommitList(1, true)
    const files = Array.from({ length: count }, (_, index) => `${index}`)
    const { commits } = await reader.read(Buffer.from(commit(reader.format, 'One', files)))
    return [commits[0]?.files.length, commits[0]?.total]
  }
  expect([await namesOf(99), await namesOf(100), await namesOf(101)]).toEqual([
    [99, 99],
    [100, 100],
    [100, 101],
  ])
})

test('the files of a commit are read with it, wherever a chunk ends', async () => {
  for (let size = 65_300; size < 65_560; size += 1) {
    const reader = createCommitList(2, true)
    const text = commit(reader.format, 'First', ['a'.repeat(size)]) + commit(reader.format, 'Second', ['b', 'c'])
    const { commits } = await reader.read(Buffer.from(text))
    expect(commits.map(({ title, author, total }) => [title, author, total])).toEqual([
      ['First', 'Ada', 1],
      ['Second', 'Ada', 2],
    ])
  }
})
