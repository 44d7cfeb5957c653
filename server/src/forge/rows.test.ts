/** Repositories of the forge and the rights of people on them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MirrorError } from '../interfaces/mirrors.ts'
import { setForgeToken } from '../store/forge-accounts.ts'
import { findForgeRepo, findForgeRepoState } from '../store/forge-repos.ts'
import { findPermissions } from '../store/permissions.ts'
import { findRepo, findRepoBySlug, updateRepo } from '../store/repos.ts'
import { createOrgSecret, listOrgSecrets } from '../store/secrets.ts'
import { createNamedToken, ownerOfAnyToken } from '../people/access-tokens.ts'
import { createSession, findSession } from '../store/sessions.ts'
import { findUser } from '../store/users.ts'
import { openForgeBench, person, repository, type ForgeBench } from '../testing/forge-bench.ts'
import { ForgeError } from './driver.ts'
import { updateMirror } from './mirroring.ts'
import { asOwner } from './owners.ts'
import { startPoll } from './poll.ts'
import { startRights } from './rights.ts'
import { isAddressable } from './rows.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

describe('repositories', () => {
  it('are known by their ids: two that swap names swap nothing else', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web'), repository('12', 'acme/tool')]
    await bench.sync(ann)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    bench.world.repositories = [repository('11', 'acme/tool'), repository('12', 'acme/web')]
    await bench.sync(ann)
    expect(await findRepoBySlug(bench.db, 'acme/tool')).toMatchObject({ id: web.id, uid: '11' })
    expect(await findRepoBySlug(bench.db, 'acme/web')).toMatchObject({ uid: '12' })
  })

  it('that are gone take the right along, and a private one is private at once', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [
      repository('11', 'acme/web', { visibility: 'public' }),
      repository('12', 'group/sub/tool'),
    ]
    await bench.sync(ann)
    expect(await findRepoBySlug(bench.db, 'group/sub/tool')).toMatchObject({ namespace: 'group/sub', name: 'tool' })
    bench.world.clock += 10
    bench.world.repositories = [repository('11', 'acme/web', { visibility: 'private' })]
    await bench.sync(ann)
    const [web, tool] = [await findForgeRepo(bench.db, '11'), await findForgeRepo(bench.db, '12')]
    expect(web).toMatchObject({ private: true, visibility: 'private' })
    expect(await findPermissions(bench.db, ann.id, tool?.id ?? 0)).toBeNull()
  })

  it.each(['../etc', 'acme/..', 'api/web', 'acme/a b', 'acme/web.git', 'a//b', '/web', 'login/x', 'acme/%2e%2e'])(
    'called %s have no address here',
    (slug) => {
      expect(isAddressable(repository('11', slug))).toBe(false)
    },
  )

  it('act with the token of another administrator when the owner is gone', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.people.set('bob', person('2', 'bob'))
    const bob = await bench.signedIn('bob')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    await bench.sync(bob)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    const owned = await updateRepo(bench.db, { ...web, user_id: ann.id })
    bench.world.people.delete('ann')
    await setForgeToken(bench.db, ann.id, '')
    expect(await asOwner(bench.forge, owned, async ({ access }) => access)).toBe('bob')
    expect((await findRepo(bench.db, web.id))?.user_id).toBe(bob.id)
  })
})

describe('what a forge did not find', () => {
  it('takes no right away while the person still sees the repository', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    // Such as a commit: GitLab responds with 404 to a status of a deleted one.
    const lost = () => asOwner(bench.forge, web, () => Promise.reject(new ForgeError('not-found', 'No commit (404).')))
    await expect(lost()).rejects.toThrow('No commit')
    expect(await findPermissions(bench.db, ann.id, web.id)).toMatchObject({ admin: true })
    bench.world.isDown = true
    await expect(lost()).rejects.toThrow('No commit')
    expect(await findPermissions(bench.db, ann.id, web.id)).toMatchObject({ admin: true })
    bench.world.isDown = false
    bench.world.hidden.add('ann')
    await expect(lost()).rejects.toThrow('No commit')
    expect(await findPermissions(bench.db, ann.id, web.id)).toBeNull()
  })
})

describe('rights that were taken away', () => {
  it('end here at the next check, and so do the sessions of people that the forge no longer knows', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    await createSession(bench.db, {
      hash: 'of ann',
      user_id: ann.id,
      created: bench.world.clock,
      expires: bench.world.clock + 1000,
    })
    const rights = startRights(bench.forge, async () => true)
    await rights.recheck(ann.id, web.id)
    expect(await findPermissions(bench.db, ann.id, web.id)).toMatchObject({ admin: true })
    bench.world.repositories = []
    await rights.recheck(ann.id, web.id)
    expect(await findPermissions(bench.db, ann.id, web.id)).toBeNull()
    expect(await findSession(bench.db, 'of ann', bench.world.clock)).not.toBeNull()
    bench.world.people.clear()
    await rights.recheck(ann.id, web.id)
    expect(await findSession(bench.db, 'of ann', bench.world.clock)).toBeNull()
    await rights.stop()
  })
})

it('a repository that the forge no longer has says so in the settings and to the person who fetches it', async () => {
  const ann = await bench.signedIn('ann')
  bench.world.repositories = [repository('11', 'acme/web')]
  await bench.sync(ann)
  const web = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
  bench.world.repositories = []
  const poll = startPoll(bench.forge, () => undefined)
  await expect(poll.now(web)).rejects.toThrow(/^Gitea no longer has acme\/web/)
  await poll.stop()
  const state = await findForgeRepoState(bench.db, web.id)
  expect(state).toMatchObject({
    isRemoved: true,
    mirrorError: expect.stringMatching(/no longer has acme\/web/) as string,
  })
})

/** The check of accounts that runs every half minute. */
async function checkAccounts(): Promise<void> {
  bench.world.clock += 200
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const rights = startRights(bench.forge, async () => true)
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  await rights.stop()
}

