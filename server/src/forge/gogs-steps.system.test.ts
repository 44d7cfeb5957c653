/**
 * What steps fetch from a real Gogs with their `.netrc`: submodules and files of git LFS in the
 * built-in runner, the clone itself in Drone's own exec runner. Runs where FLIGHTDECK_GOGS names a
 * Gogs 0.13, and the last where FLIGHTDECK_DRONE_RUNNER_EXEC names the runner.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canRun } from '../testing/can-run.ts'
import type { ForgeClone } from '../testing/forge-clone.ts'
import { isOver } from '../testing/forge-world.ts'
import { gogsProgram, startGogsWorld, type GogsWorld } from '../testing/gogs.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const runnerProgram = process.env['FLIGHTDECK_DRONE_RUNNER_EXEC']
const rpcSecret = 'of a test only'

const pipeline = (commands: readonly string[], more = '') => `kind: pipeline
type: exec
name: default
${more}steps:
- name: look
  commands:
${commands.map((command) => `  - ${command}`).join('\n')}
`

// Needs the program of a Gogs (FLIGHTDECK_GOGS).
describe.skipIf(!gogsProgram)('a step of a build from a real Gogs', () => {
  let world: GogsWorld
  let ann: string

  beforeAll(async () => {
    const environment = { FLIGHTDECK_RPC_SECRET: rpcSecret }
    world = await startGogsWorld(gogsProgram ?? '', ['ann'], { environment })
    ann = await world.enter('ann')
  })
  afterAll(() => world?.close())

  /** A private repository that is active here, with this pipeline. */
  async function activeRepository(name: string, text: string): Promise<ForgeClone> {
    await world.forge.api('ann', 'POST', '/user/repos', { name, private: true })
    const clone = await world.clone('ann', `ann/${name}`)
    await clone.commit('.drone.yml', text, 'Add a pipeline')
    await clone.git('push', '-q', 'origin', 'master')
    await world.json(ann, '/api/user/repos', 'POST')
    await world.json(ann, `/api/repos/ann/${name}`, 'POST')
    return clone
  }
  async function outcome(name: string, sha: string) {
    const slug = `ann/${name}`
    const build = await world.buildWhere(ann, slug, (one) => one.after === sha && isOver(one))
    const log = (step: number) => world.json<Line[]>(ann, `/api/repos/${slug}/builds/${build.number}/logs/1/${step}`)
    const text = async (step: number) => (await log(step)).map(({ out }) => out).join('')
    return { status: build.status, clone: await text(1), look: await text(2).catch(() => '') }
  }

  it('fetches a private submodule of the same forge', async () => {
    await world.forge.api('ann', 'POST', '/user/repos', { name: 'part', private: true })
    const part = await world.clone('ann', 'ann/part')
    await part.commit('words', 'of the part\n', 'Add words')
    await part.git('push', '-q', 'origin', 'master')
    const whole = await activeRepository('whole', pipeline(['git submodule update -q --init', 'cat part/words']))
    // In the same folder as this repository: `origin` resolves relative addresses like this.
    await whole.git('submodule', '--quiet', 'add', '../part.git', 'part')
    const sha = await whole.commit('a', '1', 'Add the part')
    await whole.git('push', '-q', 'origin', 'master')
    const { status, look } = await outcome('whole', sha)
    expect(look).toContain('of the part')
    expect(status).toBe('success')
  })

  // git LFS is a separate package.
  it.skipIf(!canRun('git', 'lfs', 'version'))('fetches large files', async () => {
    const large = await activeRepository('large', pipeline(['git lfs pull', 'cat picture.bin']))
    await large.git('lfs', 'install', '--local')
    await large.git('lfs', 'track', '*.bin')
    const sha = await large.commit('picture.bin', 'bytes of a picture\n', 'Add a picture')
    await large.git('push', '-q', 'origin', 'master')
    const { status, look } = await outcome('large', sha)
    expect(look).toContain('bytes of a picture')
    expect(status).toBe('success')
  })

  // Needs the program of the runner (FLIGHTDECK_DRONE_RUNNER_EXEC).
  it.skipIf(!runnerProgram)('clones in Drone’s own exec runner, whose log and result arrive', async () => {
    const home = mkdtempSync(join(tmpdir(), 'flightdeck-exec-runner-'))
    const runner = spawn(runnerProgram ?? '', ['daemon'], {
      cwd: home,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        DRONE_RPC_PROTO: 'http',
        DRONE_RPC_HOST: new URL(world.address).host,
        DRONE_RPC_SECRET: rpcSecret,
        DRONE_RUNNER_NAME: 'official',
        DRONE_RUNNER_LABELS: 'where:official',
        DRONE_HTTP_BIND: '127.0.0.1:0',
        DRONE_RUNNER_ROOT: home,
      },
      stdio: 'ignore',
    })
    try {
      const look = ['git remote get-url origin', 'git fetch -q origin', 'cat a', 'exit 3']
      const far = await activeRepository('far', pipeline(look, 'node:\n  where: official\n'))
      const sha = await far.commit('a', 'what was pushed\n', 'Push')
      await far.git('push', '-q', 'origin', 'master')
      const found = await outcome('far', sha)
      expect(found.clone).toContain('git checkout')
      expect(found.look).toContain(`${world.forge.url}/ann/far.git`)
      expect(found.look).toContain('what was pushed')
      expect(found.status).toBe('failure')
    } finally {
      const ended = once(runner, 'exit')
      runner.kill()
      await ended
      rmSync(home, { recursive: true, force: true })
    }
  })
})
