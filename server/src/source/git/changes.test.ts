/** The changes of a commit as a page shows them, compared with what git itself prints. */
import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommitFile } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { createGit, type Git } from './git.ts'

let folder: string
let git: Git
let repo: ReturnType<typeof testRepository>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-changes-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  repo = testRepository(join(folder, 'web'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const inRepo = (name: string) => join(repo.path, name)
const write = (name: string, text: string | Buffer) => writeFileSync(inRepo(name), text)
function commit(message = 'Change'): string {
  repo.git('add', '-A')
  repo.git('commit', '-q', '--allow-empty', '-m', message)
  return repo.git('rev-parse', 'HEAD').trim()
}
const changes = (sha: string) => git.changes(repo.path, sha)
const byPath = (files: readonly CommitFile[]) => Object.fromEntries(files.map((file) => [file.path, file]))
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

test('each kind of change is returned with its lines', async () => {
  write('kept.txt', numbers(1, 30))
  write('gone.txt', 'one\ntwo\n')
  write('old name.txt', numbers(1, 20))
  write('program', '#!/bin/sh\n')
  write('picture', Buffer.from([0, 1, 2]))
  symlinkSync('kept.txt', inRepo('link'))
  write('no-end', 'a')
  const first = commit()
  write('kept.txt', `${numbers(1, 9)}LINE TEN\n${numbers(11, 30)}more\n`)
  unlinkSync(inRepo('gone.txt'))
  renameSync(inRepo('old name.txt'), inRepo('new name.txt'))
  write('new name.txt', `${numbers(1, 19)}last\n`)
  chmodSync(inRepo('program'), 0o755)
  write('picture', Buffer.from([0, 1, 3]))
  unlinkSync(inRepo('link'))
  write('link', 'a file\n')
  write('no-end', 'b')
  write('empty', '')
  write('zz.txt', 'after the type that changed\n')
  const { parents, files, total } = await changes(commit())
  expect([parents, total]).toEqual([[first], 9])
  expect(byPath(files)).toEqual({
    empty: { path: 'empty', change: 'added', added: 0, deleted: 0 },
    'gone.txt': {
      path: 'gone.txt',
      change: 'deleted',
      added: 0,
      deleted: 2,
      hunks: [{ old: 1, new: 0, lines: ['-one', '-two'] }],
    },
    'kept.txt': {
      path: 'kept.txt',
      change: 'modified',
      added: 2,
      deleted: 1,
      hunks: [
        {
          old: 7,
          new: 7,
          heading: 'line 6',
          lines: [' line 7', ' line 8', ' line 9', '-line 10', '+LINE TEN', ' line 11', ' line 12', ' line 13'],
        },
        { old: 28, new: 28, heading: 'line 27', lines: [' line 28', ' line 29', ' line 30', '+more'] },
      ],
    },
    link: {
      path: 'link',
      change: 'type',
      modes: ['120000', '100644'],
      added: 1,
      deleted: 1,
      hunks: [
        { old: 1, new: 0, lines: ['-kept.txt', '\\ No newline at end of file'] },
        { old: 0, new: 1, lines: ['+a file'] },
      ],
    },
    'new name.txt': {
      path: 'new name.txt',
      change: 'renamed',
      before: 'old name.txt',
      added: 1,
      deleted: 1,
      hunks: [
        { old: 17, new: 17, heading: 'line 16', lines: [' line 17', ' line 18', ' line 19', '-line 20', '+last'] },
      ],
    },
    'no-end': {
      path: 'no-end',
      change: 'modified',
      added: 1,
      deleted: 1,
      hunks: [
        {
          old: 1,
          new: 1,
          lines: ['-a', '\\ No newline at end of file', '+b', '\\ No newline at end of file'],
        },
      ],
    },
    picture: { path: 'picture', change: 'modified', binary: true },
    program: { path: 'program', change: 'modified', modes: ['100644', '100755'], added: 0, deleted: 0 },
    'zz.txt': {
      path: 'zz.txt',
      change: 'added',
      added: 1,
      deleted: 0,
      hunks: [{ old: 0, new: 1, lines: ['+after the type that changed'] }],
    },
  })
})

test('a first commit, an empty commit, and a merge compared with its first parent @system', async () => {
  write('a', 'a\n')
  const first = commit()
  expect(await changes(first)).toMatchObject({ parents: [], total: 1, files: [{ path: 'a', change: 'added' }] })
  const empty = commit('Nothing')
  expect(await changes(empty)).toEqual({ parents: [first], files: [], total: 0 })
  repo.git('checkout', '-q', '-b', 'side')
  write('b', 'b\n')
  const side = commit()
  repo.git('checkout', '-q', 'main')
  write('c', 'c\n')
  const main = commit()
  repo.git('merge', '-q', '--no-edit', 'side')
  const { parents, files } = await changes(repo.git('rev-parse', 'HEAD').trim())
  expect([parents, files.map(({ path }) => path)]).toEqual([[main, side], ['b']])
})

test('no line and no name is mistaken for a header of git', async () => {
  const evil = 'diff --git a/x b/x\n@@ -1 +1 @@\nBinary files a/x and b/x differ\n'
  write('a\ndiff --git a:y b:y\n@@ -0,0 +1 @@\n+b', evil)
  write('\u202etxt.exe', '+++ b/z\n--- a/z\n')
  write('--output=x', 'x\n')
  write('z', 'z\n')
  const { files } = await changes(commit())
  expect(files.map(({ path, hunks }) => [path, hunks?.flatMap(({ lines }) => lines)])).toEqual([
    ['--output=x', ['+x']],
    [
      'a\ndiff --git a:y b:y\n@@ -0,0 +1 @@\n+b',
      ['+diff --git a/x b/x', '+@@ -1 +1 @@', '+Binary files a/x and b/x differ'],
    ],
    ['z', ['+z']],
    ['\u202etxt.exe', ['++++ b/z', '+--- a/z']],
  ])
})

test('lines of one file and of all files are truncated, and the result says so', async () => {
  write('a.txt', 'x'.repeat(10_000))
  write('b.txt', numbers(1, 1_500))
  for (let file = 0; file < 60; file += 1) write(`c${String(file).padStart(2, '0')}`, numbers(1, 100))
  const { files, total } = await changes(commit())
  expect(total).toBe(62)
  const [long, many, ...others] = files
  expect(long?.hunks?.[0]).toMatchObject({
    lines: [`+${'x'.repeat(1_999)}`, '\\ No newline at end of file'],
    long: [{ at: 0, more: 8_001 }],
  })
  expect(many?.hunks?.[0]?.lines).toHaveLength(1_000)
  expect([long?.cut, many?.cut, many?.added]).toEqual([undefined, 'file', 1_500])
  const kept = files.flatMap(({ hunks = [] }) => hunks.flatMap(({ lines }) => lines)).length
  expect(kept).toBe(5_000)
  expect(others.map(({ cut }) => cut)).toEqual([
    ...Array<undefined>(39).fill(undefined),
    ...Array<string>(9).fill('commit'),
    ...Array<string>(12).fill('count'),
  ])
  // The names and figures of all files are returned.
  expect(others.every(({ added }) => added === 100)).toBe(true)
})

test('text that is not UTF-8 is returned and marked; a character is never split', async () => {
  write('latin', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]))
  write('wide', `${'ü'.repeat(2_000)}\n`)
  const { latin, wide } = byPath((await changes(commit())).files)
  expect(latin).toMatchObject({ garbled: true, hunks: [{ lines: ['+Gr\ufffd\ufffde'] }] })
  expect(wide?.garbled).toBeUndefined()
  expect(wide?.hunks?.[0]?.lines).toEqual([`+${'ü'.repeat(999)}`])
  expect(wide?.hunks?.[0]?.long).toEqual([{ at: 0, more: 4_001 - 1_999 }])
})

test('all of very many files are counted, and the first thousand are returned @system', async () => {
  for (let file = 0; file < 1_200; file += 1) write(`f${file}`, `${file}\n`)
  const { files, total } = await changes(commit())
  expect([files.length, total]).toEqual([1_000, 1_200])
})

test('an aborted request ends git @system', async () => {
  write('a', 'a\n')
  const sha = commit()
  const gone = new AbortController()
  gone.abort()
  await expect(git.changes(repo.path, sha, gone.signal)).rejects.toThrow('aborted')
})
