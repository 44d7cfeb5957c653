import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Build } from '@flightdeck/api'
import type { RepositoryFacts } from '../interfaces/runner.ts'
import type { Account } from '../machine/account.ts'
import { quote } from '../pipeline/shell.ts'
import { giveFew } from './few-files.ts'

/** The commands of the clone step: the build's commit, whatever has become of its branch since. */
export function cloneCommands(
  build: Pick<Build, 'after' | 'ref' | 'target'>,
  from: string,
  { shallow }: Pick<RepositoryFacts, 'shallow'>,
): string[] {
  // Otherwise git takes nothing from a repository that lacks something itself, and says so in a warning only.
  const options = shallow === '' ? '' : ' --update-shallow'
  const branch = build.ref.startsWith('refs/tags/') ? '' : build.target
  return [
    'git init -q',
    `git remote add origin ${quote(from)}`,
    `git fetch -q --no-tags${options} origin ${quote(build.after)}`,
    branch ? `git checkout -q -B ${quote(branch)} ${quote(build.after)}` : `git checkout -q ${quote(build.after)}`,
    `git --no-pager log -1 --format='%h %s'`,
  ]
}

/** Options by environment, so that the commands stay readable in the log. `from` is read as `view`. */
export function cloneEnvironment(
  git: Readonly<Record<string, string>>,
  { from, view, facts }: { from: string; view: string; facts: RepositoryFacts },
): Record<string, string> {
  const options = {
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'init.defaultBranch': 'main',
    'advice.detachedHead': 'false',
    // A program that finds nothing to tidy up in what is a moment old; its older name is gc.
    'maintenance.auto': 'false',
    'gc.auto': '0',
    [`url.${view}.insteadOf`]: from,
  }
  const list = Object.entries(options).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    ...git,
    GIT_TEMPLATE_DIR: '',
    GIT_DEFAULT_HASH: facts.objectFormat,
    GIT_CONFIG_COUNT: `${list.length / 2}`,
    ...Object.fromEntries(list),
  }
}

/** The server clones, since only it may read the repository; the steps' account then gets what it cloned. */
export async function handOver(folder: string, account: Account | undefined): Promise<void> {
  // Closed to everybody else until it is given away, so nothing moves while it is.
  if (!account || (await giveFew(folder, account))) return
  // Links themselves, never what they point at: their targets come from the repository.
  await promisify(execFile)('chown', ['-RhP', `${account.uid}:${account.gid}`, folder])
}
