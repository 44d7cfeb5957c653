import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { createGit, type Git } from './git.ts'
import { createGitProcessPool, type GitProcessPool } from './git-process-pool.ts'

/** The pool answers with one git process per repository. */
let folder: string
let git: Git
let pool: GitProcessPool
/** Moves the clock, because a check is cached only if nothing has changed for a while. */
let later = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-lasting-'))
  later = 0
  const real = execFileSync('which', ['git']).toString().trim()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\necho "$*" >> ${folder}/started\nexec ${real} "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(folder, 'started'), '')
  vi.stubEnv('PATH', `${folder}/bin:${process.env['PATH']}`)
  git = await createGit({ dataDir: join(folder, 'data'), own: [], now: () => Date.now() + later })
  writeFileSync(join(folder, 'started'), '')
  vi.unstubAllEnvs()
  pool = createGitProcessPool(git)
})
afterEach(() => {
  pool.close()
  rmSync(folder, { recursive: true })
})

const started = () => readFileSync(join(folder, 'started'), 'utf8').split('\n').length - 1
const branch = 'refs/heads/main'
/**
 * Creates a repository that is packed after each commit, so that nothing of it can be read without
 * git.
 */
function createPacked(name: string) {
  const repo = testRepository(join(folder, name))
  const commit = (files: Record<string, string>, message: string) => {
    const sha = repo.commit(files, message)
    repo.git('repack', '-adq')
    return sha
  }
  return { ...repo, commit }
}

test('all calls for a repository share one process, which also finds commits pushed later', async () => {
  const repo = createPacked('web')
  const first = repo.commit({ '.drone.yml': 'one' }, 'First')
  const facts = async (sha: string) => [
    await pool.resolve(repo.path, branch),
    (await pool.commit(repo.path, sha)).message,
    await pool.readFile(repo.path, sha, '.drone.yml'),
  ]
  for (let time = 0; time < 3; time += 1) expect(await facts(first)).toEqual([first, 'First', 'one'])
  const second = repo.commit({ '.drone.yml': 'two' }, 'Second')
  repo.git('pack-refs', '--all')
  expect(await facts(second)).toEqual([second, 'Second', 'two'])
  expect(await Promise.all([facts(first), facts(second)])).toEqual([
    [second, 'First', 'one'],
    [second, 'Second', 'two'],
  ])
  expect(started()).toBe(1)
  // git's own message for a missing object.
  expect(await pool.resolve(repo.path, 'refs/heads/none')).toBeNull()
  await expect(pool.commit(repo.path, '0'.repeat(40))).rejects.toThrow('bad object')
})

test('the number of processes is limited, and idle processes end @system', async () => {
  pool = createGitProcessPool(git, { maxProcesses: 2, idleMs: 300 })
  const repos = ['a', 'b', 'c'].map(createPacked)
  for (const repo of repos) repo.commit({ a: '1' }, 'First')
  const lines = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        } catch {
          return ''
        }
      })
  const countProcesses = () =>
    lines().filter((line) => line.includes('cat-file\0--batch') && line.includes(folder)).length
  for (let time = 0; time < 3; time += 1) {
    for (const { path } of repos) {
      expect(await pool.resolve(path, branch)).not.toBeNull()
      // A process that received a signal can take a moment to end.
      await expect.poll(countProcesses, { timeout: 10_000, interval: 5 }).toBeLessThanOrEqual(2)
    }
  }
  await expect.poll(countProcesses, { timeout: 10_000 }).toBe(0)
})

test('a process is not reused after another repository replaced the folder @system', async () => {
  const repo = createPacked('web')
  const old = repo.commit({ a: '1' }, 'Old')
  later = 5_000
  expect(await pool.resolve(repo.path, branch)).toBe(old)
  const other = createPacked('other')
  const fresh = other.commit({ a: '2' }, 'New')
  renameSync(repo.path, join(folder, 'gone'))
  renameSync(other.path, repo.path)
  expect(await pool.resolve(repo.path, branch)).toBe(fresh)
  expect(await pool.resolve(repo.path, old)).toBeNull()
})

test.each([
  ['alternates', (path: string) => writeFileSync(join(path, '.git/objects/info/alternates'), '/elsewhere\n')],
  ['a link among the objects', (path: string) => symlinkSync('/elsewhere', join(path, '.git/objects/zz'))],
  ['a link among the packs', (path: string) => symlinkSync('/elsewhere', join(path, '.git/objects/pack/zz.pack'))],
])('%s that come later are refused at the next question', async (_what, make) => {
  const repo = createPacked('web')
  const sha = repo.commit({ a: '1' }, 'First')
  later = 5_000
  for (let time = 0; time < 2; time += 1) expect(await pool.resolve(repo.path, branch)).toBe(sha)
  make(repo.path)
  for (const reader of [pool, git]) await expect(reader.resolve(repo.path, branch)).rejects.toThrow('outside')
})

test('a process is not reused after the object format changed @system', async () => {
  const repo = createPacked('web')
  const sha = repo.commit({ a: '1' }, 'First')
  later = 5_000
  expect(await pool.resolve(repo.path, branch)).toBe(sha)
  chmodSync(join(repo.path, '.git/config'), 0o600)
  writeFileSync(
    join(repo.path, '.git/config'),
    '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n',
  )
  expect(await pool.resolve(repo.path, branch).catch(() => 'refused')).not.toBe(sha)
})
