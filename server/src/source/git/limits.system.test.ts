import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { errorLineOf } from './git-errors.ts'
import { createGit, type Git } from './git.ts'
import { createGitProcessPool } from './git-process-pool.ts'

/** Limits the cost of a call for one name, whatever the repository contains. */
let folder: string
let repo: ReturnType<typeof testRepository>
let sha: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-limits-'))
  const real = execFileSync('which', ['git']).toString().trim()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\necho "$*" >> ${folder}/started\nexec ${real} "$@"\n`, {
    mode: 0o755,
  })
  repo = testRepository(join(folder, 'web'))
  sha = repo.commit({ a: '1' }, 'First')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function open(timeoutMs?: number, path = `${folder}/bin:${process.env['PATH']}`): Promise<Git> {
  vi.stubEnv('PATH', path)
  const git = await createGit({ dataDir: join(folder, 'data'), own: [], ...(timeoutMs !== undefined && { timeoutMs }) })
  vi.unstubAllEnvs()
  writeFileSync(join(folder, 'started'), '')
  return git
}
const started = () => readFileSync(join(folder, 'started'), 'utf8').split('\n').length - 1

/**
 * Creates an object whose header declares a very large size: git allocates that memory before it
 * reads the object.
 */
function largeObject(type: string): string {
  const id = 'b'.repeat(40)
  mkdirSync(join(repo.path, '.git/objects/bb'), { recursive: true })
  const bytes = deflateSync(Buffer.from(`${type} ${600 * 1024 * 1024}\0tree ${repo.git('write-tree')}\n`))
  writeFileSync(join(repo.path, '.git/objects/bb', id.slice(2)), bytes)
  writeFileSync(join(repo.path, '.git/refs/heads/large'), `${id}\n`)
  return id
}

test('a commit that needs half a gigabyte is refused, for every request', async () => {
  const git = await open()
  const id = largeObject('commit')
  const words = 'it needs more memory than Flightdeck gives it'
  await expect(git.resolve(repo.path, 'large')).rejects.toThrow(words)
  await expect(git.commit(repo.path, id)).rejects.toThrow(words)
  await expect(git.readFile(repo.path, id, 'a')).rejects.toThrow(words)
})

test.each([['commit'], ['tag']])('a large %s is not read, and not requested a second time', async (type) => {
  const git = await open()
  const id = largeObject(type)
  for (const ask of [
    (lasting: Git) => lasting.resolve(repo.path, 'refs/heads/large'),
    (lasting: Git) => lasting.commit(repo.path, id),
  ]) {
    writeFileSync(join(folder, 'started'), '')
    const lasting = createGitProcessPool(git)
    await expect(ask({ ...git, ...lasting })).rejects.toThrow(`a ${type} is larger than 2 MB`)
    expect(started()).toBe(1)
    lasting.close()
  }
})

test('a hanging git is ended, and the call is not repeated', async () => {
  const git = await open(1_000)
  execFileSync('mkfifo', [join(repo.path, '.git/refs/heads/slow')])
  const lasting = createGitProcessPool(git)
  await expect(lasting.resolve(repo.path, 'refs/heads/slow')).rejects.toThrow('it took too long')
  expect(started()).toBe(1)
  await expect(lasting.resolve(repo.path, 'slow')).rejects.toThrow('it took too long')
  expect(started()).toBe(2)
  lasting.close()
})

test('later calls succeed', async () => {
  const git = await open(1_000)
  const session = git.session(repo.path)
  execFileSync('mkfifo', [join(repo.path, '.git/refs/heads/slow')])
  await expect(session.resolve(repo.path, 'refs/heads/slow')).rejects.toThrow('it took too long')
  expect(await session.resolve(repo.path, 'refs/heads/main')).toBe(sha)
  session.end()
})

test('a missing git is reported', async () => {
  const git = await open(undefined, join(folder, 'nothing'))
  await expect(git.resolve(repo.path, 'main')).rejects.toThrow('git is not installed')
})

test.each([
  ['fatal: unexpected line in .git/packed-refs: the words', 'packed-refs'],
  ['error: inflate: data\nfatal: loose object 0123456789 (stored in x) is corrupt', 'damaged'],
  ['fatal: unable to read tree 0123456789', 'missing'],
  ['fatal: bad object 0123456789', 'bad object'],
  ['fatal: Out of memory, malloc failed', 'memory'],
  ['the words 0123456789', 'git exited with 128'],
])('of what git says (%s) no word of a file and no name of an object is repeated', (said, told) => {
  expect(errorLineOf(said, 128)).toContain(told)
  expect(errorLineOf(said, 128)).not.toMatch(/the words|0123456789/)
})

test('a damaged object is reported without the names of other objects', async () => {
  const git = await open()
  const tree = repo.git('rev-parse', `${sha}^{tree}`)
  const place = join(repo.path, '.git/objects', tree.slice(0, 2), tree.slice(2))
  rmSync(place)
  writeFileSync(place, 'no object')
  const said = await git.readFile(repo.path, sha, 'a').catch(String)
  expect(said).toContain('an object is damaged')
  expect(said).not.toContain(tree)
})
