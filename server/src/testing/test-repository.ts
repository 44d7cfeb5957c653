import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The two files of a repository without options, as git has made them for the first one in this
 * process.
 */
let plain: Record<string, Buffer> | undefined

/** A real repository for tests, without anything of the tester's own configuration. */
export function testRepository(path: string, ...options: string[]) {
  const repository = repositoryAt(path)
  const gitDir = join(path, '.git')
  mkdirSync(path, { recursive: true })
  if (plain && options.length === 0 && !existsSync(gitDir)) {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
      mkdirSync(join(gitDir, folder), { recursive: true })
    for (const [name, text] of Object.entries(plain)) writeFileSync(join(gitDir, name), text)
    return repository
  }
  // git's fourteen sample hooks would be most of a small repository, and slow to copy.
  repository.git('init', '-q', '-b', 'main', '--template=', ...options)
  if (options.length === 0)
    plain = Object.fromEntries(['HEAD', 'config'].map((name) => [name, readFileSync(join(gitDir, name))]))
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
