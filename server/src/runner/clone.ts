import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Build } from '@flightdeck/api'
import type { RepositoryFacts } from '../interfaces/runner.ts'
import type { Account } from '../machine/account.ts'
import { quote } from '../pipeline/shell.ts'
import { giveFew } from './few-files.ts'

/**
 * The commands of the clone step: the build's commit, whatever has become of its branch since. Each is a program or several, so
 * there are few: `origin` comes with the template, and the last one says what it has checked out.
 */
export function cloneCommands(
  build: Pick<Build, 'after' | 'ref' | 'target'>,
  { shallow }: Pick<RepositoryFacts, 'shallow'>,
): string[] {
  // Otherwise git takes nothing from a repository that lacks something itself, and says so in a warning only.
  const options = shallow === '' ? '' : ' --update-shallow'
  const branch = build.ref.startsWith('refs/tags/') ? '' : build.target
  return [
    `git init -q${branch && ` -b ${quote(branch)}`}`,
    `git fetch -q --no-tags${options} origin ${quote(build.after)}`,
    `${branch ? 'git reset --hard' : 'git checkout'} ${quote(build.after)}`,
  ]
}

/** A folder that the clone step sees, in that of the scripts. */
const template = 'git'

/** What the clone's configuration begins with. */
export async function writeTemplate(scripts: string, from: string): Promise<void> {
  const folder = join(scripts, template)
  // Whoever is not root sees it as himself; root in a sandbox may read everything.
  await mkdir(folder, { mode: 0o700 })
  const url = from.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
  await writeFile(
    join(folder, 'config'),
    `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  )
}

/** Options by environment, so that the commands stay readable in the log. `from` is read as `view`. */
export function cloneEnvironment(
  git: Readonly<Record<string, string>>,
  { from, view, scripts, facts }: { from: string; view: string; scripts: string; facts: RepositoryFacts },
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
    [`url.${view}.insteadOf`]: from,
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

/** The server clones, since only it may read the repository; the steps' account then gets what it cloned. */
export async function handOver(folder: string, account: Account | undefined): Promise<void> {
  // Closed to everybody else until it is given away, so nothing moves while it is.
  if (!account || (await giveFew(folder, account))) return
  // Links themselves, never what they point at: their targets come from the repository.
  await promisify(execFile)('chown', ['-RhP', `${account.uid}:${account.gid}`, folder])
}
