import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The two files of a repository without options, copied from the first one that git created in this
 * process.
 */
let plain: Record<string, Buffer> | undefined

/**
 * One process instead of three: starting one from a test process with hundreds of megabytes takes
 * several milliseconds.
 */
const commitScript = 'cd "$0" && git add -A && git commit -q --allow-empty -m "$1" && git rev-parse HEAD'

/** A real repository for tests, without the user's git configuration. */
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
  // Without git's fourteen sample hooks, which would be most of a small repository and slow to
  // copy.
  repository.git('init', '-q', '-b', 'main', '--template=', ...options)
  if (options.length === 0)
    plain = Object.fromEntries(['HEAD', 'config'].map((name) => [name, readFileSync(join(gitDir, name))]))
  return repository
}

/** Opens an existing repository. */
export function repositoryAt(path: string) {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    // Disables git's check for garbage after every commit.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  }
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim()
  const git = (...args: string[]) => run('git', ['-C', path, ...args])
  return {
    path,
    git,
    /** Returns the new sha. */
    commit(files: Record<string, string>, message: string): string {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), text)
      }
      return run('/bin/sh', ['-c', commitScript, path, message])
    },
  }
}
