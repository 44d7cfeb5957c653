import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { readSmallBytes, readSmallFile } from './small-file.ts'

/** The folders of a repository's git data. */
export interface GitDir {
  /** Contains `HEAD`. */
  gitDir: string
  /** Contains `refs` and `packed-refs`. Differs from `gitDir` only for linked work trees. */
  commonDir: string
}

/** A part of the repository is outside its own folder. The message does not reveal where. */
export class OutsideFolder extends Error {
  override readonly name = 'OutsideFolder'
  constructor(what: string) {
    super(`it stores ${what} outside its own folder, which Flightdeck does not read`)
  }
}

/** The limit for reading the list of refs (`refs/read-refs.ts`). */
const maxPackedBytes = 64 * 1024 * 1024

/**
 * Entries that are not read here, although git runs or shows them. Folders of hooks are often
 * shared by a link.
 */
const unread = new Set(['hooks', 'description', 'logs'])
/** Entries that git creates as folders. */
const folders = new Set([
  'objects',
  'refs',
  'refs/heads',
  'refs/tags',
  'objects/pack',
  'objects/info',
  'info',
  'worktrees',
  'modules',
])
/** A folder entry above this size is not scanned; git has some dozens of names there. */
const maxFolderBytes = 4 * 1024 * 1024

/** Whether `path` is `folder` or inside it. Both must be free of links. */
const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

/**
 * Throws `OutsideFolder` if a link among the entries of `folder` leads out of `own`. `name` is the
 * folder's name in the message.
 */
async function checkLinks(folder: string, name: string, own: string): Promise<void> {
  const size = (await lstat(folder).catch(absent))?.size ?? 0
  if (size > maxFolderBytes) throw new Error(`${folder} holds too many files`)
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? []) {
    if (!entry.isSymbolicLink() || unread.has(entry.name)) continue
    const target = await realpath(join(folder, entry.name)).catch(absent)
    // A dangling link can get a target later. A relative link that git created points to the same
    // folder.
    if (target === null ? isAbsolute(await readlink(join(folder, entry.name))) : !isWithin(target, own)) {
      const path = `${name}${entry.name}`
      throw new OutsideFolder(
        folders.has(path) ? `its ${path}` : `its file ${path} (${join(folder, entry.name)} is not a file but a link)`,
      )
    }
  }
}

/**
 * Resolves the folder that a file of the repository names. Throws `OutsideFolder` if it is outside
 * `own`.
 */
async function named(path: string, { own, what }: { own: string; what: string }): Promise<string | null> {
  const real = await realpath(path).catch(absent)
  if (real !== null && !isWithin(real, own)) throw new OutsideFolder(what)
  return real
}

/**
 * Finds the git folders of a bare repository or a work tree; `null` if the folder is neither. After
 * links are resolved, a repository must be inside its own folder: throws `OutsideFolder` if
 * anything that git reads is elsewhere, and other errors if it cannot be read.
 */
export async function findGitDir(path: string): Promise<GitDir | null> {
  // Neither the repository's folder nor its parent can be a link, because a user with write access
  // there could choose another path.
  for (const [folder, what] of [
    [path, 'the repository itself, which is a link,'],
    [dirname(path), 'the folder of its owner, which is a link,'],
  ] as const) {
    if ((await lstat(folder).catch(absent))?.isSymbolicLink()) throw new OutsideFolder(what)
  }
  const realPath = await realpath(path).catch(absent)
  if (realPath === null) return null
  const dotGit = join(path, '.git')
  const link = await lstat(dotGit).catch(absent)
  if (link?.isSymbolicLink()) await named(dotGit, { own: realPath, what: 'its .git, which is a link,' })
  const found = await stat(dotGit).catch(absent)
  if (!found?.isFile()) return withCommonDir(found ? dotGit : path, realPath)
  // A linked work tree or a submodule.
  const target = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit)) ?? '')?.[1]
  if (!target) return null
  const gitDir = resolve(path, target)
  // git and `resolve` treat a link that is followed by `..` differently.
  if ((await named(gitDir, { own: realPath, what: 'its file .git' })) === null) return null
  return withCommonDir(gitDir, realPath)
}

