/** The messages when the server refuses an action (specification §8). */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import type { Action } from '../action.ts'

type Parts = Awaited<ReturnType<typeof load>>
type AnyAction = { send: (input: never) => Promise<unknown>; failed?: Action<never, never>['failed'] }

/** The client reads its server's URL when it is loaded. */
async function load(origin: string) {
  vi.stubEnv('VITE_SERVER_URL', origin)
  vi.resetModules()
  const [{ failureText }, builds, entries, people, repository] = await Promise.all([
    import('../action.ts'),
    import('./builds.ts'),
    import('./entries.ts'),
    import('./people.ts'),
    import('./repository.ts'),
  ])
  return { failureText, ...builds, ...entries, ...people, ...repository }
}

let server: Server
let parts: Parts
let answer = { status: 500, text: '' }
const calls: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.writeHead(answer.status).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  parts = await load(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
beforeEach(() => calls.splice(0))
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.resetModules()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** The text of the toast. */
async function refusalOf({ send, failed }: AnyAction, input: unknown): Promise<string> {
  const error: unknown = await send(input as never).then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  return parts.failureText(error, failed)
}

const repo = { namespace: 'octocat', name: 'hello' }
const build = { ...repo, number: 42 }
const deployment = { action: 'promote', target: 'staging', parameters: {} }

test.each<[string, (parts: Parts) => AnyAction, unknown, string, string]>([
  ['cancel', (p) => p.cancelBuild(build), undefined, 'DELETE /builds/42', 'Unable to cancel build: no'],
  ['restart', (p) => p.restartBuild(build), undefined, 'POST /builds/42', 'Unable to restart build: no'],
  ['debug', (p) => p.debugBuild(build), undefined, 'POST /builds/42?debug=true', 'Unable to restart in debug mode: no'],
  ['approve', (p) => p.approveStage(build, 1), undefined, 'POST /builds/42/approve/1', 'Unable to approve build: no'],
  ['decline', (p) => p.declineStage(build, 1), undefined, 'POST /builds/42/decline/1', 'Unable to decline build: no'],
  ['new build', (p) => p.startBuild(repo), {}, 'POST /builds', 'Unable to start a new build: no'],
  [
    'promote',
    (p) => p.deployBuild(build),
    deployment,
    'POST /builds/42/promote?target=staging',
    'Unable to create new deploy: no',
  ],
  ['save', (p) => p.saveRepo(repo), { timeout: 1 }, 'PATCH ', 'Unable to save changes: no'],
  ['disable', (p) => p.disableRepo(repo), undefined, 'DELETE ', 'Unable to disable repo: no'],
  ['activate', (p) => p.activateRepo(repo), undefined, 'POST ', 'no'],
  ['add a secret', (p) => p.addSecret(repo), { name: 'a', data: 'hush' }, 'POST /secrets', 'Unable to add secret: no'],
  ['remove a secret', (p) => p.removeSecret(repo, 'a'), undefined, 'DELETE /secrets/a', 'Unable to remove secret: no'],
  ['add a cron job', (p) => p.addCron(repo), { name: 'a' }, 'POST /cron', 'no'],
  ['remove a cron job', (p) => p.removeCron(repo, 'a'), undefined, 'DELETE /cron/a', 'no'],
])('the server refuses: %s', async (_, action, input, call, words) => {
  answer = { status: 500, text: JSON.stringify({ message: 'no' }) }
  expect(await refusalOf(action(parts), input)).toBe(words)
  const [method = '', path = ''] = call.split(' ')
  expect(calls).toEqual([`${method} /api/repos/octocat/hello${path}`])
})

test.each<[string, (parts: Parts) => AnyAction, unknown, string, string]>([
  ['a new user', (p) => p.createUser(() => undefined), { login: 'ann' }, 'POST ', 'Unable to create new user: no'],
  ['a changed user', (p) => p.updateUser('ann'), true, 'PATCH /ann', 'Unable to create new user: no'],
  ['a deleted user', (p) => p.deleteUser('ann'), undefined, 'DELETE /ann', 'Unable to delete user: no'],
])('the server refuses %s', async (_, action, input, call, words) => {
  answer = { status: 400, text: JSON.stringify({ message: 'no' }) }
  expect(await refusalOf(action(parts), input)).toBe(words)
  const [method = '', path = ''] = call.split(' ')
  expect(calls).toEqual([`${method} /api/users${path}`])
})

test('[S8.1] the reason is the message of the body, else its text, else the status', async () => {
  const restart = () => refusalOf(parts.restartBuild(build), undefined)
  answer = { status: 502, text: 'raw words of a proxy' }
  expect(await restart()).toBe('Unable to restart build: raw words of a proxy')
  answer = { status: 503, text: '' }
  expect(await restart()).toBe('Unable to restart build: Request failed with status code 503')
})

test('a build or deployment that the server did not create has a separate text', async () => {
  answer = { status: 200, text: 'null' }
  expect(await refusalOf(parts.startBuild(repo), {})).toMatch(/^Unable to start a new build: the pipeline has nothing/)
  expect(await refusalOf(parts.deployBuild(build), deployment)).toBe('Unable to create new deploy in this repo')
})
