import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { totalmem } from 'node:os'
import type { Build } from '@flightdeck/api'
import type { PreparedClone, RepositoryFacts } from '../interfaces/runner.ts'
import type { Account } from '../machine/account.ts'
import { quote } from '../pipeline/shell.ts'
import { chownSmallFolder } from './small-folders.ts'

const gibibyte = 1024 ** 3

type BuildFacts = Pick<Build, 'after' | 'ref' | 'target'>

const isTag = (ref: string) => ref.startsWith('refs/tags/')
/** By the ref, as Drone's clone decides it: a promotion of a pull request's commit is built like the pull request. */
const isPullRequest = (ref: string) => /^refs\/(pull|pull-requests?|merge-requests)\//.test(ref)
const branchRef = (build: BuildFacts) => `refs/heads/${build.target}`

/** The refs that a clone has beside the commit: the branch, also as `origin/BRANCH`, or the tag. */
export function wantedRefs(build: BuildFacts): string[] {
  if (isTag(build.ref)) return [build.ref]
  return build.target === '' ? [] : [branchRef(build)]
}

/**
 * The commands of the clone step: check out the build's commit, even if its branch has moved; for a pull request the target
 * branch with the commit merged into it. Each starts at least one program, so there are few: `origin` comes with the template, and the
 * last command prints what was checked out. `depth`: how many commits of history; 0 for all.
 */
export function cloneCommands(
  build: BuildFacts,
  { facts: { shallow }, refs }: Pick<PreparedClone, 'facts' | 'refs'>,
  depth = 0,
): string[] {
  const commit = quote(build.after)
  const branch = isTag(build.ref) ? '' : build.target
  const merges = branch !== '' && isPullRequest(build.ref)
  // A merge needs the history that both have in common.
  const limit = depth > 0 && !merges ? ` --depth=${depth}` : ''
  // Otherwise git takes nothing from a repository that lacks something itself, and says so in a warning only.
  const options = `${shallow === '' ? '' : ' --update-shallow'}${limit}`
  const tracking = refs.has(branchRef(build)) ? [`+${branchRef(build)}:refs/remotes/origin/${branch}`] : []
  const tag = refs.has(build.ref) ? [`+${build.ref}:${build.ref}`] : []
  const wanted = [build.after, ...(branch === '' ? tag : tracking)].map(quote).join(' ')
  const begin = [`git init -q${branch && ` -b ${quote(branch)}`}`, `git fetch -q --no-tags${options} origin ${wanted}`]
  if (!merges) return [...begin, `${branch ? 'git reset --hard' : 'git checkout'} ${commit}`]
  return [...begin, `git reset --hard ${quote(`refs/remotes/origin/${branch}`)}`, `git merge --no-edit ${commit}`]
}

/** Why a clone failed, for the end of its log; empty if git has explained it. `output`: the tail of git's output. */
export function cloneFailure(
  build: BuildFacts,
  { refs }: Pick<PreparedClone, 'refs'>,
  { source, output }: { source: string; output: string },
): string {
  if (output.includes(`not our ref ${build.after}`))
    return `Commit ${build.after} is not in the repository any more: a force push or git gc can remove it before its build clones it. Start a new build of the branch.`
  if (output.includes('repository corruption')) return 'The repository is damaged: run git fsck in it.'
  if (isTag(build.ref) || build.target === '' || !isPullRequest(build.ref)) return ''
  if (!refs.has(branchRef(build)))
    return `The pull request cannot be built: its target branch ${build.target} does not exist any more.`
  if (!existsSync(join(source, '.git', 'MERGE_HEAD'))) return ''
  return `The pull request conflicts with its target branch ${build.target}: merge ${build.target} into it, resolve the conflicts named above and push again.`
}

/** A folder that the clone step sees, in that of the scripts. */
const template = 'git'

/** What the clone's configuration begins with. `origin`: the URL that steps are to use. */
export async function writeTemplate(scripts: string, origin: string): Promise<void> {
  const folder = join(scripts, template)
  await mkdir(folder)
  const file = join(folder, 'config')
  const url = origin.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
  await writeFile(file, `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`)
  // Whatever the server's umask: the steps' account reads it.
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)])
}

/** Options by environment, so that the commands stay readable in the log. Only here `origin` means `view`, a folder: that is quicker. */
export function cloneEnvironment(
  git: Readonly<Record<string, string>>,
  { origin, view, scripts, facts }: { origin: string; view: string; scripts: string; facts: RepositoryFacts },
): Record<string, string> {
  const options = {
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'init.defaultBranch': 'main',
    'advice.detachedHead': 'false',
    // A program that finds nothing to tidy up in what is a moment old; its older name is gc.
    'maintenance.auto': 'false',
    'gc.auto': '0',
    // Where a branch of a moment ago has been. Later commands write theirs.
    'core.logAllRefUpdates': 'false',
    [`url.${view}.insteadOf`]: origin,
  }
  const list = Object.entries(options).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    ...git,
    GIT_TEMPLATE_DIR: join(scripts, template),
    GIT_DEFAULT_HASH: facts.objectFormat,
    GIT_CONFIG_COUNT: `${list.length / 2}`,
    ...Object.fromEntries(list),
  }
}

/** Kibibytes of memory that a git process of the clone step has, beside the files that it maps; `total` in bytes. */
export const cloneMemory = (total: number = totalmem()): number =>
  Math.round(Math.min(4 * gibibyte, Math.max(gibibyte, total / 2)) / 1024)

/** For the shell that becomes the clone step: a tree or an object that is too large ends git, which says so. */
export const cloneLimits = (): string => `ulimit -d ${cloneMemory()} 2>/dev/null\n`

/** Where nothing lets the account read the repository, the server clones: the folder is its own meanwhile. */
export async function chownClone(folder: string, account: Account | undefined): Promise<void> {
  // Closed to other accounts until it is handed over, so no path changes meanwhile.
  if (!account || (await chownSmallFolder(folder, account))) return
  // Links themselves, never what they point at: their targets come from the repository.
  await promisify(execFile)('chown', ['-RhP', `${account.uid}:${account.gid}`, folder])
}
