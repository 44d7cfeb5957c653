import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGit, type Git } from './git.ts'
import { readLooseFile } from './loose-objects.ts'
import { openObjects } from './objects.ts'
import { smallLimits } from './run-git.ts'
import { openSession } from './git-session.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { countLoopTurns } from '../../testing/event-loop-during.ts'

let folder: string
let git: Git
let path: string
let origin: ReturnType<typeof testRepository>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-session-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  origin = testRepository(join(folder, 'web'))
  path = origin.path
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Objects are loose after a push, and packed later. */
const states = ['loose', 'packed'] as const
const packIf = (state: (typeof states)[number]) => {
  if (state === 'packed') origin.git('repack', '-adq')
}

/** git's own output is the expected value. */
const commitsOf = () => origin.git('log', '--all', '--format=%H').split('\n')

/** Creates a commit that another program could have written. */
function rawCommit(head: string, message: Buffer): string {
  const tree = origin.git('write-tree')
  const input = Buffer.concat([Buffer.from(`tree ${tree}\n${head}\n\n`, 'latin1'), message])
  const args = ['-C', path, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally']
  const sha = execFileSync('git', args, { input }).toString().trim()
  origin.git('branch', `b-${sha.slice(0, 8)}`, sha)
  return sha
}
const ada = 'author Ada <ada@example.com> 1700000000 +0100\ncommitter Bob <bob@example.com> 1700000001 +0100'

test.each(states)('reads commits of every form as git does: %s', async (state) => {
  origin.commit({ a: '1' }, 'First\n\nbody ü\n\n')
  origin.commit({ a: '2' }, '\n  Second, indented')
  rawCommit(`${ada}\nencoding ISO-8859-1`, Buffer.from('Gr\xfc\xdfe\n', 'latin1'))
  rawCommit(`${ada}\ngpgsig -----BEGIN\n author Eve <eve@example.com> 1 +0000\n -----END`, Buffer.from('signed'))
  rawCommit(`${ada}\nencoding no-such-thing`, Buffer.from('plain\n'))
  rawCommit('author  <> 1700000000 +0000\ncommitter Bob <bob@example.com> 1700000001 +0000', Buffer.from(''))
  rawCommit(ada, Buffer.from('\n\n  \n'))
  packIf(state)
  const session = git.session(path)
  for (const sha of commitsOf()) expect(await session.commit(path, sha)).toEqual(await git.commit(path, sha))
  session.end()
})

test.each(states)('reads the time of a commit as git does, and 0 if a date cannot represent it: %s', async (state) => {
  const committed = (time: string) =>
    rawCommit(`author Ada <ada@example.com> 1 +0000\ncommitter Bob <bob@example.com>${time}`, Buffer.from('a'))
  const times = [' 1700000001 +0000', '', ' ', ' 1e999 +0000', ' 1e300 +0000', ' 0x10 +0000', ' -5 +0000', ' 5+0100']
  const told = times
    .concat('  7   -0100', ' 12 34 +0000', ' 1700000001', ' 1700000001 UTC', ' > 3 +0000')
    .map(committed)
  const beyond = [' 8640000000001 +0000', ' 99999999999999999999 +0000', ` ${'9'.repeat(400)} +0000`].map(committed)
  packIf(state)
  const session = git.session(path)
  for (const sha of told) expect((await session.commit(path, sha)).time).toBe((await git.commit(path, sha)).time)
  for (const sha of beyond) expect((await session.commit(path, sha)).time).toBe(0)
  session.end()
})

test.each(states)('leaves a commit with a very long header to git: %s @system', async (state) => {
  origin.commit({ a: '1' }, 'First')
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `x${index} y`).join('\n')
  const short = rawCommit(`${ada}\n${lines(100)}`, Buffer.from('short'))
  const long = rawCommit(`${ada}\n${lines(20_000)}`, Buffer.from('long'))
  const late = rawCommit(`${lines(20_000)}\n${ada}`, Buffer.from('late'))
  packIf(state)
  const asked: string[] = []
  const commit: Git['commit'] = async (where, sha) => {
    asked.push(sha)
    return git.commit(where, sha)
  }
  const objects = openObjects(async () => path, git.environment, { limits: smallLimits })
  const session = openSession({ ...git, commit }, { repoPath: path, objects, run: never })
  for (const sha of [short, long, late]) expect(await session.commit(path, sha)).toEqual(await git.commit(path, sha))
  expect(asked).toEqual([long, late])
  session.end()
})

