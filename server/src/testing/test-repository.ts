import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A real repository for tests, without anything of the tester's own configuration. */
export function testRepository(path: string, ...options: string[]) {
  const repository = repositoryAt(path)
  mkdirSync(path, { recursive: true })
  // Fourteen sample hooks are most of what a small repository has, also for whoever copies it.
  repository.git('init', '-q', '-b', 'main', '--template=', ...options)
  return repository
}

/** One that is there already. */
export function repositoryAt(path: string) {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    // No look after every commit whether there is something to tidy.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim()
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