async function withCommonDir(gitDir: string, own: string): Promise<GitDir | null> {
  if (!(await stat(join(gitDir, 'HEAD')).catch(absent))?.isFile()) return null
  await checkLinks(gitDir, '', own)
  const other = await readSmallFile(join(gitDir, 'commondir'))
  const commonDir = other === null ? gitDir : resolve(gitDir, other.trim())
  if (other !== null) {
    if ((await named(commonDir, { own, what: 'its file commondir' })) === null) return null
    await checkLinks(commonDir, '', own)
  }
  // git's own rule: a stray file named HEAD is not a repository.
  for (const folder of ['objects', 'refs']) {
    if (!(await stat(join(commonDir, folder)).catch(absent))?.isDirectory()) return null
  }
  for (const folder of ['refs', 'info', 'objects', 'objects/info', 'worktrees', 'modules']) {
    await checkLinks(join(commonDir, folder), `${folder}/`, own)
  }
  await readdir(join(commonDir, 'refs'))
  return { gitDir, commonDir }
}

/** The branch that HEAD names, without `refs/heads/`; `null` for a detached HEAD. */
export async function readHead(gitDir: string): Promise<string | null> {
  const file = join(gitDir, 'HEAD')
  // Old versions of git created HEAD as a link, which is ignored here.
  if ((await lstat(file)).isSymbolicLink()) return null
  const head = (await readSmallFile(file)) ?? ''
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? null
}

/** The default branch of a clone's `origin`, without `refs/heads/`. */
async function readOriginHead(commonDir: string): Promise<string | null> {
  const file = join(commonDir, 'refs/remotes/origin/HEAD')
  if ((await lstat(file).catch(absent))?.isFile() !== true) return null
  return /^ref: refs\/remotes\/origin\/(.+)$/m.exec((await readSmallFile(file)) ?? '')?.[1]?.trim() ?? null
}

/** The name for new branches in the repository's configuration (`init.defaultBranch`). */
async function readConfiguredBranch(commonDir: string): Promise<string | null> {
  const text = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  const [, section = ''] = /^\[init\]([^[]*)/im.exec(text) ?? []
  const line = section.split('\n').find((one) => /^\s*defaultbranch\b/i.test(one))
  return (
    line
      ?.slice(line.indexOf('=') + 1)
      .replaceAll('"', '')
      .trim() || null
  )
}

/** Returns those of these branches that the repository has, in the given order. */
async function branchesOf(commonDir: string, names: readonly string[]): Promise<string[]> {
  const packed = (await readSmallBytes(join(commonDir, 'packed-refs'), maxPackedBytes)) ?? Buffer.alloc(0)
  const found: string[] = []
  for (const name of names) {
    // Path segments with leading dots could point to another folder; git allows none.
    if (name.length > 250 || name.split('/').some((part) => part === '' || part.startsWith('.'))) continue
    const isLoose = (await lstat(join(commonDir, 'refs/heads', name)).catch(absent))?.isFile() === true
    if (isLoose || packed.includes(` refs/heads/${name}\n`)) found.push(name)
  }
  return found
}

/**
 * The default branch: the HEAD of a bare repository, or else the known one, while it exists.
 * Otherwise, in this order: the branch of `origin`, the configured branch, `main`, `master`, and
 * the checked-out branch, which changes with local work. `null` if none of them exists.
 */
export async function findDefaultBranch({ gitDir, commonDir }: GitDir, known?: string): Promise<string | null> {
  const head = await readHead(gitDir)
  const isBare = basename(commonDir) !== '.git'
  const names = [
    isBare ? head : null,
    known,
    await readOriginHead(commonDir),
    await readConfiguredBranch(commonDir),
    'main',
    'master',
    head,
  ]
  const [first] = await branchesOf(
    commonDir,
    names.filter((name) => typeof name === 'string'),
  )
  return first ?? null
}

/** For `catch`: returns `null` if the file does not exist, and throws other errors. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** The folders whose owner git checks. */
export const ownedFolders = (path: string, { gitDir }: GitDir): string[] => (gitDir === path ? [path] : [path, gitDir])
