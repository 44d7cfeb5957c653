/**
 * Drives the installed server over the network with a client that does not know Flightdeck:
 * `drone-node`, Drone's own library for Node. Every response is also checked against the contract.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as schema from '@flightdeck/api/schema'
import { Client } from 'drone-node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { testRepository } from '../testing/test-repository.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { expectAnswer } from './live-server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const pipeline = `kind: pipeline
type: exec
name: default
steps:
- name: speak
  commands: [echo "$GREETING to $DEPLOY_NOTE"]
  environment:
    GREETING: { from_secret: greeting }
---
kind: pipeline
type: docker
name: elsewhere
trigger: { event: [cron] }
`

let folder: string
let server: ServerProcess
let drone: Client
let sha: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-drone-node-'))
  // Steps run as another account where the tests run as root.
  chmodSync(folder, 0o755)
  sha = testRepository(join(folder, 'repos/acme/web')).commit({ '.drone.yml': pipeline }, 'Begin')
  const data = join(folder, 'data')
  server = spawnServer(['--port', '0', '--data', data, '--repos', join(folder, 'repos')])
  const url = await server.ready
  const { token } = await (await signIn(url, data)).json<{ token: string }>('/api/user/token', 'POST')
  drone = new Client({ url, token })
})
afterAll(async () => {
  server.kill('SIGTERM')
  const { code, stderr } = await server.ended
  rmSync(folder, { recursive: true, force: true })
  expect([code, stderr], 'the server ended well').toEqual([0, ''])
})

/** Returns the response if it fits the contract of this call. */
async function answer<T extends z.ZodMiniType>(shape: T, asked: Promise<unknown>): Promise<z.infer<T>> {
  return expectAnswer(shape, await asked)
}
const empty = async (asked: Promise<unknown>) => expect(await asked).toBe('')
const refused = (asked: Promise<unknown>, status: number) => expect(asked).rejects.toMatchObject({ status })

/** Waits until a started build has ended, and returns it. */
async function done(started: z.infer<typeof schema.startedBuild>): Promise<z.infer<typeof schema.build>> {
  if (!started) throw new Error('no build was started')
  return vi.waitFor(
    async () => {
      const build = await answer(schema.build, drone.getBuild('acme', 'web', started.number))
      expect(build.finished).toBeGreaterThan(0)
      return build
    },
    { timeout: 30_000, interval: 50 },
  )
}

it('reads the account, the repositories and the people', async () => {
  expect(await answer(schema.user, drone.getSelf())).toMatchObject({ login: 'admin', admin: true })
  await answer(schema.userWithToken, drone.getToken())
  expect(await answer(schema.user, drone.updateSelf({ email: 'ada@example.com' }))).toMatchObject({
    email: 'ada@example.com',
  })
  expect(await answer(z.array(schema.plainRepo), drone.syncRepos())).toMatchObject([{ slug: 'acme/web' }])
  await empty(drone.syncRepos({ async: true }))
  expect(await answer(z.array(schema.plainRepo), drone.getRepos())).toHaveLength(1)
  await answer(z.array(schema.user), drone.getUsers())
  await answer(z.array(schema.plainRepo), drone.userRepos('admin'))
  await refused(drone.getUser('nobody'), 404)
})

it('turns a repository on, changes its settings and takes it over', async () => {
  expect(await answer(schema.repo, drone.getRepo('acme', 'web'))).toMatchObject({ active: false })
  expect(await answer(schema.plainRepo, drone.enableRepo('acme', 'web'))).toMatchObject({ active: true, timeout: 60 })
  const settings = { timeout: 30, ignore_forks: true, visibility: 'internal' }
  expect(await answer(schema.plainRepo, drone.updateRepo('acme', 'web', settings))).toMatchObject(settings)
  await answer(schema.plainRepo, drone.chownRepo('acme', 'web'))
  await answer(schema.plainRepo, drone.repairRepo('acme', 'web'))
  await refused(drone.getRepo('acme', 'nothing'), 404)
})

