import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGit, type Git } from './git.ts'
import { testRepository } from '../../testing/test-repository.ts'

let folder: string
let git: Git
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-git-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('reads commits, files and refs, in work trees and bare repositories', async () => {
  const repo = testRepository(join(folder, 'web'))
  const first = repo.commit({ '.drone.yml': 'kind: pipeline\n' }, 'First\n\nbody ü')
  const second = repo.commit({ 'a/b': 'x' }, 'Second')
  repo.git('tag', '-a', 'v1', '-m', 'one')
  repo.git('branch', 'feature/x', first)
  const bare = join(folder, 'web.git')
  execFileSync('git', ['clone', '-q', '--bare', repo.path, bare])
  for (const path of [repo.path, bare]) {
    expect(await git.commit(path, first)).toMatchObject({ sha: first, parent: '', message: 'First\n\nbody ü' })
    expect(await git.commit(path, second)).toMatchObject({
      parent: first,
      author: { name: 'Ada', email: 'ada@example.com' },
    })
    expect(await git.readFile(path, first, '.drone.yml')).toBe('kind: pipeline\n')
    expect(await git.readFile(path, second, './a/b')).toBe('x')
    expect(await git.readFile(path, first, 'a/b')).toBeNull()
    expect(await git.readFile(path, second, 'a')).toBeNull()
    expect(await git.resolve(path, 'refs/tags/v1')).toBe(second)
    expect(await git.resolve(path, 'feature/x')).toBe(first)
    expect(await git.resolve(path, first.slice(0, 10))).toBe(first)
    expect(await git.resolve(path, 'nothing')).toBeNull()
    expect(await git.resolve(path, '--help')).toBeNull()
    expect(await git.resolve(path, '0'.repeat(40))).toBeNull()
    await expect(git.commit(path, 'f'.repeat(40))).rejects.toThrow('git cannot read')
  }
})

test('an empty repository and a folder that is not a repository', async () => {
  const { path } = testRepository(join(folder, 'empty'))
  expect(await git.resolve(path, 'refs/heads/main')).toBeNull()
  mkdirSync(join(folder, 'plain'))
  await expect(git.resolve(join(folder, 'plain'), 'main')).rejects.toThrow('not a git repository')
})

test('runs no program that a repository configures: hooks, file monitors, signature checks @system', async () => {
  const repo = testRepository(join(folder, 'web'))
  repo.commit({ a: '1' }, 'First')
  const signer = join(folder, 'signer')
  writeFileSync(signer, '#!/bin/sh\ncat >/dev/null\nprintf "\\n[GNUPG:] SIG_CREATED x\\n" >&2; echo signed\n', {
    mode: 0o755,
  })
  repo.git('-c', `gpg.program=${signer}`, 'commit', '-q', '-S', '--allow-empty', '-m', 'Signed')
  const sha = repo.git('rev-parse', 'HEAD')
  expect(repo.git('cat-file', '-p', sha)).toContain('gpgsig signed')
  writeFileSync(signer, `#!/bin/sh\ntouch ${join(folder, 'ran')}\n`)
  repo.git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')} #`)
  repo.git('config', 'gpg.program', signer)
  repo.git('config', 'log.showSignature', 'true')
  await git.commit(repo.path, sha)
  expect((await git.changes(repo.path, sha)).files).toEqual([])
  expect(() => readFileSync(join(folder, 'ran'))).toThrow('ENOENT')
})

test("a failure of the server's own folder is described without Node's text", async () => {
  const repo = testRepository(join(folder, 'web'))
  const sha = repo.commit({ a: '1' }, 'First')
  const views = join(folder, 'data/git/views')
  await git.commit(repo.path, sha)
  rmSync(views, { recursive: true })
  writeFileSync(views, 'a file')
  await expect(git.commit(repo.path, sha)).rejects.toThrow(/^git cannot read the repository: not a directory$/)
})

/** Only root can change the owner of a folder. For other users this case is tested by hand. */
test.skipIf(process.getuid?.() !== 0)('names folder, owner and fix of a foreign repository', async () => {
  const repo = testRepository(join(folder, 'web'))
  const sha = repo.commit({ a: '1' }, 'First')
  for (const path of [repo.path, join(repo.path, '.git')]) chownSync(path, 65534, 65534)
  const told = /web belongs to \w+, but Flightdeck runs as root.*dubious ownership.*safe\.directory/
  const failure = await git.commit(repo.path, sha).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^git cannot read the repository: its folder belongs to a different account[^/]*$/),
    cause: { message: expect.stringMatching(told) },
  })
  expect(await git.refusal(repo.path, [repo.path, join(repo.path, '.git')])).toMatch(told)

  const ours = await createGit({ dataDir: join(folder, 'data'), own: [repo.path] })
  expect(await ours.commit(repo.path, sha)).toMatchObject({ sha })
  expect(await ours.refusal(repo.path, [repo.path, join(repo.path, '.git')])).toBeNull()
  const target = join(folder, 'clone')
  execFileSync('git', ['init', '-q', target])
  execFileSync('git', ['-C', target, 'fetch', '-q', repo.path, sha], { env: ours.environment, stdio: 'pipe' })
  writeFileSync(join(folder, 'done'), '')
})
