/**
 * Caches what the dashboard's initial frame (index.html) shows before any code has loaded:
 * repository names and titles of the last visit. It is stored with its user, whom the server names
 * in the page (cached-user.ts), and updated with the list (cached-repos.ts).
 */
import type { Repo, User } from '@flightdeck/api'

import { writeStored } from '../browser/storage.ts'
import { paths } from '../lib/paths.ts'
import { buildTitle } from '../lib/text.ts'
import { serverOrigin } from './client.ts'
import { personOf } from './person.ts'
import { rowSummaryOf, failureHrefOf } from './failure-reason.ts'

const name = 'kept-frame'

/** The link, the name and the second line of a row. */
type Words = readonly [href: string, slug: string, about: string]

const cardOf = ({ namespace, name, slug, build }: Repo): Words[] =>
  build ? [[failureHrefOf(namespace, name, build), slug, buildTitle(build) || 'No message']] : []

const rowOf = (repo: Repo): Words => {
  const { namespace, name, slug, active } = repo
  return [active ? paths.repo(namespace, name) : paths.repoSettings(namespace, name), slug, rowSummaryOf(repo)]
}

export const discardCachedFrame = (): void => {
  writeStored('local', name, undefined)
}

/** `listed`: the top of the list as shown; `recent`: the cards above it. */
export const cacheFrame = (user: User, listed: readonly Repo[], recent: readonly Repo[]): void => {
  const whose = `${personOf(user)} ${serverOrigin()}`
  writeStored('local', name, JSON.stringify({ whose, cards: recent.flatMap(cardOf), rows: listed.map(rowOf) }))
}