it('keeps secrets of the repository and of its namespace', async () => {
  await answer(schema.secret, drone.createSecret('acme', 'web', { name: 'greeting', data: 'hello' }))
  const changes = { data: 'good morning', pull_request: true }
  expect(await answer(schema.secret, drone.updateSecret('acme', 'web', 'greeting', changes))).toMatchObject({
    pull_request: true,
  })
  await answer(schema.secret, drone.getSecret('acme', 'web', 'greeting'))
  expect(await answer(z.array(schema.secret), drone.getSecrets('acme', 'web'))).toHaveLength(1)
  await answer(schema.secret, drone.createGlobalSecret('acme', { name: 'shared', data: 'x' }))
  await answer(schema.secret, drone.updateGlobalSecret('acme', 'shared', { data: 'y' }))
  await answer(schema.secret, drone.getGlobalSecret('acme', 'shared'))
  expect(await answer(z.array(schema.secret), drone.getGlobalSecrets('acme'))).toHaveLength(1)
  expect(await answer(z.array(schema.secret), drone.getAllGlobalSecrets())).toHaveLength(1)
  await empty(drone.deleteGlobalSecret('acme', 'shared'))
  await refused(drone.getGlobalSecret('acme', 'shared'), 404)
  await answer(schema.sealed, drone.encryptSecret('acme', 'web', 'hidden'))
  expect(await answer(schema.sealed, drone.signConfig('acme', 'web', pipeline))).toMatchObject({
    data: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

it('starts builds, waits for them, reads their logs, restarts, promotes, rolls back', async () => {
  const started = await answer(schema.startedBuild, drone.triggerBuild('acme', 'web', { branch: 'main', commit: sha }))
  expect(started).toMatchObject({ event: 'custom', after: sha, sender: 'admin' })
  const build = await done(started)
  expect(build).toMatchObject({ status: 'success', stages: [{ steps: [{ name: 'clone' }, { name: 'speak' }] }] })
  const lines = await answer(schema.log, drone.getLogs('acme', 'web', build.number, 1, 2))
  const text = lines?.map(({ out }) => out).join('')
  expect(text).toContain('[secret:greeting] to')
  expect(text).not.toContain('good morning')

  expect(await done(await answer(schema.startedBuild, drone.retryBuild('acme', 'web', build.number)))).toMatchObject({
    parent: build.number,
    status: 'success',
  })
  for (const [event, deploy] of [
    ['promote', drone.promoteBuild.bind(drone)],
    ['rollback', drone.rollbackBuild.bind(drone)],
  ] as const) {
    const deployed = await answer(schema.startedBuild, deploy('acme', 'web', build.number, 'production', {}))
    expect(await done(deployed)).toMatchObject({ event, deploy_to: 'production', parent: build.number })
  }
  expect(await answer(schema.build, drone.latestBuild('acme', 'web', { branch: 'main' }))).toMatchObject({ number: 4 })
  expect(await answer(z.array(schema.listedBuild), drone.getBuilds('acme', 'web'))).toHaveLength(4)
  expect(await answer(z.array(schema.listedBuild), drone.getBuilds('acme', 'web', 2, 3))).toHaveLength(1)
  expect(await answer(z.array(schema.repoWithBuild), drone.recentBuilds())).toHaveLength(4)
  const latest = await answer(z.array(schema.repoWithLatest), drone.selfRepos({ latest: true }))
  expect(latest).toMatchObject([{ build: { number: 4 } }])
  await empty(drone.deleteLogs('acme', 'web', build.number, 1, 2))
  await refused(drone.getLogs('acme', 'web', build.number, 1, 2), 404)
  await empty(drone.purgeBuilds('acme', 'web', 3))
  expect(await answer(z.array(schema.listedBuild), drone.getBuilds('acme', 'web'))).toHaveLength(2)
})

it('stores cron jobs, runs one, and cancels stages that no runner takes', async () => {
  const job = { name: 'nightly', expr: '0 0 3 * * *', branch: 'main' }
  expect(await answer(schema.cron, drone.createCron('acme', 'web', job))).toMatchObject(job)
  expect(await answer(schema.cron, drone.updateCron('acme', 'web', 'nightly', { disabled: true }))).toMatchObject({
    disabled: true,
  })
  await answer(schema.cron, drone.getCron('acme', 'web', 'nightly'))
  expect(await answer(z.array(schema.cron), drone.getCrons('acme', 'web'))).toHaveLength(1)
  const started = await answer(schema.startedBuild, drone.executeCron('acme', 'web', 'nightly'))
  expect(started).toMatchObject({ event: 'cron', cron: 'nightly', trigger: '@cron' })

  // The second pipeline needs a runner that does not exist, so the build waits.
  const number = started?.number ?? 0
  expect(await answer(z.array(schema.repoWithBuild), drone.incompleteBuilds())).toMatchObject([{ build: { number } }])
  await answer(z.array(schema.stage), drone.getQueue())
  await answer(schema.stats, drone.getSystemStats())
  await empty(drone.pauseQueue())
  await empty(drone.resumeQueue())
  expect(await answer(schema.build, drone.cancelBuild('acme', 'web', number))).toMatchObject({ status: 'killed' })
  expect(await answer(z.array(schema.stage), drone.getQueue())).toEqual([])
  await empty(drone.deleteCron('acme', 'web', 'nightly'))
  await refused(drone.executeCron('acme', 'web', 'nightly'), 404)
})

it('manages people and their rights', async () => {
  expect(await answer(schema.createdUser, drone.createUser({ login: 'robot', machine: true }))).toMatchObject({
    login: 'robot',
    token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
  })
  expect(await answer(schema.user, drone.updateUser('robot', { active: false }))).toMatchObject({ active: false })
  await answer(schema.user, drone.getUser('robot'))
  await empty(drone.deleteUser('robot'))
  expect(await answer(z.array(schema.collaborator), drone.getCollaborators('acme', 'web'))).toMatchObject([
    { login: 'admin', admin: true },
  ])
  await answer(schema.permissions, drone.getCollaborator('acme', 'web', 'admin'))
  await empty(drone.deleteCollaborator('acme', 'web', 'admin'))
})

it('turns the repository off', async () => {
  expect(await answer(schema.plainRepo, drone.disableRepo('acme', 'web'))).toMatchObject({ active: false })
  await answer(schema.plainRepo, drone.disableRepo('acme', 'web', true))
  await refused(drone.getRepo('acme', 'web'), 404)
})
