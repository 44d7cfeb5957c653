/** Tokens of people: sealed, refreshed, forgotten. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findForgeAccount, setForgeToken } from '../store/forge-accounts.ts'
import { createSession, findSession } from '../store/sessions.ts'
import { openForgeBench, type ForgeBench } from '../testing/forge-bench.ts'
import { ForgeError, type ForgeToken } from './driver.ts'
import { NoToken } from './tokens.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

describe('tokens', () => {
  const give = async (token: ForgeToken): Promise<number> => {
    const ann = await bench.signedIn('ann')
    await setForgeToken(bench.db, ann.id, bench.forge.tokens.seal(token))
    return ann.id
  }

  it('are encrypted, refreshed once for concurrent calls, and saved', async () => {
    const id = await give({ access: 'old', refresh: 'first', expiresAtMs: Date.now() + 1_000 })
    const used = await Promise.all(
      Array.from({ length: 5 }, () => bench.forge.tokens.use(id, async ({ access }) => access)),
    )
    expect([used, bench.world.refreshes]).toEqual([Array.from({ length: 5 }, () => 'renewed'), ['first']])
    expect((await findForgeAccount(bench.db, id))?.token).not.toContain('renewed')
    expect(await bench.forge.tokens.validToken(id, 1_000)).toMatchObject({
      access: 'renewed',
      refresh: 'next after first',
    })
  })

  it('are refreshed after a 401, once', async () => {
    const id = await give({ access: 'old', refresh: 'first' })
    const call = async ({ access }: ForgeToken) => {
      if (access === 'old') throw new ForgeError('unauthorized', 'No.')
      return access
    }
    expect(await Promise.all([bench.forge.tokens.use(id, call), bench.forge.tokens.use(id, call)])).toEqual([
      'renewed',
      'renewed',
    ])
    expect(bench.world.refreshes).toEqual(['first'])
  })

  it('that live for a minute are not refreshed at each use, but before they end', async () => {
    const lifeMs = 60_000
    const id = await give({ access: 'old', refresh: 'first', expiresAtMs: Date.now() + lifeMs, lifeMs })
    const used = async () => bench.forge.tokens.use(id, async ({ access }) => access)
    expect([await used(), await used(), (await bench.forge.tokens.validToken(id, 45 * 60_000)).access]).toEqual([
      'old',
      'old',
      'old',
    ])
    await give({ access: 'old', refresh: 'first', expiresAtMs: Date.now() + lifeMs / 2, lifeMs })
    expect([await used(), bench.world.refreshes]).toEqual(['renewed', ['first']])
  })

  it('that cannot be refreshed now are used as they are', async () => {
    const id = await give({ access: 'old', refresh: 'first', expiresAtMs: Date.now() + 1_000 })
    bench.world.isDown = true
    expect(await bench.forge.tokens.use(id, async ({ access }) => access)).toBe('old')
    expect(await bench.forge.tokens.validToken(id, 60_000)).toMatchObject({ access: 'old' })
    // What the forge refuses says why it could not be refreshed.
    const refused = async () => Promise.reject(new ForgeError('unauthorized', 'No.'))
    await expect(bench.forge.tokens.use(id, refused)).rejects.toMatchObject({ failure: 'unavailable' })
    bench.world.isDown = false
    expect(await bench.forge.tokens.use(id, async ({ access }) => access)).toBe('renewed')
  })

  it('of a new sign-in survive the end of the old one', async () => {
    const id = await give({ access: 'old', refresh: 'dead', expiresAtMs: 1 })
    const asked = bench.forge.tokens.use(id, async ({ access }) => access)
    // The refresh is under way with the old token.
    await setForgeToken(bench.db, id, bench.forge.tokens.seal({ access: 'new' }))
    expect(await asked).toBe('new')
    expect(await bench.forge.tokens.validToken(id, 0)).toEqual({ access: 'new' })
  })

  it('that are dead are forgotten, and end the person’s sessions at once', async () => {
    const id = await give({ access: 'old', refresh: 'dead', expiresAtMs: 1 })
    await createSession(bench.db, { hash: 'of ann', user_id: id, created: 1, expires: 2 })
    await expect(bench.forge.tokens.use(id, async () => 'used')).rejects.toThrow(NoToken)
    expect((await findForgeAccount(bench.db, id))?.token).toBe('')
    expect(await findSession(bench.db, 'of ann', 1)).toBeNull()
  })
})
