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

/** Git answers from one process for each repository that is asked. */
let folder: string
let git: Git
let lasting: GitProcessPool
/** A check is only cached when nothing has changed for a while. */
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
  lasting = createGitProcessPool(git)
})
afterEach(() => {
  lasting.close()
  rmSync(folder, { recursive: true })
})

const started = () => readFileSync(join(folder, 'started'), 'utf8').split('\n').length - 1
const branch = 'refs/heads/main'
/** As a repository is that was packed since its last push: nothing of it is read without git. */
function packed(name: string) {
  const repo = testRepository(join(folder, name))
  const commit = (files: Record<string, string>, message: string) => {
    const sha = repo.commit(files, message)
    repo.git('repack', '-adq')
    return sha
  }
  return { ...repo, commit }
}

test('all questions about a repository cost one program, and what is pushed meanwhile is answered', async () => {
  const repo = packed('web')
  const first = repo.commit({ '.drone.yml': 'one' }, 'First')
  const facts = async (sha: string) => [
    await lasting.resolve(repo.path, branch),
    (await lasting.commit(repo.path, sha)).message,
    await lasting.readFile(repo.path, sha, '.drone.yml'),
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
  // What is not there, git says in its own words.
  expect(await lasting.resolve(repo.path, 'refs/heads/none')).toBeNull()
  await expect(lasting.commit(repo.path, '0'.repeat(40))).rejects.toThrow('bad object')
})

test('no more processes live than are allowed, and none for long @system', async () => {
  lasting = createGitProcessPool(git, { maxProcesses: 2, idleMs: 300 })
  const repos = ['a', 'b', 'c'].map(packed)
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
  const living = () => lines().filter((line) => line.includes('cat-file\0--batch') && line.includes(folder)).length
  for (let time = 0; time < 3; time += 1) {
    for (const { path } of repos) {
      expect(await lasting.resolve(path, branch)).not.toBeNull()
      // A process that was signaled can take a moment to end.
      await expect.poll(living, { timeout: 10_000, interval: 5 }).toBeLessThanOrEqual(2)
    }
  }
  await expect.poll(living, { timeout: 10_000 }).toBe(0)
})

test('a repository that replaces another one does not answer for it @system', async () => {
  const repo = packed('web')
  const old = repo.commit({ a: '1' }, 'Old')
  later = 5_000
  expect(await lasting.resolve(repo.path, branch)).toBe(old)
  const other = packed('other')
  const fresh = other.commit({ a: '2' }, 'New')
  renameSync(repo.path, join(folder, 'gone'))
  renameSync(other.path, repo.path)
  expect(await lasting.resolve(repo.path, branch)).toBe(fresh)
  expect(await lasting.resolve(repo.path, old)).toBeNull()
})

test.each([
  ['alternates', (path: string) => writeFileSync(join(path, '.git/objects/info/alternates'), '/elsewhere\n')],
  ['a link among the objects', (path: string) => symlinkSync('/elsewhere', join(path, '.git/objects/zz'))],
  ['a link among the packs', (path: string) => symlinkSync('/elsewhere', join(path, '.git/objects/pack/zz.pack'))],
])('%s that come later are refused at the next question', async (_what, make) => {
  const repo = packed('web')
  const sha = repo.commit({ a: '1' }, 'First')
  later = 5_000
  for (let time = 0; time < 2; time += 1) expect(await lasting.resolve(repo.path, branch)).toBe(sha)
  make(repo.path)
  for (const reader of [lasting, git]) await expect(reader.resolve(repo.path, branch)).rejects.toThrow('outside')
})

test('an object format that changes is another repository @system', async () => {
  const repo = packed('web')
  const sha = repo.commit({ a: '1' }, 'First')
  later = 5_000
  expect(await lasting.resolve(repo.path, branch)).toBe(sha)
  chmodSync(join(repo.path, '.git/config'), 0o600)
  writeFileSync(
    join(repo.path, '.git/config'),
    '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n',
  )
  expect(await lasting.resolve(repo.path, branch).catch(() => 'refused')).not.toBe(sha)
})
