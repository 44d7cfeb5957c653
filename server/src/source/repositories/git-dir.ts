import { lstat, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSmallFile } from './small-file.ts'

/** Where a repository keeps its things. */
export interface GitDir {
  /** Holds `HEAD`. */
  gitDir: string
  /** Holds `refs` and `packed-refs`; another one only for linked work trees. */
  commonDir: string
}

/** Of a bare repository or a work tree; `null` if the folder is neither. Throws if it cannot be read. */
export async function findGitDir(path: string): Promise<GitDir | null> {
  const dotGit = join(path, '.git')
  const found = await stat(dotGit).catch(absent)
  if (found?.isFile()) {
    // A linked work tree or a submodule.
    const target = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit)) ?? '')?.[1]
    return target ? withCommonDir(resolve(path, target)) : null
  }
  return withCommonDir(found ? dotGit : path)
}

async function withCommonDir(gitDir: string): Promise<GitDir | null> {
  if (!(await stat(join(gitDir, 'HEAD')).catch(absent))?.isFile()) return null
  const other = await readSmallFile(join(gitDir, 'commondir'))
  const commonDir = other ? resolve(gitDir, other.trim()) : gitDir
  // As git itself decides it: a stray file named HEAD is no repository.
  for (const folder of ['objects', 'refs']) {
    if (!(await stat(join(commonDir, folder)).catch(absent))?.isDirectory()) return null
  }
  await readdir(join(commonDir, 'refs'))
  return { gitDir, commonDir }
}

/** The branch that HEAD names, without `refs/heads/`; a detached HEAD names none. */
export async function readHead(gitDir: string): Promise<string | null> {
  const file = join(gitDir, 'HEAD')
  // As old versions of git made it; such a link names none here.
  if ((await lstat(file)).isSymbolicLink()) return null
  const head = (await readSmallFile(file)) ?? ''
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? null
}

/** For `catch`: what is not there is no error. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** The folders whose owner git looks at. */
export const ownedFolders = (path: string, { gitDir }: GitDir): string[] => (gitDir === path ? [path] : [path, gitDir])
