import type { User } from '@flightdeck/api'
import { afterEach, expect, test, vi } from 'vitest'

import { can, cronZone } from './capabilities.ts'

const page = (settings: object) => vi.stubGlobal('window', settings)
const user = (over: Partial<User>) => ({ login: 'ann', has_password: true, ...over }) as User

afterEach(() => void vi.unstubAllGlobals())

test('the server can do what it lists, and nothing else', () => {
  page({})
  expect(can(user({ capabilities: ['commits'] }), 'commits')).toBe(true)
  expect(can(user({ capabilities: ['commits'] }), 'search')).toBe(false)
  expect(can(user({ capabilities: [] }), 'commits')).toBe(false)
})

test('a server that lists none, such as Drone, has none, whatever other keys it sends', () => {
  page({})
  expect(can(user({}), 'commits')).toBe(false)
  expect(can(undefined, 'commits')).toBe(false)
  expect(cronZone(user({}))).toBeUndefined()
})

test('guests have the pages of a Flightdeck server only', () => {
  page({ flightdeckPublicPages: true })
  expect(can(undefined, 'commits')).toBe(true)
  expect(can(user({ capabilities: [] }), 'commits')).toBe(false)
})

test('cron jobs have the time zone of the page, or else UTC', () => {
  page({})
  expect(cronZone(user({ capabilities: ['cron_time_zone'] }))).toBe('UTC')
  page({ flightdeckTimeZone: 'Europe/Berlin' })
  expect(cronZone(user({ capabilities: ['cron_time_zone'] }))).toBe('Europe/Berlin')
})
