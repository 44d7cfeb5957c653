/**
 * What the server can do beyond Drone's API. It says so in `GET /api/user`; a Drone server does not, and the page then
 * shows only what all have.
 */
import type { Capability, User } from '@flightdeck/api'

import { userQuery } from './queries.ts'
import { queryClient } from './query-client.ts'
import { hasPublicPages, useMe } from './session.ts'

/** Guests have no capabilities in their data, but only Flightdeck has pages for guests. */
export const can = (user: User | undefined, capability: Capability): boolean =>
  user?.capabilities?.includes(capability) ?? hasPublicPages()

export const useCapability = (capability: Capability): boolean => can(useMe(), capability)

/** Outside of components: by what is known now. */
export const hasCapability = (capability: Capability): boolean =>
  can(queryClient.getQueryData(userQuery().queryKey), capability)

/** The time zone of cron jobs; `undefined` where the server does not say. */
export const cronZone = (user: User | undefined): string | undefined =>
  can(user, 'cron_time_zone') ? (window.flightdeckTimeZone ?? 'UTC') : undefined
