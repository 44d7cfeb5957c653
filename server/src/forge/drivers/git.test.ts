// Real git over HTTP with the driver's clone address and netrc.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGitea } from '../../testing/forges/gitea.ts'
import { startGithub } from '../../testing/forges/github.ts'
import { startGitlab } from '../../testing/forges/gitlab.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { createDriver } from './index.ts'

const run = promisify(execFile)
const starts = { gitea: startGitea, github: startGithub, gitlab: startGitlab }

describe.each(['gitea', 'github', 'gitlab'] as const)('a private repository of %s', (kind) => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'flightdeck-netrc-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is pushed to and cloned with the netrc, and not without', async () => {
    const forge = await starts[kind]('/git')
    try {
      const { world, url } = forge
      world.addPerson('ann')
      world.addRepository('ann/app', { ann: 'write' })
      const driver = await createDriver({ kind, url, clientId: 'c', clientSecret: 's' })
      const { machine, login, password } = driver.netrc({ access: world.tokensFor('ann').access })
      const address = driver.cloneUrl({ namespace: 'ann', name: 'app' })
      const source = testRepository(join(folder, 'source'))
      const head = source.commit({ 'a.txt': 'a' }, 'First')
      const env = (home: string) => ({ PATH: process.env['PATH'], HOME: home, GIT_TERMINAL_PROMPT: '0' })
      await expect(run('git', ['ls-remote', address], { env: env(folder) })).rejects.toThrow()
      writeFileSync(join(folder, '.netrc'), `machine ${machine} login ${login} password ${password}\n`, { mode: 0o600 })
      await run('git', ['-C', source.path, 'push', '-q', address, 'HEAD:main'], { env: env(folder) })
      const { stdout } = await run('git', ['ls-remote', address, 'main'], { env: env(folder) })
      expect(stdout).toContain(head)
    } finally {
      await forge.close()
    }
  })
})
