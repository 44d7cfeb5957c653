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
/**
 * Decided by the ref, as in Drone's clone: a promotion of a pull request's commit is built like the
 * pull request.
 */
const isPullRequest = (ref: string) => /^refs\/(pull|pull-requests?|merge-requests)\//.test(ref)
const branchRef = (build: BuildFacts) => `refs/heads/${build.target}`

/**
 * The refs that a clone has besides the commit: the branch, also as `origin/BRANCH`, or the tag.
 */
export function wantedRefs(build: BuildFacts): string[] {
  if (isTag(build.ref)) return [build.ref]
  return build.target === '' ? [] : [branchRef(build)]
}

/**
 * The commands of the clone step. They check out the build's commit, even if its branch has moved;
 * for a pull request, the target branch with the commit merged into it. Each command starts at
 * least one program, so there are few: the template sets `origin`, and the last command prints what
 * was checked out. `depth` is the number of commits of history; 0 means all.
 */
export function cloneCommands(
  build: BuildFacts,
  { facts: { shallow }, refs }: Pick<PreparedClone, 'facts' | 'refs'>,
  depth = 0,
): string[] {
  const commit = quote(build.after)
  const branch = isTag(build.ref) ? '' : build.target
  const merges = branch !== '' && isPullRequest(build.ref)
  // A merge needs the common history of both sides.
  const limit = depth > 0 && !merges ? ` --depth=${depth}` : ''
  // Without this option git skips the refs of a shallow repository and only prints a warning.
  const options = `${shallow === '' ? '' : ' --update-shallow'}${limit}`
  const tracking = refs.has(branchRef(build)) ? [`+${branchRef(build)}:refs/remotes/origin/${branch}`] : []
  const tag = refs.has(build.ref) ? [`+${build.ref}:${build.ref}`] : []
  const refspecs = [build.after, ...(branch === '' ? tag : tracking)].map(quote).join(' ')
  const begin = [
    `git init -q${branch && ` -b ${quote(branch)}`}`,
    `git fetch -q --no-tags${options} origin ${refspecs}`,
  ]
  if (!merges) return [...begin, `${branch ? 'git reset --hard' : 'git checkout'} ${commit}`]
  return [...begin, `git reset --hard ${quote(`refs/remotes/origin/${branch}`)}`, `git merge --no-edit ${commit}`]
}

/**
 * Explains why a clone failed, for the end of its log; empty if git's own message explains it.
 * `output` is the tail of git's output.
 */
export function cloneFailure(
  build: BuildFacts,
  { refs }: Pick<PreparedClone, 'refs'>,
  { source, output }: { source: string; output: string },
): string {
  if (output.includes(`not our ref ${build.after}`))
    return `Commit ${build.after} is no longer in the repository: a force push or git gc can remove it before its build clones it. Start a new build of the branch.`
  if (output.includes('repository corruption')) return 'The repository is damaged: run git fsck in it.'
  if (isTag(build.ref) || build.target === '' || !isPullRequest(build.ref)) return ''
  if (!refs.has(branchRef(build)))
    return `The pull request cannot be built: its target branch ${build.target} no longer exists.`
  if (!existsSync(join(source, '.git', 'MERGE_HEAD'))) return ''
  return `The pull request conflicts with its target branch ${build.target}: merge ${build.target} into it, resolve the conflicts named above and push again.`
}

/** The name of the template folder inside the scripts folder, which the clone step can read. */
const template = 'git'

/**
 * Writes git's template for the clone, with its first configuration. `origin` is the URL that steps
 * use.
 */
export async function writeTemplate(scripts: string, origin: string): Promise<void> {
  const folder = join(scripts, template)
  await mkdir(folder)
  const file = join(folder, 'config')
  const url = origin.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
  await writeFile(file, `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`)
  // Set explicitly, because the server's umask could prevent the steps' account from reading them.
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)])
}

/**
 * Sets git options through the environment, so that the commands in the log stay readable. In this
 * step only, `origin` resolves to the folder `view`, which is faster than HTTP.
 */
export function cloneEnvironment(
  git: Readonly<Record<string, string>>,
  { origin, view, scripts, facts }: { origin: string; view: string; scripts: string; facts: RepositoryFacts },
): Record<string, string> {
  const options = {
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'init.defaultBranch': 'main',
    'advice.detachedHead': 'false',
    // A new clone needs no maintenance. `gc.auto` is the option's older name.
    'maintenance.auto': 'false',
    'gc.auto': '0',
    // A new clone needs no reflog. Later commands write one.
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

/**
 * The memory limit of a git process of the clone step in KiB, without the files that it maps.
 * `total` is the machine's memory in bytes.
 */
export const cloneMemory = (total: number = totalmem()): number =>
  Math.round(Math.min(4 * gibibyte, Math.max(gibibyte, total / 2)) / 1024)

/**
 * Shell code that limits the clone step: git reports a tree or an object that is too large, and
 * ends.
 */
export const cloneLimits = (): string => `ulimit -d ${cloneMemory()} 2>/dev/null\n`

/**
 * Gives the clone to the account. Needed where the server clones itself, because the account cannot
 * read the repository; until then the folder belongs to the server.
 */
export async function chownClone(folder: string, account: Account | undefined): Promise<void> {
  // Other accounts cannot enter the folder before this, so no path can change during the call.
  if (!account || (await chownSmallFolder(folder, account))) return
  // Change the links themselves, never their targets, which the repository's content determines.
  await promisify(execFile)('chown', ['-RhP', `${account.uid}:${account.gid}`, folder])
}