test('decodes no more of a message than pages show', async () => {
  const sha = rawCommit(`${ada}\nencoding shift_jis`, Buffer.alloc(2_000_000, 0xff))
  const session = git.session(path)
  expect((await session.commit(path, sha)).message.length).toBe(256 * 1024)
  session.end()
})

test.each(states)('finds files and refs as git does, and fails with git’s messages: %s @system', async (state) => {
  const large = 'x'.repeat(3 * 1024 * 1024)
  symlinkSync('there', join(path, 'link'))
  const sha = origin.commit({ '.drone.yml': 'kind: pipeline\n', 'a/b c': 'ü', large }, 'First')
  origin.git('tag', '-a', 'one', '-m', 'one')
  origin.git('tag', '-a', 'two', 'one', '-m', 'a tag of a tag')
  origin.git('tag', 'blob', `${sha}:.drone.yml`)
  packIf(state)
  const session = git.session(path)
  for (const name of ['.drone.yml', './a/b c', 'a', 'link', 'none', 'a\nb', '', 'large', '.drone.yml']) {
    expect(await session.readFile(path, sha, name)).toBe(await git.readFile(path, sha, name))
  }
  const names = ['refs/tags/one', 'refs/tags/two', 'refs/tags/blob', 'refs/heads/main', 'main', 'none', sha, '--help']
  for (const name of [...names, sha.slice(0, 8), '0'.repeat(40), 'refs/heads/none', `${sha}^{tree}`]) {
    expect([name, await session.resolve(path, name)]).toEqual([name, await git.resolve(path, name)])
  }
  await expect(session.commit(path, '0'.repeat(40))).rejects.toThrow('bad object')
  session.end()
})

test('a loose commit needs no process, and a file with the wrong content is ignored @system', async () => {
  const sha = origin.commit({ 'a/ci.yml': 'kind: pipeline\n' }, 'First')
  const nobody = openSession(git, { repoPath: path, objects: { read: async () => null, end: () => {} }, run: never })
  expect(await nobody.resolve(path, sha)).toBe(sha)
  expect((await nobody.commit(path, sha)).message).toBe('First')
  const file = () => readLooseFile(join(path, '.git'), sha, 'a/ci.yml')?.toString()
  expect(file()).toBe('kind: pipeline\n')
  const blob = origin.git('rev-parse', `${sha}:a/ci.yml`)
  const place = join(path, '.git/objects', blob.slice(0, 2), blob.slice(2))
  chmodSync(place, 0o600)
  writeFileSync(place, deflateSync(Buffer.from('blob 5\0other')))
  expect(file()).toBeUndefined()
  rmSync(place)
  symlinkSync('/dev/zero', place)
  expect(file()).toBeUndefined()
  rmSync(place)
  execFileSync('mkfifo', [place])
  expect(file()).toBeUndefined()
  writeFileSync(`${place}.bomb`, deflateSync(Buffer.alloc(64 * 1024 * 1024)))
  rmSync(place)
  renameSync(`${place}.bomb`, place)
  expect(file()).toBeUndefined()
})
const never = () => Promise.reject(new Error('no process is needed'))

test('many or large trees are read by git instead of on the event loop @system', async () => {
  const first = origin.commit({ 'ci.yml': 'kind: pipeline\n' }, 'First')
  const blob = origin.git('rev-parse', `${first}:ci.yml`)
  const tree = (lines: string[]) =>
    execFileSync('git', ['-C', path, 'mktree'], { input: lines.map((line) => `${line}\n`).join('') })
      .toString()
      .trim()
  /** Creates nested folders, each with this many other files, and the file in the innermost one. */
  const chain = (levels: number, others: number) => {
    const filled = Array.from({ length: others }, (_, index) => `100644 blob ${blob}\tfile-${index}`)
    let last = tree([...filled, `100644 blob ${blob}\tci.yml`])
    for (let level = 0; level < levels; level += 1) last = tree([...filled, `040000 tree ${last}\td`])
    return { sha: origin.git('commit-tree', last, '-m', 'a chain'), file: `${'d/'.repeat(levels)}ci.yml` }
  }
  const asked: string[] = []
  const readFile: Git['readFile'] = async (where, sha, file) => {
    asked.push(sha)
    return git.readFile(where, sha, file)
  }
  const none = { read: async () => null, end: () => {} }
  const session = openSession({ ...git, readFile }, { repoPath: path, objects: none, run: never })
  const read = ({ sha, file }: ReturnType<typeof chain>) => session.readFile(path, sha, file)
  for (const each of [chain(18, 10), chain(1, 5_000)]) expect(await read(each)).toBe('kind: pipeline\n')
  expect(asked).toEqual([])
  const beyond = [chain(40, 1), chain(3, 5_000)]
  for (const each of beyond) expect(await read(each)).toBe('kind: pipeline\n')
  expect(asked).toEqual(beyond.map(({ sha }) => sha))
})

