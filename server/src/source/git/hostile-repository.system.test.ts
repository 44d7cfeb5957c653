import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGit, type Git } from './git.ts'
import { cloneCommands, cloneEnvironment, wantedRefs, writeTemplate } from '../../runner/clone.ts'
import { cloneSource } from './clone-source.ts'
import { createGitProcessPool } from './git-process-pool.ts'
import { runGit } from './run-git.ts'
import { testRepository } from '../../testing/test-repository.ts'

/**
 * Each test first proves that the attack is real: plain git runs the program, or reads the foreign
 * content.
 */
let folder: string
let ran: string
let program: string
let git: Git
let repo: ReturnType<typeof testRepository>
let sha: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-hostile-'))
  ran = join(folder, 'ran')
  program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 })
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  repo = testRepository(join(folder, 'web'))
  sha = repo.commit({ '.drone.yml': 'kind: pipeline\n' }, 'First')
})
afterEach(() => rmSync(folder, { recursive: true }))

const blob = () => repo.git('rev-parse', `${sha}:.drone.yml`)
const objectPath = (id: string) => join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
/** Deletes the file's object, so that it would have to be fetched. */
function deleteBlob(): void {
  rmSync(objectPath(blob()), { force: true })
}
function makePartialClone(url: string, ...more: string[]): void {
  const settings = ['core.repositoryFormatVersion=1', 'extensions.partialClone=origin', `remote.origin.url=${url}`]
  for (const setting of [...settings, 'remote.origin.promisor=true', ...more]) {
    const equals = setting.indexOf('=')
    repo.git('config', setting.slice(0, equals), setting.slice(equals + 1))
  }
  deleteBlob()
}
const runPlainGit = (...args: string[]) => {
  try {
    return repo.git(...args)
  } catch {
    return ''
  }
}
/** Clones as the clone step does. */
async function clone(): Promise<string> {
  const target = join(folder, 'target')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const build = { after: sha, ref: 'refs/heads/main', target: 'main' }
  const source = await cloneSource(folder, repo.path, { refs: wantedRefs(build) })
  const { repository: view, facts } = source
  const scripts = mkdtempSync(join(folder, 'scripts-'))
  await writeTemplate(scripts, repo.path)
  const env = { ...cloneEnvironment(git.environment, { origin: repo.path, view, scripts, facts }), HOME: target }
  const script = cloneCommands(build, source).join('\n')
  execFileSync('/bin/sh', ['-ec', script], { cwd: target, env, stdio: 'pipe' })
  return target
}
async function readEverything(): Promise<void> {
  const session = git.session(repo.path)
  const pool = createGitProcessPool(git)
  for (const reader of [git, session, pool]) {
    await reader.resolve(repo.path, 'main').catch(() => {})
    await reader.resolve(repo.path, sha).catch(() => {})
    await reader.readFile(repo.path, sha, '.drone.yml').catch(() => {})
    await reader.commit(repo.path, sha).catch(() => {})
    await reader.changes(repo.path, sha).catch(() => {})
  }
  await session.commitTimes().catch(() => {})
  session.end()
  pool.close()
  await clone().catch(() => {})
}

