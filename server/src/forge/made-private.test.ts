/**
 * A repository that is made private at the forge is private here immediately, even in open streams.
 */
import type { Repo } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inTransaction } from '../store/open.ts'
import { repository } from '../testing/forge-bench.ts'
import { readEvents } from '../testing/event-reader.ts'
import { pipelines } from '../testing/test-bench.ts'
import { createTestApp, tokenOf, type Person, type TestApp } from '../testing/test-app.ts'
import { createDriver } from './drivers/index.ts'
import { storeRepository } from './rows.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ pingMs: 600_000, publicPages: true })
  app.bench.commit(pipelines({ default: '' }))
  await app.bench.db.updateTable('repos').set({ repo_forge: 1, repo_uid: '11' }).execute()
  await told('public')
  await app.bench.startBuild()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

/** The forge's visibility, as a hook, a sync or a rights check reports it. */
async function told(visibility: 'public' | 'internal' | 'private'): Promise<void> {
  const driver = await createDriver({ kind: 'gogs', url: 'https://git.example.com' })
  const at = repository('11', 'acme/web', { visibility })
  await inTransaction(app.bench.db, (tx) => storeRepository(tx, { driver, pathOf: String }, at, app.bench.clock.now))
}

async function listen(path: string, as?: Person) {
  const response = await app.request(path, as && { as })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader() ?? expect.fail('no body')
  await reader.read()
  return {
    /** Resolves when the server ends it. */
    async ended(): Promise<void> {
      while (!(await reader.read()).done);
    },
  }
}
/** The numbers of the builds in a client's events of `/api/stream`. */
async function hear(as?: Person) {
  const ask = async (path: string, init?: RequestInit) => app.app.request(path, init)
  const { data, state, leave } = await readEvents(ask, as && { Authorization: `Bearer ${tokenOf(as)}` })
  const numbers = () => data.map((text) => (JSON.parse(text) as Repo).build?.number)
  return { numbers, state, leave }
}
const badge = async () =>
  /(none|started)<\/text>/.exec((await app.answer('/api/badges/acme/web/status.svg'))[1] as string)?.[1]
const status = async (path: string, as?: Person) => (await app.request(path, as && { as })).status

/**
 * GitLab's external users, restricted users of Gitea: internal repositories are not shown to them.
 */
const setExternal = (login: Person, external: 0 | 1) =>
  app.bench.db.updateTable('users').set({ user_external: external }).where('user_login', '=', login).execute()

it.each([
  [undefined, 'private', 401],
  [undefined, 'internal', 401],
  ['otto', 'private', 404],
  ['otto, an external user,', 'internal', 404],
] as const)(
  'for %s when it becomes %s: pages, streams, badges, search and events',
  async (who, visibility, refused) => {
    const as = who === undefined ? undefined : 'otto'
    if (who?.includes('external') === true) await setExternal('otto', 1)
    const found = async () => JSON.stringify((await app.answer('/api/search?text=change', { as: as ?? 'otto' }))[1])
    const pages = ['', '/builds', '/builds/1', '/builds/branches', '/times'].map((rest) => `/api/repos/acme/web${rest}`)
    for (const page of pages) expect([page, await status(page, as)]).toEqual([page, 200])
    expect(await badge()).toBe('started')
    expect(await found()).toContain('acme')
    const streams = [await listen('/api/stream/acme/web', as)]
    const stranger = await hear(as)
    const member = await hear('ann')
    await app.bench.startBuild()
    await expect.poll(stranger.numbers).toContain(2)
    await told(visibility)
    for (const stream of streams) await stream.ended()
    for (const page of pages) expect([page, await status(page, as)]).toEqual([page, refused])
    expect(await badge()).toBe('none')
    if (as !== undefined || visibility === 'private') expect(await found()).not.toContain('acme')
    await app.bench.startBuild()
    await expect.poll(member.numbers).toContain(3)
    // The event after it is public again comes after all others.
    await told('public')
    await app.bench.startBuild()
    await expect.poll(stranger.numbers).toContain(4)
    expect(stranger.numbers()).not.toContain(3)
    expect([stranger.state(), member.state()]).toEqual(['open', 'open'])
    for (const reader of [stranger, member]) reader.leave()
  },
)

it('closes the badge that was opened while it was public', async () => {
  await app.changeRepo({ public_badge: true })
  expect(await badge()).toBe('started')
  await told('private')
  expect(await badge()).toBe('none')
  // An administrator can open it again: the setting then applies to the private repository.
  await app.changeRepo({ public_badge: true })
  await told('private')
  expect(await badge()).toBe('started')
})

it('ends what a person has open when the Git host makes that person external', async () => {
  await told('internal')
  const pages = ['/api/repos/acme/web', '/api/repos/acme/web/builds']
  for (const page of pages) expect([page, await status(page, 'otto')]).toEqual([page, 200])
  const stream = await listen('/api/stream/acme/web', 'otto')
  await setExternal('otto', 1)
  await stream.ended()
  for (const page of pages) expect([page, await status(page, 'otto')]).toEqual([page, 404])
  await setExternal('otto', 0)
  for (const page of pages) expect([page, await status(page, 'otto')]).toEqual([page, 200])
})
