import type { CreatedWallLink, Wall, WallLink } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deletePermissions, setPermissions } from '../../store/permissions.ts'
import { findUserByLogin, updateUser } from '../../store/users.ts'
import { expireWallLinks } from '../../store/wall-links.ts'
import { createTestApp, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

const links = '/api/user/wall-links'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ pingMs: 60_000 })
  await app.bench.push(app.bench.commit(pipelines({ default: '' }), 'Round the discount'))
})
afterEach(async () => {
  await app.close()
  expect(app.failures).toEqual([])
})

const repos = ['acme/web']
const create = async (as: Person, json: object = {}): Promise<CreatedWallLink> => {
  const [status, body] = await app.answer(links, { as, method: 'POST', json: { name: 'Kitchen', repos, ...json } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as CreatedWallLink
}
const open = (token: string, headers: Record<string, string> = {}) =>
  app.request('/api/wall/session', { method: 'POST', json: { token }, headers })
const cookieOf = async (token: string): Promise<{ cookie: string }> => {
  const response = await open(token)
  expect(response.status).toBe(204)
  return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}
const wall = async (headers: { cookie: string }): Promise<[number, Wall]> => {
  const [status, body] = await app.answer('/api/wall', { headers })
  return [status, body as Wall]
}
const slugs = async (headers: { cookie: string }) => {
  const [status, { tiles }] = await wall(headers)
  return status === 200 ? tiles.map(({ slug }) => slug) : status
}
const idOf = async (login: Person) => (await findUserByLogin(app.bench.db, login))?.id ?? 0

it('a link shows the newest build of its repositories, and nothing more of it', async () => {
  const { token, ...made } = await create('rae', { name: ' Kitchen ' })
  expect(token).toMatch(/^fdw_\w{32}$/)
  expect(made).toMatchObject({ name: 'Kitchen', expires: 0, last_used: 0, repos })
  const session = await open(token)
  expect(session.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^_wall_=\d+\.[\w-]+; Max-Age=34560000; Path=\/api\/wall; HttpOnly; SameSite=Strict$/),
  ])
  const cookie = { cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const [status, { name, tiles }] = await wall(cookie)
  expect([status, name]).toEqual([200, 'Kitchen'])
  expect(tiles).toEqual([
    {
      slug: 'acme/web',
      namespace: 'acme',
      name: 'web',
      build: {
        number: 1,
        status: 'pending',
        title: 'change',
        branch: 'main',
        author: expect.any(String) as string,
        created: app.bench.clock.now,
        started: 0,
        finished: 0,
        why: '',
      },
    },
  ])
  const [, listed] = await app.answer(links, { as: 'rae' })
  expect(listed).toEqual([{ ...made, last_used: app.bench.clock.now }])
  expect(JSON.stringify(listed)).not.toContain(token)
  const rows = await app.bench.db.selectFrom('wall_links').selectAll().execute()
  expect(JSON.stringify(rows), 'only a hash is stored').not.toContain(token)
})

it('refuses names, expiries and repositories that cannot be', async () => {
  await create('rae')
  await app.addRepo('acme', 'hidden')
  const refused = async (json: object) => {
    const [status, body] = await app.answer(links, { as: 'rae', method: 'POST', json: { name: 'x', repos, ...json } })
    return [status, (body as { message: string }).message]
  }
  expect(await refused({ name: ' ' })).toEqual([400, 'A name is required'])
  expect(await refused({ name: 'a\nb' })).toEqual([400, expect.stringContaining('on one line')])
  expect(await refused({ name: 'KITCHEN' })).toEqual([409, 'You already have a link named KITCHEN'])
  expect(await refused({ expires: 1 })).toEqual([400, 'The expiry must be in the future'])
  expect(await refused({ repos: [] })).toEqual([400, 'Choose at least one repository'])
  expect(await refused({ repos: Array.from({ length: 101 }, (_, n) => `a/${n}`) })).toEqual([
    400,
    'A link can show at most 100 repositories',
  ])
  const unreadable = [400, 'You do not have access to all of these repositories']
  expect(await refused({ repos: ['acme/web', 'acme/hidden'] })).toEqual(unreadable)
  expect(await refused({ repos: ['acme/web', 'acme/nothing'] }), 'nor is said which exists').toEqual(unreadable)
  expect((await refused({ repos: 'acme/web' }))[0]).toBe(400)
  expect((await refused({ repos: [1] }))[0]).toBe(400)
})

it('can be made, listed and revoked by its owner alone, and not by a named token', async () => {
  const { id } = await create('rae')
  expect(await app.answer(links, { as: 'wes' })).toEqual([200, []])
  expect(await app.answer(`${links}/${id}`, { as: 'boss', method: 'DELETE' })).toMatchObject([404, {}])
  const [, named] = await app.answer('/api/user/tokens', { as: 'rae', method: 'POST', json: { name: 'script' } })
  const headers = { Authorization: `Bearer ${(named as { token: string }).token}` }
  const body = JSON.stringify({ name: 'x', repos })
  const calls = [
    await app.request(links, { headers }),
    await app.request(links, { method: 'POST', headers, body }),
    await app.request(`${links}/${id}`, { method: 'DELETE', headers }),
  ]
  expect(calls.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(await app.answer(`${links}/${id}`, { as: 'rae', method: 'DELETE' })).toEqual([204, ''])
  const [, audit] = await app.answer('/api/audit?kind=tokens', { as: 'boss' })
  const { items } = audit as { items: { action: string; name: string; user: string; details: object }[] }
  expect(items.filter(({ name }) => name === 'Kitchen')).toMatchObject([
    { action: 'wall_link.revoked', user: 'rae' },
    { action: 'wall_link.created', user: 'rae', details: { expires: 0, repositories: repos } },
  ])
})

describe('the holder of a link', () => {
  it('gets nothing else: no other call, with the cookie or with the link as a token', async () => {
    const { token } = await create('ann')
    const headers = await cookieOf(token)
    const paths = [
      '/api/user',
      '/api/user/repos',
      '/api/user/builds/recent',
      '/api/user/feed.atom',
      links,
      '/api/repos/acme/web',
      '/api/repos/acme/web/builds',
      '/api/repos/acme/web/builds/1',
      '/api/repos/acme/web/builds/1/logs/1/1',
      '/api/repos/acme/web/builds/feed.atom',
      '/api/repos/acme/web/secrets',
      '/api/stream/acme/web',
      '/api/stream/acme/web/1/1/1',
      '/api/search?text=a',
      '/api/users',
      '/api/audit',
    ]
    const basic = `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`
    for (const path of paths) {
      expect((await app.request(path, { headers })).status, path).toBe(401)
      for (const Authorization of [`Bearer ${token}`, basic])
        expect((await app.request(path, { headers: { ...headers, Authorization } })).status, path).toBe(401)
      const glue = path.includes('?') ? '&' : '?'
      expect((await app.request(`${path}${glue}access_token=${token}`)).status, path).toBe(401)
    }
    for (const [method, path] of [
      ['POST', '/api/repos/acme/web/builds'],
      ['DELETE', '/api/repos/acme/web/builds/1'],
      ['POST', '/api/wall'],
      ['DELETE', `${links}/1`],
    ] as const)
      expect([401, 405], path).toContain((await app.request(path, { method, headers })).status)
    const clone = await app.request('/acme/web.git/info/refs?service=git-upload-pack', {
      headers: { Authorization: basic },
    })
    expect(clone.status).toBe(401)
  })

  it('cannot guess: a changed, foreign or made-up value is refused like an ended link @system', async () => {
    const [mine, other] = [await create('ann'), await create('ann', { name: 'Other' })]
    const { cookie } = await cookieOf(mine.token)
    const foreign = (await cookieOf(other.token)).cookie
    const signature = cookie.split('.')[1] ?? ''
    const guesses = [
      '',
      '_wall_=',
      `_wall_=${mine.id}`,
      `_wall_=${mine.id}.`,
      `_wall_=${other.id}.${signature}`,
      `${cookie}x`,
      cookie.slice(0, -1),
      `_wall_=${mine.token}`,
      `_wall_=${tokenOf('ann')}`,
      `_wall_=99999999999999999999.${signature}`,
    ]
    for (const guess of guesses) expect((await wall({ cookie: guess }))[0], guess).toBe(410)
    expect((await wall({ cookie: foreign }))[1].name).toBe('Other')
    for (const token of [
      '',
      'fdw_',
      `${mine.token}x`,
      mine.token.toLowerCase(),
      cookie.replace('_wall_=', ''),
      tokenOf('ann'),
    ])
      expect((await open(token)).status, token).toBe(410)
  })

  it('is not signed in by a page elsewhere', async () => {
    const { token } = await create('ann')
    expect((await open(token, { origin: 'https://evil.example' })).status).toBe(403)
    const headers = { origin: 'https://evil.example', Authorization: `Bearer ${tokenOf('ann')}` }
    expect((await open(token, headers)).headers.getSetCookie()).toEqual([])
  })
})

describe('what the link shows is what its maker may see at that moment', () => {
  let cookie: { cookie: string }
  beforeEach(async () => {
    const { db } = app.bench
    const api = await app.addRepo('acme', 'api')
    await setPermissions(
      db,
      { userId: await idOf('rae'), repoId: api.id },
      { read: true, write: false, admin: false },
      1,
    )
    cookie = await cookieOf((await create('rae', { repos: ['acme/api', 'acme/web'] })).token)
    expect(await slugs(cookie)).toEqual(['acme/api', 'acme/web'])
  })

  it('loses one repository, then all', async () => {
    const { db, repo } = app.bench
    await deletePermissions(db, await idOf('rae'), repo.id)
    expect(await slugs(cookie)).toEqual(['acme/api'])
    const [, listed] = await app.answer(links, { as: 'rae' })
    expect((listed as WallLink[])[0]?.repos, 'also in the list of links').toEqual(['acme/api'])
    await db
      .deleteFrom('perms')
      .where('perm_user_id', '=', await idOf('rae'))
      .execute()
    expect(await slugs(cookie)).toBe(410)
    await app.changeRepo({ visibility: 'internal' })
    expect(await slugs(cookie)).toEqual(['acme/web'])
    await app.changeRepo({ visibility: 'private' })
    expect(await slugs(cookie), 'made private again').toBe(410)
  })

  it('follows a renamed repository @system', async () => {
    const { db, repo } = app.bench
    await db
      .updateTable('repos')
      .set({ repo_uid: 'moved', repo_name: 'shop', repo_slug: 'acme/shop' })
      .where('repo_id', '=', repo.id)
      .execute()
    expect(await slugs(cookie)).toEqual(['acme/api', 'acme/shop'])
    // Another repository of the old name is not the one that was chosen.
    await app.addRepo('acme', 'web')
    expect(await slugs(cookie)).toEqual(['acme/api', 'acme/shop'])
  })

  it('ends with the account @system', async () => {
    await updateUser(app.bench.db, await idOf('rae'), { active: false })
    expect(await slugs(cookie)).toBe(410)
    await updateUser(app.bench.db, await idOf('rae'), { active: true })
    expect(await slugs(cookie)).toEqual(['acme/api', 'acme/web'])
    await app.answer('/api/users/rae', { as: 'boss', method: 'DELETE' })
    expect(await slugs(cookie)).toBe(410)
    expect(await app.bench.db.selectFrom('wall_links').selectAll().execute()).toEqual([])
  })
})

describe('an open wall', () => {
  const follow = async (headers: { cookie: string }) => {
    const response = await app.request('/api/wall/stream', { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    let text = ''
    const read = async (): Promise<boolean> => {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      text += decoder.decode(value)
      return !done
    }
    return {
      text: () => text,
      async until(wanted: string) {
        while (!text.includes(wanted)) if (!(await read())) throw new Error(`ended: ${text}`)
        text = ''
      },
      async untilEnded() {
        while (await read());
        return 'ended'
      },
      cancel: () => reader?.cancel(),
    }
  }
  const change = 'event: change\ndata: change\n\n'

  it('hears that something changed, and never what @system', async () => {
    const stream = await follow(await cookieOf((await create('rae')).token))
    await stream.until(': ping')
    await app.bench.push(app.bench.commit(pipelines({ default: '' }), 'secret words'), { message: 'secret words' })
    await stream.until(change)
    expect(stream.text()).not.toContain('secret')
    await stream.cancel()
  })

  it.each<[string, (link: CreatedWallLink) => Promise<unknown>]>([
    ['is revoked', (link) => app.answer(`${links}/${link.id}`, { as: 'rae', method: 'DELETE' })],
    ['expires', (link) => ((app.bench.clock.now = link.expires), expireWallLinks(app.bench.db, link.expires))],
    ['lost its maker', async () => updateUser(app.bench.db, await idOf('rae'), { active: false })],
    ['lost its repositories', async () => deletePermissions(app.bench.db, await idOf('rae'), app.bench.repo.id)],
    ['was revoked with all tokens', () => app.answer('/api/users/rae/invitation', { as: 'boss', method: 'POST' })],
  ])('ends at once when the link %s', async (_, act) => {
    const link = await create('rae', { expires: app.bench.clock.now + 60 })
    const cookie = await cookieOf(link.token)
    const stream = await follow(cookie)
    await stream.until(': ping')
    await act(link)
    expect(await stream.untilEnded()).toBe('ended')
    expect((await wall(cookie))[0]).toBe(410)
    expect((await app.request('/api/wall/stream', { headers: cookie })).status).toBe(410)
    expect((await open(link.token)).status).toBe(410)
  })
})

it('links that expired long ago are removed', async () => {
  const { now } = app.bench.clock
  await create('rae', { expires: now + 1 })
  await expireWallLinks(app.bench.db, now + 1)
  expect(((await app.answer(links, { as: 'rae' }))[1] as WallLink[]).length).toBe(1)
  await expireWallLinks(app.bench.db, now + 31 * 86_400)
  expect((await app.answer(links, { as: 'rae' }))[1]).toEqual([])
})
