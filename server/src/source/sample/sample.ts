import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitEnvironment, runGit } from '../git/run-git.ts'
import { absent } from '../repositories/git-dir.ts'
import { thisPlatform } from '../../machine/platform.ts'
import { sampleCommits } from './files.ts'

export const sampleSlug = 'sample/hello'

/** The path of the sample. `folder` is scanned like `--repos`. */
export function sampleRepositoryPath(dataDir: string): { folder: string; path: string } {
  const folder = join(dataDir, 'repos')
  return { folder, path: join(folder, sampleSlug) }
}

const identity = {
  GIT_AUTHOR_NAME: 'Flightdeck',
  GIT_AUTHOR_EMAIL: 'flightdeck@localhost',
  GIT_COMMITTER_NAME: 'Flightdeck',
  GIT_COMMITTER_EMAIL: 'flightdeck@localhost',
}

/** Creates the sample repository if it does not exist; returns whether it did. */
export async function makeSample(dataDir: string): Promise<boolean> {
  const { path } = sampleRepositoryPath(dataDir)
  if (await stat(path).catch(absent)) return false
  // Created beside its final path and renamed, so that an interruption leaves no incomplete
  // repository.
  const draft = join(dataDir, 'repos', '.draft')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await git(draft, 'init', '-q', '--template=', '-b', 'main')
  for (const { message, files } of sampleCommits(thisPlatform())) {
    for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text)
    await git(draft, 'add', '-A')
    await git(draft, 'commit', '-q', '-m', message)
  }
  await mkdir(join(path, '..'), { recursive: true })
  await rename(draft, path)
  return true
}

async function git(folder: string, ...args: string[]): Promise<void> {
  const result = await runGit(folder, args, { ...gitEnvironment('/dev/null'), ...identity })
  if (result.code !== 0)
    throw new Error(`the sample repository could not be created: ${result.stderr.trim().split('\n').at(-1)}`)
}