it('a person who becomes external at the forge, or no longer is, is so here at the next check', async () => {
  const ann = await bench.signedIn('ann')
  await createSession(bench.db, {
    hash: 'of ann',
    user_id: ann.id,
    created: bench.world.clock,
    expires: bench.world.clock + 10_000,
  })
  const seen = async () => {
    await checkAccounts()
    return (await findUser(bench.db, ann.id))?.external
  }
  expect(await seen()).toBeUndefined()
  const known = bench.world.people.get('ann') ?? expect.fail('nobody')
  bench.world.people.set('ann', { ...known, external: true })
  expect(await seen()).toBe(true)
  bench.world.people.set('ann', known)
  expect(await seen()).toBeUndefined()
})

it('a person who is external at the forge is so here from the first sign-in on, and as of each later one', async () => {
  const ann = bench.world.people.get('ann') ?? expect.fail('nobody')
  bench.world.people.set('ann', { ...ann, external: true })
  expect(await bench.signedIn('ann')).toMatchObject({ external: true })
  bench.world.people.set('ann', ann)
  expect((await bench.signedIn('ann')).external).toBeUndefined()
  bench.world.people.set('ann', { ...ann, external: true })
  expect(await bench.signedIn('ann')).toMatchObject({ external: true })
})

describe('an invalid token', () => {
  it('behind which the forge sees another person, signs out its owner and ends their named tokens', async () => {
    const ann = await bench.signedIn('ann')
    const { token } = await createNamedToken(bench.db, ann, { name: 'script', expires: 0 }, bench.world.clock)
    const session = { hash: 'of ann', user_id: ann.id, created: bench.world.clock }
    await createSession(bench.db, { ...session, expires: bench.world.clock + 10_000 })
    const look = async () => {
      await checkAccounts()
      return findSession(bench.db, 'of ann', bench.world.clock)
    }
    expect(await look()).not.toBeNull()
    expect(await ownerOfAnyToken(bench.db, token, bench.world.clock)).toMatchObject({ user: {} })
    bench.world.people.set('ann', person('66', 'ann'))
    expect(await look()).toBeNull()
    expect(await ownerOfAnyToken(bench.db, token, bench.world.clock)).toEqual({ user: null })
  })

  it('that cannot be refreshed is reported once, not at every check', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const found = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    const web = await updateRepo(bench.db, { ...found, user_id: ann.id })
    await setForgeToken(bench.db, ann.id, bench.forge.tokens.seal({ access: 'dead' }))
    bench.world.logged.length = 0
    const fetch = () => Promise.reject(new MirrorError('Authentication failed', true))
    const forge = { ...bench.forge, mirrors: { ...bench.forge.mirrors, fetch } }
    for (let count = 0; count < 3; count += 1) await updateMirror(forge, web).catch(() => undefined)
    expect(bench.world.logged).toHaveLength(1)
    expect(bench.world.logged[0]).toContain('sign in again')
    expect((await findForgeRepoState(bench.db, web.id))?.mirrorError).toContain('sign in again')
  })
})

describe('secrets of an organisation', () => {
  const namesOf = async (namespace: string) => (await listOrgSecrets(bench.db, namespace)).map(({ name }) => name)

  it('follow it when it is renamed, and stay away from another one that takes the name', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'Acme/web', { namespaceId: '70' })]
    await bench.sync(ann)
    await createOrgSecret(bench.db, 'acme', { name: 'key', data: '1' })
    bench.world.repositories = [
      repository('11', 'acme-old/web', { namespaceId: '70' }),
      repository('12', 'acme/web', { namespaceId: '71' }),
    ]
    await bench.sync(ann)
    expect([await namesOf('acme-old'), await namesOf('acme')]).toEqual([['key'], []])
  })

  it('of one that is gone are kept aside, and come back with it', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web', { namespaceId: '70' })]
    await bench.sync(ann)
    await createOrgSecret(bench.db, 'acme', { name: 'key', data: '1' })
    bench.world.repositories = [repository('12', 'ACME/tool', { namespaceId: '71' })]
    await bench.sync(ann)
    expect([await namesOf('acme'), await namesOf('ACME~70')]).toEqual([[], ['key']])
    bench.world.repositories = [repository('11', 'acme-two/web', { namespaceId: '70' })]
    await bench.sync(ann)
    expect(await namesOf('acme-two')).toEqual(['key'])
  })

  it('survive a change of upper and lower case', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web', { namespaceId: '70' })]
    await bench.sync(ann)
    await createOrgSecret(bench.db, 'acme', { name: 'key', data: '1' })
    bench.world.repositories = [repository('11', 'Acme/web', { namespaceId: '70' })]
    await bench.sync(ann)
    expect(await namesOf('acme')).toEqual(['key'])
  })
})
