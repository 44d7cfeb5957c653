/**
 * What the server offers beyond Drone's API. Flightdeck lists it in `GET /api/user`; for a Drone
 * server, the page shows only what all servers have.
 */
import type { Capability, User } from '@flightdeck/api'

import { userQuery } from './queries.ts'
import { queryClient } from './query-client.ts'
import { hasPublicPages, useMe } from './session.ts'

/** Guests have no capabilities in their data, but only Flightdeck has pages for guests. */
export const can = (user: User | undefined, capability: Capability): boolean =>
  user?.capabilities?.includes(capability) ?? hasPublicPages()

export const useCapability = (capability: Capability): boolean => can(useMe(), capability)

/** For use outside of components; not reactive. */
export const hasCapability = (capability: Capability): boolean =>
  can(queryClient.getQueryData(userQuery().queryKey), capability)

/** The time zone of cron jobs; `undefined` if the server does not report it. */
export const cronZone = (user: User | undefined): string | undefined =>
  can(user, 'cron_time_zone') ? (window.flightdeckTimeZone ?? 'UTC') : undefined
