/** What steps call `origin`, and whom they are at the forge. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setForgeToken } from '../store/forge-accounts.ts'
import { findForgeRepo } from '../store/forge-repos.ts'
import { updateRepo } from '../store/repos.ts'
import {
  hookRepository,
  openForgeBench,
  person,
  pullRequest,
  repository,
  shaOf,
  type ForgeBench,
} from '../testing/forge-bench.ts'
import { pullRequestHook } from './events-to-builds.ts'
import { findForgeOrigin } from './runner-access.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => {
  vi.restoreAllMocks()
  return bench.close()
})

describe('a pull request', () => {
  const event = {
    ...pullRequest,
    action: 'opened',
    target: 'main',
    repository: hookRepository,
  } as const

  it('of a fork never goes by the name of the repository itself, and gets no token', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    expect(pullRequestHook(event, web, shaOf('c'), '').sourceRepo).toBe('acme/web')
    // A fork whose owner has taken over the name, and a deleted one.
    for (const sourceRepository of ['ACME/web', '']) {
      const { sourceRepo = '' } = pullRequestHook({ ...event, fork: true, sourceRepository }, web, shaOf('c'), '')
      expect(sourceRepo).toBe('unknown/fork')
    }
    const build = { event: 'pull_request', number: 1, source_repo: 'eve/web' } as Parameters<typeof findForgeOrigin>[1]
    expect(await findForgeOrigin(bench.forge, build, web)).toBe('mirror')
    const own = await findForgeOrigin(bench.forge, { ...build, source_repo: 'acme/web' }, web)
    expect(own).toEqual({
      url: 'https://git.example.com/acme/web.git',
      netrc: { machine: 'git.example.com', login: 'ann', password: 'x-oauth-basic' },
    })
    expect(await findForgeOrigin(bench.forge, build, { ...web, private: false })).toMatchObject({ netrc: null })
  })
})

describe('the credential of a build', () => {
  const build = { event: 'push', number: 1, source_repo: '' } as Parameters<typeof findForgeOrigin>[1]

  const activated = async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    return updateRepo(bench.db, { ...web, user_id: ann.id })
  }

  it('is refreshed when the forge does not take it, however long its clock says', async () => {
    const web = await activated()
    // Revoked before its time; the refresh token still works.
    const ann = bench.world.people.get('ann') ?? expect.fail('nobody')
    bench.world.people.delete('ann')
    bench.world.people.set('renewed', ann)
    const origins = await Promise.all([
      findForgeOrigin(bench.forge, build, web),
      findForgeOrigin(bench.forge, build, web),
    ])
    for (const origin of origins) expect(origin).toMatchObject({ netrc: { login: 'renewed' } })
    expect(bench.world.refreshes).toEqual(['refresh of ann'])
  })

  it('is another administrator’s when the owner has lost the repository', async () => {
    const web = await activated()
    bench.world.people.set('bob', person('2', 'bob'))
    await bench.sync(await bench.signedIn('bob'))
    bench.world.hidden.add('ann')
    expect(await findForgeOrigin(bench.forge, build, web)).toMatchObject({ netrc: { login: 'bob' } })
  })

  it('opens the repository by its current name, if another one has taken its name', async () => {
    const web = await activated()
    bench.world.repositories = [repository('11', 'acme/renamed'), repository('66', 'acme/web')]
    bench.forge.driver.repositoryByName = async (_token, { namespace, name }) =>
      bench.world.repositories.find((one) => one.namespace === namespace && one.name === name) ?? null
    expect(await findForgeOrigin(bench.forge, build, web)).toMatchObject({
      url: 'https://git.example.com/acme/renamed.git',
    })
  })

  it('is still given while the forge is down', async () => {
    const web = await activated()
    bench.world.isDown = true
    expect(await findForgeOrigin(bench.forge, build, web)).toMatchObject({ netrc: { login: 'ann' } })
  })
  it.each(['isDown', 'isHanging'] as const)('is the old one while it cannot be refreshed (%s)', async (how) => {
    const web = await activated()
    const soon = { access: 'ann', refresh: 'refresh of ann', expiresAtMs: Date.now() + 60_000 }
    await setForgeToken(bench.db, web.user_id, bench.forge.tokens.seal(soon))
    bench.world[how] = true
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    expect(await findForgeOrigin(bench.forge, build, web)).toMatchObject({ netrc: { login: 'ann' } })
  })
})
