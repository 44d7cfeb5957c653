/**
 * What a guest sees of a real Gogs, which may require sign-in. Runs where FLIGHTDECK_GOGS names the
 * program.
 */
import { afterEach, expect, it, vi } from 'vitest'
import { gogsProgram, startGogsWorld, type GogsWorld } from '../testing/gogs.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let world: GogsWorld | undefined
afterEach(() => world?.close())

it.skipIf(gogsProgram === undefined).each([
  ['requires sign-in', '[auth]\nREQUIRE_SIGNIN_VIEW = true', 401],
  ['shows public repositories to everyone', '', 200],
])('a public repository of a Gogs that %s', async (_, settings, forGuests) => {
  const environment = { FLIGHTDECK_PUBLIC_PAGES: 'true' }
  world = await startGogsWorld(gogsProgram ?? '', ['ann', 'bob'], { settings, environment })
  await world.forge.api('ann', 'POST', '/user/repos', {
    name: 'open',
    private: false,
    auto_init: true,
    readme: 'Default',
  })
  const ann = await world.enter('ann')
  await world.json(ann, '/api/user/repos', 'POST')
  await world.json(ann, '/api/repos/ann/open', 'POST')
  const statusFor = async (as: string) => (await world?.call(as, '/api/repos/ann/open'))?.status
  expect(await statusFor(await world.enter('bob'))).toBe(200)
  expect(await statusFor('')).toBe(forGuests)
})
