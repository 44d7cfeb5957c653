import { spawn } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { publicMessage, withoutPaths } from './public-text.ts'

const failing = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail('did not fail'),
    (error: unknown) => error,
  )

it("a failed system call is described without Node's text and its paths", async () => {
  expect(publicMessage(await failing(readFile("/srv/a b/it's/x")))).toBe('no such file or directory')
  expect(publicMessage(await failing(rename('/srv/a b', '/srv/c d')))).toBe('no such file or directory')
  const spawned = new Promise((_, reject) => spawn('/srv/a b').once('error', reject))
  expect(publicMessage(await failing(spawned))).toBe('a program could not be started (no such file or directory)')
})

it("a database that fails is described without SQLite's text", () => {
  const error = Object.assign(new Error('no such column: builds.x'), { code: 'ERR_SQLITE_ERROR' })
  expect(publicMessage(error)).toBe('the database cannot be read or written')
})

const full = 'The disk of the server is full: free some space on it, then try again'
const fails = (words: string) => `The server cannot read or write its disk (${words}): check the disk, then try again`

it.each([
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['EROFS', fails('read-only')],
  ['EIO', fails('input/output error')],
])('a disk that fails with %s is named in a sentence', (code, expected) => {
  const error = Object.assign(new Error(`${code}: it fails, mkdtemp '/data/workspaces/5-'`), { code })
  expect(publicMessage(error)).toBe(expected)
})

it.each([
  ['spawn /data/git ENOENT', 'spawn … ENOENT'],
  ['git cannot read /srv/git/acme/web: bad object', 'git cannot read …: bad object'],
  ['cannot find file:///srv/x.js', 'cannot find …'],
  ['(/var/run/docker.sock) is closed', '(…) is closed'],
  ['"/srv/a b" and `/srv/c`', '"…" and `…`'],
  ['/a', '…'],
])('%j becomes %j', (text, expected) => {
  expect(withoutPaths(text)).toBe(expected)
})

it.each([
  'https://drone.example.com/a/b refused the connection',
  'refs/heads/main is not a branch',
  'a/b, and/or ./c/d or ~/e',
  'git@example.com:/team/app',
  '3 / 4, 1/2',
  'the server sent text/html',
])('%j stays', (text) => {
  expect(withoutPaths(text)).toBe(text)
})
