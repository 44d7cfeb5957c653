import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Build } from '@flightdeck/api'
import type { Account } from '../processes/account.ts'
import { quote } from './script.ts'

/** The commands of the clone step: the build's commit, whatever has become of its branch since. */
export function cloneCommands(build: Pick<Build, 'after' | 'ref' | 'target'>, from: string): string[] {
  const branch = build.ref.startsWith('refs/tags/') ? '' : build.target
  return [
    'git init -q',
    `git remote add origin ${quote(from)}`,
    `git fetch -q --no-tags origin ${quote(build.after)}`,
    branch ? `git checkout -q -B ${quote(branch)} ${quote(build.after)}` : `git checkout -q ${quote(build.after)}`,
    `git --no-pager log -1 --format='%h %s'`,
  ]
}

/** Options by environment, so that the commands stay readable in the log. */
export const cloneEnvironment = (git: Readonly<Record<string, string>>): Record<string, string> => ({
  ...git,
  GIT_TEMPLATE_DIR: '',
  GIT_CONFIG_COUNT: '4',
  GIT_CONFIG_KEY_0: 'core.hooksPath',
  GIT_CONFIG_VALUE_0: '/dev/null',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'init.defaultBranch',
  GIT_CONFIG_VALUE_2: 'main',
  GIT_CONFIG_KEY_3: 'advice.detachedHead',
  GIT_CONFIG_VALUE_3: 'false',
})

/** The server clones, since only it may read the repository; the steps' account then gets what it cloned. */
export async function handOver(folder: string, account: Account | undefined): Promise<void> {
  if (!account) return
  // Links themselves, never what they point at: their targets come from the repository.
  await promisify(execFile)('chown', ['-RhP', `${account.uid}:${account.gid}`, folder])
}
