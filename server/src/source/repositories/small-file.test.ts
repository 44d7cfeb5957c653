import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneSource } from '../git/clone-source.ts'
import { createGit, type Git } from '../git/git.ts'
import { readRefs } from '../refs/read-refs.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { findGitDir, readHead } from './git-dir.ts'

/**
 * The server itself reads these files of a repository, and users with write access control them.
 */
let folder: string
let git: Git
let repo: ReturnType<typeof testRepository>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-small-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  repo = testRepository(join(folder, 'web'))
  repo.commit({ a: '1' }, 'First')
})
afterEach(() => rmSync(folder, { recursive: true }))

const inGitDir = (name: string) => join(repo.path, '.git', name)

const calls: Record<string, () => Promise<unknown>> = {
  config: () => git.resolve(repo.path, 'main'),
  shallow: () => git.resolve(repo.path, 'main'),
  'objects/info/alternates': () => git.resolve(repo.path, 'main'),
  commondir: () => findGitDir(repo.path),
  'packed-refs': () => readRefs(join(repo.path, '.git')),
}
const readAll = async () => {
  await git.resolve(repo.path, 'main')
  await cloneSource(folder, repo.path)
  await readRefs(join(repo.path, '.git'))
  const found = await findGitDir(repo.path)
  return found && readHead(found.gitDir)
}

test.each(Object.entries(calls))(
  'a pipe, a link or a very large file named %s is refused at once',
  async (name, call) => {
    expect(await readAll()).toBe('main')
    const path = inGitDir(name)
    const secret = join(folder, 'a-file-of-somebody-else')
    // Longer than a path can be, so that reading it as a path fails.
    writeFileSync(secret, `words of it ${'x'.repeat(5000)}\n`)
    const ways: [RegExp, () => void][] = [
      [/is not a regular file/, () => execFileSync('mkfifo', [path])],
      [/is not a regular file|outside its own folder/, () => symlinkSync('/dev/zero', path)],
      [/is larger than/, () => (writeFileSync(path, ''), truncateSync(path, 300 * 1024 * 1024))],
      [/is not a regular file|outside its own folder/, () => symlinkSync(secret, path)],
    ]
    mkdirSync(dirname(path), { recursive: true })
    for (const [words, make] of ways) {
      rmSync(path, { force: true })
      make()
      const said = String(
        await call().then(
          () => 'nothing',
          (error: unknown) => error,
        ),
      )
      expect(said).toMatch(words)
      expect(said).not.toContain('words of it')
    }
  },
)

test('a HEAD that is a pipe is ignored, and one that is a link names no branch', async () => {
  rmSync(inGitDir('HEAD'))
  symlinkSync('refs/heads/main', inGitDir('HEAD'))
  expect(await readHead(join(repo.path, '.git'))).toBeNull()
  rmSync(inGitDir('HEAD'))
  execFileSync('mkfifo', [inGitDir('HEAD')])
  expect(await findGitDir(repo.path)).toBeNull()
  await expect(readHead(join(repo.path, '.git'))).rejects.toThrow('is not a regular file')
})
