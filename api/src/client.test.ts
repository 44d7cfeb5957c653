import { describe, expect, it } from 'vitest'

import { createClient } from './client.ts'
import { ApiError } from './errors.ts'
import { createOwnClient } from './own-client.ts'
import type { ClientOptions } from './request.ts'
import { findEndpoint } from './schema-endpoints.ts'

const bothOf = (options: ClientOptions) => ({ ...createClient(options), ...createOwnClient(options) })
type Both = ReturnType<typeof bothOf>

/** A client whose server returns `answer` to every request and records the requests. */
const clientOf = (answer: () => Response | Promise<Response>, token?: string) => {
  const asked: { method: string; url: string; body: unknown; headers: Headers; credentials: unknown }[] = []
  const client = bothOf({
    baseUrl: 'http://ci.example',
    token,
    fetch: async (input, init = {}) => {
      const url = input instanceof Request ? input.url : input.toString()
      asked.push({
        method: init.method ?? 'GET',
        url: url.replace('http://ci.example', ''),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
        headers: new Headers(init.headers),
        credentials: init.credentials,
      })
      return answer()
    },
  })
  return { client, asked }
}

const ok = () => new Response('{}')

describe('the calls of specification §7', () => {
  const calls: [string, (client: Both) => Promise<unknown>][] = [
    ['GET /api/user', (c) => c.getUser()],
    ['POST /api/user/token', (c) => c.createToken()],
    ['POST /api/user/token?rotate=true', (c) => c.createToken({ rotate: true })],
    ['GET /api/user/repos?latest=true', (c) => c.listRepos({ latest: true })],
    ['POST /api/user/repos?async=true', (c) => c.syncRepos({ async: true })],
    ['GET /api/user/builds/recent', (c) => c.listRecent()],
    ['GET /api/repos/a/b', (c) => c.getRepo('a', 'b')],
    ['POST /api/repos/a/b', (c) => c.enableRepo('a', 'b')],
    ['DELETE /api/repos/a/b', (c) => c.disableRepo('a', 'b')],
    ['PATCH /api/repos/a/b', (c) => c.updateRepo('a', 'b', { timeout: 60 })],
    ['GET /api/repos/a/b/builds?page=2&per_page=50', (c) => c.listBuilds('a', 'b', { page: 2, per_page: 50 })],
    ['POST /api/repos/a/b/builds', (c) => c.createBuild('a', 'b')],
    [
      'POST /api/repos/a/b/builds?KEY=a+b&branch=feature%2Fx',
      (c) => c.createBuild('a', 'b', { KEY: 'a b', branch: 'feature/x' }),
    ],
    ['GET /api/repos/a/b/builds/7', (c) => c.getBuild('a', 'b', 7)],
    ['GET /api/repos/a/b/builds?branch=x%2Fy&page=2&per_page=50', (c) => c.listBranchBuilds('a', 'b', 'x/y', 2)],
    ['GET /api/repos/a/b/commits/0a1b2c3d/builds', (c) => c.listCommitBuilds('a', 'b', '0a1b2c3d')],
    ['GET /api/repos/a/b/builds/branches', (c) => c.listBranches('a', 'b')],
    ['GET /api/repos/a/b/builds/deployments', (c) => c.listDeployments('a', 'b')],
    ['GET /api/repos/a/b/builds/pulls', (c) => c.listPulls('a', 'b')],
    ['POST /api/repos/a/b/builds/7', (c) => c.restartBuild('a', 'b', 7)],
    ['POST /api/repos/a/b/builds/7?debug=true', (c) => c.restartBuild('a', 'b', 7, { debug: true })],
    ['DELETE /api/repos/a/b/builds/7', (c) => c.cancelBuild('a', 'b', 7)],
    [
      'POST /api/repos/a/b/builds/7/promote?K=v&target=qa',
      (c) => c.promoteBuild('a', 'b', 7, { K: 'v', target: 'qa' }),
    ],
    ['POST /api/repos/a/b/builds/7/rollback?target=qa', (c) => c.rollbackBuild('a', 'b', 7, { target: 'qa' })],
    ['POST /api/repos/a/b/builds/7/approve/2', (c) => c.approveStage('a', 'b', 7, 2)],
    ['POST /api/repos/a/b/builds/7/decline/2', (c) => c.declineStage('a', 'b', 7, 2)],
    ['GET /api/repos/a/b/builds/7/logs/1/1', (c) => c.getLogs('a', 'b', 7, 1, 1)],
    ['GET /api/repos/a/b/cron', (c) => c.listCron('a', 'b')],
    ['POST /api/repos/a/b/cron', (c) => c.createCron('a', 'b', { name: 'n', branch: 'm', expr: '@daily' })],
    ['DELETE /api/repos/a/b/cron/night%20ly', (c) => c.deleteCron('a', 'b', 'night ly')],
    ['GET /api/repos/a/b/secrets', (c) => c.listSecrets('a', 'b')],
    ['POST /api/repos/a/b/secrets', (c) => c.createSecret('a', 'b', { name: 'n', data: 'd', pull_request: true })],
    ['DELETE /api/repos/a/b/secrets/x%2Fy%25', (c) => c.deleteSecret('a', 'b', 'x/y%')],
    ['GET /api/users', (c) => c.listUsers()],
    ['POST /api/users', (c) => c.createUser({ login: 'l' })],
    ['PATCH /api/users/l', (c) => c.updateUser('l', { admin: true })],
    ['DELETE /api/users/l', (c) => c.deleteUser('l')],
    ['POST /api/users/l/invitation', (c) => c.inviteUser('l', { keep_token: false })],
    ['POST /api/invitation', (c) => c.findInvitation({ invitation: 'value' })],
    ['PUT /api/invitation', (c) => c.takeInvitation({ invitation: 'value', password: 'p' })],
    ['PUT /api/user/password', (c) => c.changePassword({ old_password: 'old', password: 'p' })],
    ['GET /api/repos/a/b/collaborators', (c) => c.listCollaborators('a', 'b')],
    [
      'PUT /api/repos/a/b/collaborators/l',
      (c) => c.setCollaborator('a', 'b', 'l', { read: true, write: false, admin: false }),
    ],
    ['DELETE /api/repos/a/b/collaborators/l', (c) => c.deleteCollaborator('a', 'b', 'l')],
    ['GET /api/search?text=a%26b', (c) => c.search({ text: 'a&b' })],
    ['GET /api/repos/a/b/times', (c) => c.getRepoTimes('a', 'b', { branch: undefined })],
    [
      'GET /api/repos/a/b/builds/filter?status=failure&before=7',
      (c) => c.listFilteredBuilds('a', 'b', { status: 'failure', before: 7 }),
    ],
    ['GET /api/repos/a/b/builds/counts?status=failure', (c) => c.getBuildCounts('a', 'b', { status: 'failure' })],
    [
      'GET /api/repos/a/b/builds/7/authors/1/2?path=x%2Fy.ts&line=3',
      (c) => c.getSourceAuthors('a', 'b', 7, 1, 2, { path: 'x/y.ts', line: 3 }),
    ],
    ['POST /api/repos/a/b/builds/7/again?only=failed', (c) => c.restartPart('a', 'b', 7, { only: 'failed' })],
    ['PATCH /api/secrets/a/b%2Fc', (c) => c.updateOrgSecret('a', 'b/c', { data: 'd' })],
    ['GET /api/repos/%24%26/%3Aname/secrets', (c) => c.listSecrets('$&', ':name')],
    ['GET /api/repos/a%2Fb/__proto__', (c) => c.getRepo('a/b', '__proto__')],
  ]
  it.each(calls)('%s', async (line, call) => {
    const { client, asked } = clientOf(ok)
    // Only the request matters here; responses are validated in shapes.test.ts.
    await call(client).catch(() => undefined)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([line])
    const [method = '', url = ''] = line.split(' ')
    expect(findEndpoint(method, url), 'has a row in the table of endpoints').toBeDefined()
    expect(asked[0]?.credentials).toBe('include')
    expect(asked[0]?.headers.has('authorization')).toBe(false)
  })

  it('send their body as JSON', async () => {
    const { client, asked } = clientOf(ok)
    await client.createSecret('a', 'b', { name: 'n', data: 'd', pull_request: false })
    expect(asked[0]?.body).toEqual({ name: 'n', data: 'd', pull_request: false })
    expect(asked[0]?.headers.get('content-type')).toBe('application/json')
  })

  it('carry the token as a header, event streams in the query', async () => {
    const { client, asked } = clientOf(ok, 's e')
    await client.deleteUser('l')
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer s e')
    expect(client.streamUrl('/api/stream')).toBe('http://ci.example/api/stream?access_token=s+e')
    expect(clientOf(ok).client.streamUrl('/api/stream')).toBe('http://ci.example/api/stream')
  })
})

