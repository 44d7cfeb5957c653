/** The OAuth callback, and the mapping of users to accounts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser, findUser, findUserByLogin, updateUser } from '../store/users.ts'
import { everybody, openForgeBench, person, signInOf, stateOf, type ForgeBench } from '../testing/forge-bench.ts'
import type { Admission } from './people.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

describe('the callback from the forge', () => {
  it.each([
    ['another state', (state: string, cookie: string) => ({ state: `${state}x`, cookie })],
    ['no state', (_state: string, cookie: string) => ({ state: '', cookie })],
    ['no cookie', (state: string) => ({ state, cookie: '' })],
    ['neither', () => ({ state: '', cookie: '' })],
    ['a cookie of its own making', (state: string) => ({ state, cookie: Buffer.from(state).toString('base64') })],
  ])('refuses %s', async (_what, change) => {
    const oauth = signInOf(bench.forge)
    const { url, cookie } = oauth.begin()
    const answer = { ...change(stateOf(url), cookie), code: 'ann' }
    expect(await oauth.finish(answer)).toMatchObject({
      refused: expect.stringContaining('was not started in this browser'),
    })
    expect(await findUserByLogin(bench.db, 'ann')).toBeNull()
  })

  it('refuses the cookie of another sign-in', async () => {
    const oauth = signInOf(bench.forge)
    const [mine, other] = [oauth.begin(), oauth.begin()]
    expect(await oauth.finish({ cookie: mine.cookie, state: stateOf(other.url), code: 'ann' })).toHaveProperty(
      'refused',
    )
  })

  it('finishes sign-ins of several tabs in any order, each once, whatever else arrives', async () => {
    const oauth = signInOf(bench.forge)
    const first = oauth.begin()
    const second = oauth.begin(first.cookie)
    const foreign = await oauth.finish({ cookie: second.cookie, state: 'made-up', code: 'ann' })
    expect(foreign).toHaveProperty('refused')
    const one = await oauth.finish({ cookie: foreign.cookie, state: stateOf(first.url), code: 'ann' })
    expect(one).toMatchObject({ user: { login: 'ann' } })
    expect(await oauth.finish({ cookie: one.cookie, state: stateOf(first.url), code: 'ann' })).toHaveProperty('refused')
    const other = await oauth.finish({ cookie: one.cookie, state: stateOf(second.url), code: 'ann' })
    expect(other).toMatchObject({ user: { login: 'ann' }, cookie: '' })
  })

  it('remembers the newest sign-ins of a browser only', async () => {
    const oauth = signInOf(bench.forge)
    const begun = [oauth.begin()]
    for (let times = 0; times < 20; times += 1) begun.push(oauth.begin(begun.at(-1)?.cookie))
    const { cookie = '' } = begun.at(-1) ?? {}
    expect(cookie.length).toBeLessThan(2_000)
    const states = begun.map(({ url }) => stateOf(url))
    expect(await oauth.finish({ cookie, state: states[0] ?? '', code: 'ann' })).toHaveProperty('refused')
    expect(await oauth.finish({ cookie, state: states[17] ?? '', code: 'ann' })).toHaveProperty('user')
  })
})

describe('identity', () => {
  it('identifies a person by the id, whatever the current login', async () => {
    const ann = await bench.signedIn('ann')
    bench.world.people.set('ann', person('1', 'anna'))
    expect(await bench.signedIn('ann')).toMatchObject({ id: ann.id, login: 'anna' })
  })

  it('creates a new account for a person with a reused login, without rights or administration', async () => {
    const ann = await bench.signedIn('ann', { ...everybody, admins: ['ann'] })
    expect(ann.admin).toBe(true)
    bench.world.people.set('thief', person('9', 'ann'))
    const thief = await bench.signedIn('thief', { ...everybody, admins: ['ann'] })
    expect(thief).toMatchObject({ login: 'ann', admin: false })
    expect(thief.id).not.toBe(ann.id)
    expect(await findUser(bench.db, ann.id)).toMatchObject({ login: 'ann-1', admin: true })
  })

  it('leaves an account of this server to its owner', async () => {
    const own = await createUser(bench.db, { login: 'ann', admin: true, created: 1, password: 'a hash' })
    expect(await bench.signedIn('ann')).toMatchObject({ login: 'ann-1', admin: false })
    expect(await findUser(bench.db, own.id)).toMatchObject({ login: 'ann', admin: true })
  })

  it('lets in members, invited people, or all', async () => {
    const members: Admission = { access: 'members', organizations: ['Acme'], admins: [] }
    expect(await bench.signIn('ann', members)).toBe('User must be a member of an approved organization')
    bench.world.organizations = ['acme']
    expect(await bench.signIn('ann', members)).toMatchObject({ login: 'ann' })
    bench.world.organizations = []
    expect(await bench.signIn('ann', members)).toBe('User must be a member of an approved organization')
    bench.world.people.set('bob', person('2', 'bob'))
    const invited: Admission = { access: 'invited', organizations: [], admins: [] }
    expect(await bench.signIn('bob', invited)).toBe('User registration is disabled')
    const waiting = await createUser(bench.db, { login: 'bob', created: 1 })
    expect(await bench.signIn('bob', invited)).toMatchObject({ id: waiting.id })
    await updateUser(bench.db, waiting.id, { active: false })
    expect(await bench.signIn('bob', invited)).toBe('Account is not active')
  })

  it('lets in a person whose own name is among those of the organizations, and refuses another person who takes that name over', async () => {
    const members: Admission = { access: 'members', organizations: ['acme', 'Bob'], admins: [] }
    bench.world.people.set('bob', person('2', 'bob'))
    const bob = await bench.signedIn('bob', members)
    bench.world.people.set('bob', person('2', 'robert'))
    const oauth = signInOf(bench.forge, members)
    expect(await oauth.isStillMember(bob.id)).toBe(true)
    bench.world.people.set('thief', person('9', 'bob'))
    expect(await bench.signIn('thief', members)).toBe('User must be a member of an approved organization')
    expect(await signInOf(bench.forge, { ...members, organizations: ['acme'] }).isStillMember(bob.id)).toBe(false)
  })
})
