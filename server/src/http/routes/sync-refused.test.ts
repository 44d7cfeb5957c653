/**
 * A sync reports refused repositories to administrators; other users only see repositories that
 * they can read.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { testRepository } from '../../testing/test-repository.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit('kind: pipeline\n')
  const repos = join(app.bench.dir, 'repos')
  testRepository(join(repos, 'acme', 'bad näme')).commit({ a: '1' }, 'First')
  testRepository(join(repos, 'acme', 'WEB')).commit({ a: '1' }, 'First')
  mkdirSync(join(repos, 'acme', 'plain'))
  symlinkSync(join(repos, 'acme', 'web'), join(repos, 'acme', 'linked'))
})
afterAll(() => app.close())

const sync = (as: 'boss' | 'wes') => app.request('/api/user/repos', { as, method: 'POST' })

it('in the answer of the sync and of the account, by the names of the folders', async () => {
  const answer = await sync('boss')
  expect(await answer.json()).toMatchObject([{ slug: 'acme/web' }])
  const told = JSON.parse(answer.headers.get('X-Flightdeck-Sync-Refused') ?? '[]') as string[]
  const folders = told.map((text) => text.slice(0, text.indexOf(':'))).toSorted()
  // The repository that was used first stays in use, whatever is added next to it.
  expect(folders).toEqual(['acme/WEB', 'acme/bad näme', 'acme/linked', 'acme/plain'])
  const [, me] = await app.answer('/api/user', { as: 'boss' })
  expect(me).toMatchObject({ sync_refused: told })
  expect(told.find((text) => text.startsWith('acme/linked'))).toContain('which is a link')
})

it('to no other person, and no longer than it is true', async () => {
  const answer = await sync('wes')
  expect(answer.headers.has('X-Flightdeck-Sync-Refused')).toBe(false)
  expect((await app.answer('/api/user', { as: 'wes' }))[1]).not.toHaveProperty('sync_refused')
  for (const name of ['WEB', 'bad näme', 'plain', 'linked']) {
    rmSync(join(app.bench.dir, 'repos', 'acme', name), { recursive: true })
  }
  expect((await sync('boss')).headers.has('X-Flightdeck-Sync-Refused')).toBe(false)
  expect((await app.answer('/api/user', { as: 'boss' }))[1]).not.toHaveProperty('sync_refused')
})
