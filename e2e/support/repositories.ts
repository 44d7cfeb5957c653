/** Creates Git repositories as `folder/namespace/name`. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada Tester',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada Tester',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

export interface TestRepository {
  slug: string
  git: (...args: string[]) => Promise<string>
  /** Writes files and commits them; returns the commit. */
  commit: (message: string, files: Record<string, string>) => Promise<string>
}

/** An exec pipeline with one step per entry: its name and its commands. */
export const pipeline = (steps: Record<string, string[]>, name = 'default'): string =>
  [
    'kind: pipeline',
    'type: exec',
    `name: ${name}`,
    'steps:',
    ...Object.entries(steps).flatMap(([step, commands]) => [
      `  - name: ${step}`,
      '    commands:',
      ...commands.map((command) => `      - ${JSON.stringify(command)}`),
    ]),
    '',
  ].join('\n')

export async function makeRepository(folder: string, slug: string, config: string): Promise<TestRepository> {
  const path = join(folder, slug)
  await mkdir(path, { recursive: true })
  const git = async (...args: string[]) => (await run('git', args, { cwd: path, env })).stdout.trim()
  const commit = async (message: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), text)
    }
    await git('add', '.')
    await git('commit', '-q', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  await git('init', '-q', '-b', 'main')
  await commit('Begin', { '.drone.yml': config })
  return { slug, git, commit }
}
