import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasRefs, readRefs } from '../refs/read-refs.ts'
import { findDefaultBranch, findGitDir, ownedFolders, readHead, type GitDir } from './git-dir.ts'
import { readSmallFile } from './small-file.ts'
import { refuseName, refuseNamespace } from './reserved.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** A repository on this machine. */
export interface FoundRepository {
  namespace: string
  name: string
  path: string
  defaultBranch: string
}

/** A message about a folder for the operator. */
export interface Problem {
  path: string
  message: string
}

export interface Discovery {
  found: FoundRepository[]
  problems: Problem[]
}

/** Returns why a repository must not be read (its owner), or `null`. */
export type RefusalOf = (path: string, folders: readonly string[]) => Promise<string | null>

const standardBranch = 'main'

/**
 * Finds `DIR/{namespace}/{name}[.git]` without starting a git process. `known` maps a repository
 * (`owner/name`) to its recorded default branch.
 */
export async function discover(
  folders: readonly string[],
  refusal: RefusalOf,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<Discovery> {
  const result: Discovery = { found: [], problems: [] }
  const folderOf = new Map<string, string>()
  for (const folder of folders) {
    for (const namespace of await listFolders(folder, result.problems)) {
      const path = join(folder, namespace)
      const refused = refuseNamespace(namespace) ?? (await looseRepository(path, folder))
      if (refused) result.problems.push({ path, message: `${path}: ${refused}` })
      else await discoverNamespace(path, namespace, { folderOf, result, refusal, known })
    }
  }
  return result
}

interface Search {
  /** Maps slugs in lower case to their folders. */
  folderOf: Map<string, string>
  known: ReadonlyMap<string, string>
  result: Discovery
  refusal: RefusalOf
}

async function discoverNamespace(
  folder: string,
  namespace: string,
  { folderOf, result, refusal, known }: Search,
): Promise<void> {
  const nameOf = (entry: string): string => entry.replace(/\.git$/, '')
  const isNew = (entry: string): number => Number(!known.has(`${namespace}/${nameOf(entry)}`))
  // If two names differ only in case, the one in use stays in use.
  const entries = (await listFolders(folder, result.problems)).toSorted((one, other) => isNew(one) - isNew(other))
  for (const entry of entries) {
    const path = join(folder, entry)
    const name = nameOf(entry)
    const slug = `${namespace}/${name}`
    const add = (message: string) => result.problems.push({ path, message: `${path}: ${message}` })
    const other = folderOf.get(slug.toLowerCase())
    if (other) {
      add(`has the same name as ${other}, which is used`)
      continue
    }
    try {
      const repository = await inspect(path, { name, refusal, add, known: known.get(slug) })
      if (!repository) continue
      folderOf.set(slug.toLowerCase(), path)
      result.found.push({ namespace, name, path, defaultBranch: repository.defaultBranch })
    } catch (error) {
      add(`cannot be read: ${errorMessage(error)}`)
    }
  }
}

async function inspect(
  path: string,
  {
    name,
    refusal,
    add,
    known,
  }: { name: string; refusal: RefusalOf; add: (message: string) => void; known: string | undefined },
): Promise<{ defaultBranch: string } | null> {
  const refusedName = refuseName(name)
  if (refusedName) {
    add(refusedName)
    return null
  }
  const gitDir = await findGitDir(path)
  if (!gitDir) {
    add('is not a git repository')
    return null
  }
  const refused = await refusal(path, ownedFolders(path, gitDir))
  if (refused) {
    add(refused.replace(`${path} `, ''))
    return null
  }
  if ((await readHead(gitDir.gitDir)) === '.invalid') {
    add('uses the "reftable" format for refs, which Flightdeck can’t watch')
    return null
  }
  // A repository without commits has only the name in HEAD.
  const defaultBranch =
    (await findDefaultBranch(gitDir, known)) ?? (await anyBranch(gitDir)) ?? (await readHead(gitDir.gitDir))
  // The repository can still be enabled; its first commit then starts a build.
  if (!(await hasRefs(gitDir.commonDir))) add('has no commits yet')
  return { defaultBranch: defaultBranch ?? standardBranch }
}

/** A branch at the commit in HEAD, or else the first branch; `null` without branches. */
async function anyBranch({ gitDir, commonDir }: GitDir): Promise<string | null> {
  const commit = (await readSmallFile(join(gitDir, 'HEAD')))?.trim()
  const prefix = 'refs/heads/'
  const branches = [...(await readRefs(commonDir))]
    .filter(([name]) => name.startsWith(prefix))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const [name] = branches.find(([, sha]) => sha === commit) ?? branches[0] ?? []
  return name?.slice(prefix.length) ?? null
}

/**
 * The problem of a repository that is where a namespace is expected, which is a common mistake;
 * `null` if it is not one.
 */
async function looseRepository(path: string, folder: string): Promise<string | null> {
  const gitDir = await findGitDir(path).catch(() => null)
  return gitDir ? `is a repository without a namespace: move it to ${join(folder, 'NAMESPACE')}` : null
}

async function listFolders(folder: string, problems: Problem[]): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
    const kinds = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
    return names.filter((_, index) => kinds[index]?.isDirectory())
  } catch (error) {
    const reason = errorMessage(error)
    problems.push({ path: folder, message: `${folder}: cannot be read: ${reason}` })
    return []
  }
}
