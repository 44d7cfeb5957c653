/** Decides which refs a push can change. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { textLimits } from '../../lib/truncate-text.ts'
import { absent, readHead, type GitDir } from '../repositories/git-dir.ts'

/**
 * Whether a full name is a branch or a tag, by a part of the rules of `git check-ref-format`. git
 * checks the other rules.
 */
const isPushable = (ref: string): boolean =>
  ref.length <= textLimits.ref && !ref.includes('..') && /^refs\/(heads|tags)\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref)

/**
 * The branches that a work tree has checked out: the files would not follow a push. The HEAD of a
 * bare repository only names the default branch.
 */
async function checkedOut(repository: string, { gitDir, commonDir }: GitDir): Promise<Set<string>> {
  const linked = (await readdir(join(commonDir, 'worktrees')).catch(absent)) ?? []
  const folders = linked.map((name) => join(commonDir, 'worktrees', name))
  if (gitDir !== repository) folders.push(commonDir, gitDir)
  const heads = await Promise.all(folders.map((folder) => readHead(folder).catch(absent)))
  return new Set(heads.filter((head) => head !== null).map((head) => `refs/heads/${head}`))
}

/** A name that is too long for the file system does not exist. */
const absentOrTooLong = (error: NodeJS.ErrnoException): null => (error.code === 'ENAMETOOLONG' ? null : absent(error))

/** Finds the first link in the path of a ref: git would write the ref to the link's target. */
function createLinkFinder(commonDir: string) {
  const states = new Map<string, 'present' | 'absent' | 'link'>()
  async function check(name: string) {
    const found = await lstat(join(commonDir, name)).catch(absentOrTooLong)
    return !found ? 'absent' : found.isSymbolicLink() ? 'link' : 'present'
  }
  return async (ref: string): Promise<string | null> => {
    let name = ''
    for (const part of ref.split('/')) {
      name = name === '' ? part : `${name}/${part}`
      const state = states.get(name) ?? (await check(name))
      states.set(name, state)
      if (state === 'link') return name
      if (state === 'absent') return null
    }
    return null
  }
}

/**
 * The refs that the repository does not accept from a push, each with the reason. Names are checked
 * before the file system is read.
 */
export async function refusedRefs(
  repository: string,
  found: GitDir,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const shown = await checkedOut(repository, found)
  const linkOf = createLinkFinder(found.commonDir)
  const refused = new Map<string, string>()
  for (const ref of refs) {
    if (!/^refs\/(heads|tags)\//.test(ref)) refused.set(ref, 'only branches and tags can be pushed')
    else if (!isPushable(ref)) refused.set(ref, 'not a valid branch or tag name')
    else if (shown.has(ref))
      refused.set(ref, 'branch is checked out in the folder of the repository; push another branch')
    else {
      const link = await linkOf(ref)
      if (link !== null) refused.set(ref, `${link} is a symbolic ref, and Flightdeck does not push to it`)
    }
  }
  return refused
}
