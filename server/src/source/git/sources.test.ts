/** The git data for a failed step, read from real repositories. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { createGit, type Git } from './git.ts'

let folder: string
let git: Git
let repo: ReturnType<typeof testRepository>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-sources-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  repo = testRepository(join(folder, 'web'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const inRepo = (name: string) => join(repo.path, name)
const between = (older: string, newer: string) => git.sources.between(repo.path, older, newer)
const find = (sha: string, ...paths: string[]) => git.sources.find(repo.path, sha, paths)
const authors = (sha: string, path: string, from: number, to: number, at = repo.path) =>
  git.sources.authors(at, sha, { path, from, to })
const titles = (told: Awaited<ReturnType<typeof between>>) => told?.commits?.map(({ title }) => title)

test('the commits between two commits are returned with authors and files, newest first', async () => {
  const green = repo.commit({ 'a.txt': 'one\n', 'b.txt': 'one\n' }, 'Green')
  expect(await between(green, green)).toEqual({ commits: [], more: false, without: 0 })
  repo.commit({ 'a.txt': 'two\n', 'src/c d.txt': 'x\n' }, 'Second\n\nWith more words')
  renameSync(inRepo('b.txt'), inRepo('e.txt'))
  unlinkSync(inRepo('a.txt'))
  const red = repo.commit({}, 'Third')
  expect(await between(green, red)).toEqual({
    commits: [
      {
        sha: red,
        title: 'Third',
        author: 'Ada',
        time: expect.any(Number),
        files: ['a.txt', 'b.txt', 'e.txt'],
        total: 3,
      },
      {
        sha: repo.git('rev-parse', 'HEAD~1'),
        title: 'Second',
        author: 'Ada',
        time: expect.any(Number),
        files: ['a.txt', 'src/c d.txt'],
        total: 2,
      },
    ],
    more: false,
    without: 0,
  })
})

test('a merge is returned with its merged commits, and dropped commits are counted @system', async () => {
  const first = repo.commit({ a: '1' }, 'First')
  repo.git('checkout', '-q', '-b', 'side')
  repo.commit({ b: '1' }, 'On the side')
  repo.git('checkout', '-q', 'main')
  const green = repo.commit({ c: '1' }, 'Green')
  repo.git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side')
  const merged = repo.git('rev-parse', 'HEAD')
  const told = await between(green, merged)
  expect(titles(told)).toEqual(['Merge side', 'On the side'])
  expect(told?.commits?.[0]).toMatchObject({ merge: true, files: [] })
  expect(told?.without).toBe(0)
  // A rewritten branch: the successful commit is no longer part of it.
  repo.git('reset', '-q', '--hard', first)
  const anew = repo.commit({ d: '1' }, 'Anew')
  const other = await between(merged, anew)
  expect(titles(other)).toEqual(['Anew'])
  expect(other?.without).toBe(3)
})

test('only the first of many commits and many files are returned @system', async () => {
  const green = repo.commit({ a: '0' }, 'Green')
  repo.commit(Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`files/${n}`, '1'])), 'Many files')
  for (let n = 0; n < 50; n += 1) repo.git('commit', '-q', '--allow-empty', '-m', `Commit ${n}`)
  const [near, far] = [
    await between(green, repo.git('rev-parse', 'HEAD~50')),
    await between(green, repo.git('rev-parse', 'HEAD')),
  ]
  expect(near?.commits?.[0]?.files).toHaveLength(100)
  expect(near?.commits?.[0]?.total).toBe(130)
  expect([far?.commits?.length, far?.more]).toEqual([50, true])
  expect([titles(far)?.[0], titles(far)?.[49]]).toEqual(['Commit 49', 'Commit 0'])
})

test('nothing is returned for a missing commit, or for another object', async () => {
  const sha = repo.commit({ a: '1' }, 'One')
  expect(await between('1'.repeat(40), sha)).toBeNull()
  expect(await between(sha, '1'.repeat(40))).toBeNull()
  expect(await between('HEAD', sha)).toBeNull()
  expect(await between('--output=/tmp/x', sha)).toBeNull()
  expect(await find('HEAD', 'a')).toBeNull()
  expect(await authors('main', 'a', 1, 1)).toBeNull()
})

test('a branch with the name of a sha is never mistaken for the commit', async () => {
  const green = repo.commit({ a: '1' }, 'Green')
  const sha = '2'.repeat(40)
  const red = repo.commit({ [`x\n${sha}`]: '1', [sha]: '1', '\n': '1' }, `${sha}\0`.replace('\0', ' '))
  const told = await between(green, red)
  expect(told?.commits).toHaveLength(1)
  expect(told?.commits?.[0]).toMatchObject({ sha: red, title: sha })
})

test('a path refers to the file in the commit, whatever the work tree contains @system', async () => {
  writeFileSync(inRepo('kept.txt'), 'text\n')
  symlinkSync('/etc/passwd', inRepo('link'))
  symlinkSync('folder', inRepo('linked'))
  repo.commit({ 'folder/file.txt': 'inside\n', ':(glob)*': 'odd\n', big: 'x'.repeat(2 * 1024 * 1024 + 1) }, 'All')
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'3'.repeat(40)},module`)
  repo.git('commit', '-q', '-m', 'With a submodule')
  const sha = repo.git('rev-parse', 'HEAD')
  unlinkSync(inRepo('kept.txt'))
  expect(await find(sha, 'gone', 'kept.txt')).toEqual({ kind: 'file', path: 'kept.txt', bytes: Buffer.from('text\n') })
  expect(await find(sha, ':(glob)*')).toMatchObject({ kind: 'file', bytes: Buffer.from('odd\n') })
  expect(await find(sha, 'link')).toEqual({ kind: 'link', path: 'link' })
  expect(await find(sha, 'linked/file.txt')).toBeNull()
  expect(await find(sha, 'folder')).toEqual({ kind: 'folder', path: 'folder' })
  expect(await find(sha, 'module')).toEqual({ kind: 'submodule', path: 'module' })
  expect(await find(sha, 'big')).toEqual({ kind: 'large', path: 'big' })
  for (const path of ['', '../web/kept.txt', '/etc/passwd', '*', 'folder/*', 'kept.txt/', '--name-only', '.git/config'])
    expect([path, (await find(sha, path))?.kind]).toEqual([path, undefined])
  expect(await git.sources.endingIn(repo.path, sha, 'file.txt')).toEqual(['folder/file.txt'])
  expect(await git.sources.endingIn(repo.path, sha, 'ile.txt')).toEqual([])
})

test('each line is returned with its last author, across a rename and a merge @system', async () => {
  const first = repo.commit({ 'old.txt': 'one\ntwo\nthree\nfour\nfive\n' }, 'First')
  repo.git('mv', 'old.txt', 'new.txt')
  repo.commit({}, 'Rename')
  repo.git('checkout', '-q', '-b', 'side')
  repo.git('config', 'user.name', 'Ben')
  const side = repo.commit({ 'new.txt': 'one\ntwo\nthree\nfour\nFIVE\n' }, 'On the side')
  repo.git('checkout', '-q', 'main')
  const main = repo.commit({ 'new.txt': 'ONE\ntwo\nthree\nfour\nfive\n' }, 'On main')
  repo.git('merge', '-q', '-m', 'Merge', 'side')
  const told = await authors(repo.git('rev-parse', 'HEAD'), 'new.txt', 1, 5)
  expect(told?.lines.map((place) => told.commits[place]?.sha)).toEqual([main, first, first, first, side])
  expect(told?.commits[0]).toEqual({ sha: main, title: 'On main', author: 'Ada', time: expect.any(Number) })
  // A deleted file has no lines.
  unlinkSync(inRepo('new.txt'))
  expect(await authors(repo.commit({}, 'Delete'), 'new.txt', 1, 2)).toBeNull()
  const { shas, all } = await git.sources.listAfter(repo.path, first, main)
  expect([shas.has(main), shas.has(first), shas.size, all]).toEqual([true, false, 2, true])
})

test('authors at the boundary of a shallow clone are uncertain @system', async () => {
  repo.commit({ 'a.txt': 'one\n' }, 'First')
  repo.commit({ 'a.txt': 'one\ntwo\n' }, 'Second')
  const third = repo.commit({ 'a.txt': 'one\ntwo\nthree\n' }, 'Third')
  const shallow = join(folder, 'shallow')
  execFileSync('git', ['clone', '-q', '--depth=2', `file://${repo.path}`, shallow])
  const told = await authors(third, 'a.txt', 1, 3, shallow)
  const by = told?.lines.map((place) => told.commits[place]) ?? []
  expect(by.map((commit) => commit?.title)).toEqual(['Second', 'Second', 'Third'])
  expect(by.map((commit) => commit?.earliest)).toEqual([true, true, undefined])
  // The repository's own first commit is not a boundary.
  const whole = await authors(third, 'a.txt', 1, 1)
  expect(whole?.commits[0]).not.toHaveProperty('earliest')
})

test('git ends when no request waits for it', async () => {
  const sha = repo.commit({ a: '1' }, 'One')
  const gone = AbortSignal.abort()
  await expect(git.sources.find(repo.path, sha, ['a'], gone)).rejects.toThrow()
  await expect(git.sources.authors(repo.path, sha, { path: 'a', from: 1, to: 1 }, gone)).rejects.toThrow()
})
