import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A real repository for tests, without anything of the tester's own configuration. */
export function testRepository(path: string, ...options: string[]) {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim()
  mkdirSync(path, { recursive: true })
  git('init', '-q', '-b', 'main', ...options)
  return {
    path,
    git,
    /** Answers the new sha. */
    commit(files: Record<string, string>, message: string): string {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), text)
      }
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}
