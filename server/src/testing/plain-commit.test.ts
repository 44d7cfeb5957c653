import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from './test-repository.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-plain-commit-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const hasIndex = () => existsSync(join(folder, '.git/index'))

test('a commit is the one that git would make', () => {
  const repo = testRepository(folder)
  mkdirSync(join(folder, 'empty/inner'), { recursive: true })
  writeFileSync(join(folder, 'run.sh'), 'true\n')
  chmodSync(join(folder, 'run.sh'), 0o755)
  symlinkSync('run.sh', join(folder, 'link'))
  // Git sorts a folder as if its name ended with a slash.
  const files = { 'a/b/c': '1', 'a.txt': '2', a0: '3', 'ü\n': '4', big: 'x'.repeat(100_000), none: '' }
  const first = repo.commit(files, 'First\n\nTwo paragraphs.')
  unlinkSync(join(folder, 'a0'))
  const second = repo.commit({ 'a.txt': 'new' }, 'Second # not a comment')
  expect(hasIndex()).toBe(false)

  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.git('write-tree')).toBe(repo.git('rev-parse', `${second}^{tree}`))
  expect(repo.git('fsck', '--strict')).toBe('')
  // The text of the same commit by git, but for the time.
  const textOf = (sha: string) => repo.git('cat-file', '-p', sha).replaceAll(/> \d+ /g, '> TIME ')
  for (const [sha, parents] of [
    [first, []],
    [second, ['-p', first]],
  ] as const) {
    const same = repo.git('commit-tree', '-m', repo.git('log', '-1', '--format=%B', sha), ...parents, `${sha}^{tree}`)
    expect(textOf(sha)).toBe(textOf(same))
  }
})

test.each([
  ['an ignored file', { '.gitignore': 'secret\n', secret: 'x' }, 'Message'],
  ['attributes', { 'in/.gitattributes': '* text\n' }, 'Message'],
  ['a message that git changes', { file: '1' }, 'Message  \n\n\n\nMore'],
])('git itself commits %s', (_name, files, message) => {
  const repo = testRepository(folder)
  repo.commit(files, message)
  expect(hasIndex()).toBe(true)
  expect(repo.git('ls-files')).not.toContain('secret')
})

test('what a test staged itself is kept', () => {
  const repo = testRepository(folder)
  repo.commit({ file: '1' }, 'First')
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'3'.repeat(40)},module`)
  repo.git('commit', '-q', '-m', 'Second')
  expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('file\nmodule')
})

test('a commit on another branch has that branch as its parent', () => {
  const repo = testRepository(folder)
  const first = repo.commit({ file: '1' }, 'First')
  repo.git('checkout', '-q', '-b', 'side')
  const second = repo.commit({ file: '2' }, 'Second')
  expect(repo.git('log', '--format=%H', 'side')).toBe(`${second}\n${first}`)
  expect(repo.git('rev-parse', 'main')).toBe(first)
})
