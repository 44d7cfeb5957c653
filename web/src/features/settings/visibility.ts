/** The users that can see a repository (specification §9, docs/api §2.0 level "read"). */
import type { Visibility } from '@flightdeck/api'

import { hasPublicPages } from '../../api/session.ts'

/**
 * Without `--public-pages`, guests get the sign-in page; the API responds to them as Drone's does.
 */
const toGuests = (): string =>
  hasPublicPages()
    ? 'Anyone, even without signing in'
    : 'Signed-in users. Without signing in: the API and badge only, no pages.'

export const visibilities = [
  { value: 'private', label: 'private', help: 'Only people with access to the repository' },
  { value: 'public', label: 'public', help: toGuests() },
  { value: 'internal', label: 'internal', help: 'Signed-in users' },
] as const satisfies readonly { value: Visibility; label: string; help: string }[]

/** Servers store any text (docs/api §2.3); for unknown values nothing is selected. */
export const isVisibility = (value: string): value is Visibility =>
  visibilities.some((choice) => choice.value === value)
