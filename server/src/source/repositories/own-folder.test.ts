/**
 * A repository is limited to its own folder. A user with write access there must not be able to
 * read another repository, or any other file of this machine, through a link or a file that names
 * another path: neither during discovery nor later.
 */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGit, type Git } from '../git/git.ts'
import { cloneSource } from '../git/clone-source.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { discover } from './discover.ts'
import { findGitDir } from './git-dir.ts'

let folder: string
let repos: string
let path: string
let secret: string
let sha: string
let git: Git
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'flightdeck-own-')))
  repos = join(folder, 'repos')
  path = join(repos, 'acme', 'web')
  testRepository(path).commit({ a: 'mine' }, 'Mine')
  const other = testRepository(join(folder, 'private', 'vault'))
  sha = other.commit({ a: 'secret' }, 'Secret')
  secret = other.path
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const dotGit = (...names: string[]) => join(path, '.git', ...names)
/** Replaces a file or folder by a link. */
const link = (at: string, target: string) => {
  rmSync(at, { recursive: true, force: true })
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(target, at)
}
const file = (at: string, text: string) => {
  rmSync(at, { recursive: true, force: true })
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, text)
}

const attacks: Record<string, [attack: () => void, expected: string]> = {
  'a commondir': [() => file(dotGit('commondir'), `${join(secret, '.git')}\n`), 'its file commondir'],
  'a commondir with dots': [() => file(dotGit('commondir'), '../../../../private/vault/.git\n'), 'its file commondir'],
  'a commondir through a link of its own': [
    () => {
      symlinkSync(join(secret, '.git'), join(path, 'inner'))
      file(dotGit('commondir'), '../inner\n')
    },
    'its file commondir',
  ],
  'a file .git': [() => file(dotGit(), `gitdir: ${join(secret, '.git')}\n`), 'its file .git'],
  'a file .git with dots': [() => file(dotGit(), 'gitdir: ../../../private/vault/.git\n'), 'its file .git'],
  'a file .git through a link of its own': [
    () => {
      symlinkSync(secret, join(path, 'inner'))
      file(dotGit(), 'gitdir: inner/.git\n')
    },
    'its file .git',
  ],
  'a linked .git': [() => link(dotGit(), join(secret, '.git')), 'its .git, which is a link'],
  'a linked folder of the repository': [() => link(path, secret), 'the repository itself, which is a link'],
  'linked objects': [() => link(dotGit('objects'), join(secret, '.git', 'objects')), 'its objects outside'],
  alternates: [
    () => file(dotGit('objects', 'info', 'alternates'), `${join(secret, '.git', 'objects')}\n`),
    'alternates',
  ],
  'linked alternates': [
    () => {
      writeFileSync(join(folder, 'alternates'), `${join(secret, '.git', 'objects')}\n`)
      link(dotGit('objects', 'info', 'alternates'), join(folder, 'alternates'))
    },
    'objects',
  ],
  'linked packs': [() => link(dotGit('objects', 'pack'), join(secret, '.git', 'objects', 'pack')), 'objects'],
  'linked refs': [() => link(dotGit('refs'), join(secret, '.git', 'refs')), 'its refs outside'],
  'linked branches': [
    () => link(dotGit('refs', 'heads'), join(secret, '.git', 'refs', 'heads')),
    'its refs/heads outside',
  ],
  'a linked HEAD': [() => link(dotGit('HEAD'), join(secret, '.git', 'HEAD')), 'its file HEAD'],
  'linked packed-refs': [() => link(dotGit('packed-refs'), '/etc/passwd'), 'its file packed-refs'],
  'a linked config': [() => link(dotGit('config'), '/etc/passwd'), 'its file config'],
  'a linked list of the shallow edge': [() => link(dotGit('shallow'), '/etc/passwd'), 'its file shallow'],
  'linked work trees': [() => link(dotGit('worktrees'), join(secret, '.git')), 'its worktrees outside'],
  'a linked work tree': [() => link(dotGit('worktrees', 'a'), join(secret, '.git')), 'its file worktrees/a'],
  'linked submodules': [() => link(dotGit('modules'), join(folder, 'private')), 'its modules outside'],
  'a linked submodule': [() => link(dotGit('modules', 'a'), join(secret, '.git')), 'its file modules/a'],
  'a link to what is not there yet': [() => link(dotGit('info'), join(folder, 'later')), 'its info outside'],
}

/** The others are system tests: each costs several runs of git. */
const quick = new Set(['a commondir', 'a file .git', 'a linked .git', 'linked objects', 'linked refs', 'a linked HEAD'])

test.each(Object.entries(attacks).map(([what, attack]) => [what, quick.has(what) ? '' : ' @system', attack] as const))(
  '%s that leads out of the folder is refused with its name%s',
  async (_what, _tag, [attack, expected]) => {
    attack()
    const { found, problems } = await discover([repos], (at, folders) => git.refusal(at, folders))
    // Repositories that are refused only when their objects are read are found, but never read.
    const reasons = [
      ...problems.map(({ message }) => message),
      await git.identity(path).then(
        () => '',
        (error: Error) => error.message,
      ),
    ]
    expect(reasons.filter((text) => text.includes(expected))).not.toEqual([])
    expect(reasons.join()).not.toContain('vault')
    for (const { path: other } of found) await expect(git.identity(other)).rejects.toThrow(expected)
    await expect(git.readFile(path, sha, 'a')).rejects.toThrow()
    await expect(cloneSource(join(folder, 'clone'), path)).rejects.toThrow()
  },
)

test.each(Object.entries(attacks))(
  '%s is refused even if the repository was read before @system',
  async (_what, [attack]) => {
    const own = testRepository(path).git('rev-parse', 'HEAD')
    const session = git.session(path)
    expect(await git.readFile(path, own, 'a')).toBe('mine')
    expect(await session.resolve(path, 'refs/heads/main')).toBe(own)
    session.end()
    attack()
    await expect(git.readFile(path, sha, 'a')).rejects.toThrow()
    await expect(git.resolve(path, sha)).rejects.toThrow()
  },
)

test('a namespace folder that is a link is refused @system', async () => {
  renameSync(join(repos, 'acme'), join(folder, 'acme'))
  symlinkSync(join(folder, 'private'), join(repos, 'acme'))
  const { found, problems } = await discover([repos], (at, folders) => git.refusal(at, folders))
  expect(found).toEqual([])
  expect(problems.map(({ message }) => message).join()).toContain('the folder of its owner, which is a link')
})

test('the folder of all repositories can be a link, and links inside a repository are allowed', async () => {
  symlinkSync(repos, join(folder, 'all'))
  const linked = join(folder, 'all', 'acme', 'web')
  expect(await findGitDir(linked)).toMatchObject({ gitDir: join(linked, '.git') })
  cpSync(dotGit(), join(path, '.real'), { recursive: true })
  link(dotGit(), '.real')
  // As old versions of git created it.
  link(join(path, '.real', 'HEAD'), 'refs/heads/main')
  // A shared folder of hooks, which is not read.
  link(join(path, '.real', 'hooks'), '/usr/share')
  expect(await findGitDir(path)).toMatchObject({ gitDir: dotGit() })
})