describe('responses', () => {
  it('can be null for a list', async () => {
    expect(await clientOf(() => new Response('null')).client.getLogs('a', 'b', 1, 1, 1)).toEqual([])
  })
  it('can be null for a build', async () => {
    expect(await clientOf(() => new Response('null\n')).client.createBuild('a', 'b')).toBeNull()
  })
  it('can be empty', async () => {
    expect(await clientOf(() => new Response(null, { status: 204 })).client.deleteUser('l')).toBeUndefined()
  })
  it('to reads must be JSON', async () => {
    const { client } = clientOf(() => new Response('<!doctype html>'))
    await expect(client.getUser()).rejects.toThrow('The server did not answer with JSON')
  })
})

describe('errors', () => {
  it.each([
    [404, '{"message":"Not Found"}', 'Not Found'],
    [404, '404 page not found\n', '404 page not found'],
    [500, '{"message":""}', '{"message":""}'],
    [500, '', 'Request failed with status code 500'],
    [405, ' \n', 'Request failed with status code 405'],
    [400, 'null', 'null'],
  ])('%i %j says %j', async (status, body, message) => {
    const { client } = clientOf(() => new Response(body, { status }))
    await expect(client.getUser()).rejects.toEqual(new ApiError(status, message))
    await expect(client.getUser()).rejects.toMatchObject({ status, message })
  })

  it('of the network keep their message', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(client.getUser()).rejects.toMatchObject({ status: 0, message: 'Failed to fetch' })
  })
})