test('a branch of a loose commit needs no process, and only valid refs are accepted @system', async () => {
  const sha = origin.commit({ a: '1' }, 'First')
  origin.git('branch', 'team/one')
  origin.git('tag', '-a', 'v1', '-m', 'a tag')
  const nobody = openSession(
    { ...git, resolve: async () => 'git was asked' },
    { repoPath: path, objects: { read: async () => null, end: () => {} }, run: never },
  )
  expect(await nobody.resolve(path, 'refs/heads/main')).toBe(sha)
  expect(await nobody.resolve(path, 'refs/heads/team/one')).toBe(sha)
  const heads = join(path, '.git/refs/heads')
  for (const name of ['main.lock', 'team/.one', 'long']) writeFileSync(join(heads, name), `${sha}\n`)
  mkdirSync(join(heads, 'held.lock'))
  writeFileSync(join(heads, 'held.lock/one'), `${sha}\n`)
  writeFileSync(join(heads, 'long'), `${sha}0\n`)
  writeFileSync(join(heads, 'gone'), `${'1'.repeat(40)}\n`)
  writeFileSync(join(heads, 'named'), 'ref: refs/heads/main\n')
  symlinkSync('main', join(heads, 'link'))
  execFileSync('mkfifo', [join(heads, 'pipe')])
  const others = ['main.lock', 'team/.one', 'held.lock/one', 'long', 'gone', 'named', 'link', 'pipe', 'team', 'none']
  for (const name of [...others.map((one) => `refs/heads/${one}`), 'refs/tags/v1'])
    expect([name, await nobody.resolve(path, name)]).toEqual([name, 'git was asked'])
})

test.each(states)('a moved branch has its new commit, and a deleted branch is not found: %s @system', async (state) => {
  const session = git.session(path)
  origin.commit({ a: '1' }, 'First')
  origin.git('branch', 'other')
  packIf(state)
  await session.resolve(path, 'refs/heads/main')
  const second = origin.commit({ a: '2' }, 'Second')
  packIf(state)
  expect(await session.resolve(path, 'refs/heads/main')).toBe(second)
  origin.git('pack-refs', '--all')
  const third = origin.commit({ a: '3' }, 'Third')
  expect(await session.resolve(path, 'refs/heads/main')).toBe(third)
  origin.git('branch', '-D', 'other')
  expect(await session.resolve(path, 'refs/heads/other')).toBeNull()
  session.end()
})

test('returns the commit times of branches and tags', async () => {
  const first = origin.commit({ a: '1' }, 'First')
  origin.git('tag', '-a', 'v1', '-m', 'annotated later')
  const session = git.session(path)
  const times = await session.commitTimes()
  const time = Number(origin.git('log', '-1', '--format=%ct'))
  expect([times.get(first), times.get(origin.git('rev-parse', 'v1'))]).toEqual([time, time])
  session.end()
})

test('the times of very many refs are read in batches @system', async () => {
  const shas = Array.from({ length: 100_000 }, (_, index) => index.toString(16).padStart(40, '0'))
  const stdout = Buffer.from(shas.map((sha, index) => `${sha} ${index || ''} ${index ? '' : 7}\n`).join(''))
  const objects = { read: async () => null, end: () => {} }
  const session = openSession(git, { repoPath: path, objects, run: async () => ({ code: 0, stdout, stderr: '' }) })
  expect(await countLoopTurns(() => session.commitTimes())).toBeGreaterThan(10)
  const times = await session.commitTimes()
  expect([times.size, times.get(shas[0] ?? ''), times.get(shas[99_999] ?? '')]).toEqual([100_000, 7, 99_999])
})