const read = () => runPlainGit('cat-file', 'blob', `${sha}:.drone.yml`)
const attacks: Record<string, { make: () => void; show?: () => void }> = {
  'a promised object over ext::': { make: () => makePartialClone(`ext::${program}`, 'protocol.ext.allow=always') },
  "a remote's upload-pack": { make: () => makePartialClone(folder, `remote.origin.uploadpack=${program}`) },
  'an ssh command': { make: () => makePartialClone('ssh://host.invalid/x', `core.sshCommand=${program}`) },
  'a proxy of git://': { make: () => makePartialClone('git://host.invalid/x', `core.gitProxy=${program}`) },
  'a helper for passwords': {
    make: () => makePartialClone('ssh://host.invalid/x', `core.sshCommand=${program}`, `credential.helper=!${program}`),
  },
  'a file that is included': {
    make() {
      makePartialClone('ssh://host.invalid/x')
      const other = join(folder, 'other-config')
      writeFileSync(other, `[core]\n\tsshCommand = ${program}\n`)
      repo.git('config', 'include.path', other)
    },
  },
  'the configuration of a work tree': {
    make() {
      makePartialClone('ssh://host.invalid/x', 'extensions.worktreeConfig=true')
      appendFileSync(join(repo.path, '.git/config.worktree'), `[core]\n\tsshCommand = ${program}\n`)
    },
  },
  'a watcher of files': {
    make: () => void repo.git('config', 'core.fsmonitor', program),
    show: () => void runPlainGit('status'),
  },
  'a filter': {
    make() {
      repo.git('config', 'filter.x.smudge', program)
      mkdirSync(join(repo.path, '.git/info'), { recursive: true })
      writeFileSync(join(repo.path, '.git/info/attributes'), '* filter=x\n')
    },
    show: () => void runPlainGit('cat-file', '--filters', `${sha}:.drone.yml`),
  },
  'an external diff': {
    make() {
      repo.git('config', 'diff.external', program)
      sha = repo.commit({ '.drone.yml': 'kind: other\n' }, 'Second')
    },
    show: () => void runPlainGit('log', '-1', '-p', '--ext-diff'),
  },
  'a hook': {
    make: () => {
      mkdirSync(join(repo.path, '.git/hooks'))
      writeFileSync(join(repo.path, '.git/hooks/post-checkout'), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
    },
    show: () => void runPlainGit('checkout', '-q', '--detach'),
  },
}

test.each(Object.entries(attacks))('%s: the program does not run', async (_name, { make, show = read }) => {
  make()
  show()
  expect(existsSync(ran)).toBe(true)
  rmSync(ran)
  await readEverything()
  expect(existsSync(ran)).toBe(false)
})

/**
 * The second line of defense, in case git ever reads the repository itself: one option for each
 * attack.
 */
test.each([
  ['GIT_NO_LAZY_FETCH', "a remote's upload-pack", ['cat-file', 'blob', ':.drone.yml']],
  ['GIT_ALLOW_PROTOCOL', 'a promised object over ext::', ['fetch', '-q', 'origin']],
  ['core.fsmonitor', 'a watcher of files', ['status']],
  ['core.hooksPath', 'a hook', ['checkout', '-q', '--detach']],
])('%s alone stops %s', async (_option, danger, args) => {
  attacks[danger]?.make()
  runPlainGit(...args)
  expect(existsSync(ran)).toBe(true)
  rmSync(ran)
  await runGit(repo.path, args, git.environment)
  expect(existsSync(ran)).toBe(false)
})

test('objects outside the repository are not read: alternates, a link, a link to one pack', async () => {
  const secret = testRepository(join(folder, 'secret'))
  const other = secret.commit({ '.drone.yml': 'the secret\n' }, 'Secret')
  // Objects are loose first, and in one pack later.
  const pack = () => secret.git('gc', '-q')
  const objects = join(repo.path, '.git/objects')
  const theirs = join(secret.path, '.git/objects')
  const kept = join(folder, 'kept')
  cpSync(objects, kept, { recursive: true })
  const ways: (() => void)[] = [
    () => writeFileSync(join(objects, 'info/alternates'), `# a comment\n${theirs}\n`),
    () => {
      renameSync(objects, join(folder, 'gone'))
      symlinkSync(theirs, objects)
    },
    () => {
      pack()
      rmSync(join(objects, 'pack'), { recursive: true, force: true })
      symlinkSync(join(theirs, 'pack'), join(objects, 'pack'))
    },
  ]
  for (const way of ways) {
    mkdirSync(join(objects, 'info'), { recursive: true })
    way()
    expect(runPlainGit('cat-file', 'blob', `${other}:.drone.yml`)).toBe('the secret')
    sha = other
    await expect(git.readFile(repo.path, other, '.drone.yml')).rejects.toThrow('outside its own folder')
    expect(await git.session(repo.path).readFile(repo.path, other, '.drone.yml').catch(String)).toContain('outside')
    await expect(clone()).rejects.toThrow('outside its own folder')
    rmSync(objects, { recursive: true, force: true })
    cpSync(kept, objects, { recursive: true })
  }
})

test('a commit with a replacement ref is read unchanged', async () => {
  const second = repo.commit({ '.drone.yml': 'kind: replaced\n' }, 'Second')
  repo.git('replace', sha, second)
  expect(read()).toBe('kind: replaced')
  expect(await git.readFile(repo.path, sha, '.drone.yml')).toBe('kind: pipeline\n')
  expect(execFileSync('cat', [join(await clone(), '.drone.yml')]).toString()).toBe('kind: pipeline\n')
})

test.each([['sha1'], ['sha256']])('a shallow repository of %s is read', async (format) => {
  const source = testRepository(join(folder, 'source'), `--object-format=${format}`)
  source.commit({ a: '1' }, 'One')
  sha = source.commit({ a: '2' }, 'Two')
  rmSync(repo.path, { recursive: true })
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${source.path}`, repo.path])
  expect(await git.resolve(repo.path, 'main')).toBe(sha)
  expect(await git.commit(repo.path, sha)).toMatchObject({ message: 'Two' })
  const { parents, files } = await git.changes(repo.path, sha)
  expect([parents, files.map(({ path, change }) => [path, change])]).toEqual([[], [['a', 'added']]])
})

test('a file “shallow” without commits is refused, and its text is not repeated', async () => {
  const secret = join(folder, 'a-file-of-somebody-else')
  writeFileSync(secret, 'its first line\n')
  const ways: [string, () => void][] = [
    ['is not a file but a link', () => symlinkSync(secret, join(repo.path, '.git/shallow'))],
    ['does not hold commits', () => cpSync(secret, join(repo.path, '.git/shallow'))],
  ]
  for (const [words, make] of ways) {
    rmSync(join(repo.path, '.git/shallow'), { force: true })
    make()
    expect(() => repo.git('log')).toThrow('its first line')
    for (const ask of [() => git.resolve(repo.path, 'main'), clone]) {
      const said = await ask().catch(String)
      expect(said).toContain(words)
      expect(said).not.toContain('its first line')
    }
  }
})

test('packed refs that are a link to another file are refused, and its text is not repeated', async () => {
  const secret = join(folder, 'a-file-of-somebody-else')
  writeFileSync(secret, 'its first line\n')
  symlinkSync(secret, join(repo.path, '.git/packed-refs'))
  const said = await git.resolve(repo.path, 'main').catch(String)
  expect(said).toContain('its file packed-refs')
  expect(said).not.toContain('its first line')
})
