/** Which refs a push may change. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { textLimits } from '../../lib/truncate-text.ts'
import { absent, readHead, type GitDir } from '../repositories/git-dir.ts'

/** A branch or a tag, by its full name, as `git check-ref-format` takes it. git checks the rest of that rule. */
const isPushable = (ref: string): boolean =>
  ref.length <= textLimits.ref && !ref.includes('..') && /^refs\/(heads|tags)\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref)

/** Branches that a work tree shows: their files would not follow a push. Of a bare repository HEAD only names the default branch. */
async function checkedOut(repository: string, { gitDir, commonDir }: GitDir): Promise<Set<string>> {
  const linked = (await readdir(join(commonDir, 'worktrees')).catch(absent)) ?? []
  const folders = linked.map((name) => join(commonDir, 'worktrees', name))
  if (gitDir !== repository) folders.push(commonDir, gitDir)
  const heads = await Promise.all(folders.map((folder) => readHead(folder).catch(absent)))
  return new Set(heads.filter((head) => head !== null).map((head) => `refs/heads/${head}`))
}

/** A name that the file system cannot hold is not there. */
const absentOrTooLong = (error: NodeJS.ErrnoException): null => (error.code === 'ENAMETOOLONG' ? null : absent(error))

/** Finds the first link on the way to a ref: git would write the ref elsewhere. */
function createLinkFinder(commonDir: string) {
  const known = new Map<string, 'present' | 'absent' | 'link'>()
  async function look(name: string) {
    const found = await lstat(join(commonDir, name)).catch(absentOrTooLong)
    return !found ? 'absent' : found.isSymbolicLink() ? 'link' : 'present'
  }
  return async (ref: string): Promise<string | null> => {
    let name = ''
    for (const part of ref.split('/')) {
      name = name === '' ? part : `${name}/${part}`
      const state = known.get(name) ?? (await look(name))
      known.set(name, state)
      if (state === 'link') return name
      if (state === 'absent') return null
    }
    return null
  }
}

/** The refs that the repository does not take from a push, each with the reason. Names are checked before the file system is read. */
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
