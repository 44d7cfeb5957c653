/** For tests: a user's clone of a repository on a real test forge. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { forgePassword, type RealForge } from './real-forge.ts'

const run = promisify(execFile)

export interface ForgeClone {
  path: string
  git(...args: string[]): Promise<string>
  /** Writes one file and commits everything. Returns the sha. */
  commit(file: string, text: string, message: string): Promise<string>
}

/** An empty clone below `folder`; the password is in a file that only this git reads. */
export async function forgeClone(
  forge: Pick<RealForge, 'url'>,
  folder: string,
  login: string,
  slug: string,
): Promise<ForgeClone> {
  const home = join(folder, `home-${login}`)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.netrc'), `machine 127.0.0.1 login ${login} password ${forgePassword(login)}\n`)
  const path = join(home, slug.replace('/', '-'))
  const person = { name: login, email: `${login}@example.com` }
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  }
  const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: path, env })).stdout.trim()
  mkdirSync(path)
  await git('init', '-q', '-b', 'master')
  await git('remote', 'add', 'origin', `${forge.url}/${slug}.git`)
  return {
    path,
    git,
    async commit(file, text, message) {
      writeFileSync(join(path, file), text)
      await git('add', '-A')
      await git('commit', '-q', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}
