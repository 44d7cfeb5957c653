import { expect, it } from 'vitest'
import { DroneStand, type Licence } from '../testing/drone-stand.ts'
import { createLicence, flagsOf } from './licence.ts'
import { createUpstream } from './upstream.ts'

const now = Date.parse('2026-11-22T00:00:00Z')

it.each<[string, Licence, string]>([
  ['a trial', { seats: 0, repos: 0, expire_at: '0001-01-01T00:00:00Z' }, ''],
  ['one that holds', { seats: 5, seats_used: 5, expire_at: '2026-11-23T00:00:00Z' }, ''],
  ['one that ended', { seats: 5, seats_used: 9, expire_at: '2026-11-21T00:00:00Z' }, 'window.LICENSE_EXPIRED=true'],
  ['too many people', { seats: 5, seats_used: 6 }, 'window.LICENSE_LIMIT_EXCEEDED=true'],
  ['too many repositories', { repos: 1, repos_used: 2 }, 'window.LICENSE_LIMIT_EXCEEDED=true'],
  ['no number', { seats: '1', seats_used: '2', expire_at: '</script>' }, ''],
])('%s', (_what, licence, flags) => expect(flagsOf(licence, now)).toBe(flags))

it('is asked of the server at once, and a server that is down does no harm', async () => {
  const drone = await new DroneStand({ licence: { seats: 1, seats_used: 2 } }).listen()
  const { origin } = drone
  const upstream = createUpstream(origin)
  const flags = createLicence(upstream)
  await expect.poll(flags).toBe('window.LICENSE_LIMIT_EXCEEDED=true')
  expect(drone.requests).toEqual(['GET /varz'])
  drone.close()
  upstream.close()
  const down = createUpstream(origin)
  expect(createLicence(down)()).toBe('')
  down.close()
})
