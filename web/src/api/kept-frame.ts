/**
 * Caches what the dashboard's initial frame (index.html) shows before any code has loaded: repository names and titles of the last
 * visit. It is stored with its user, whom the server names in the page (kept-user.ts), and updated with the list (kept-repos.ts).
 */
import type { Repo, User } from '@flightdeck/api'

import { keep } from '../browser/storage.ts'
import { paths } from '../lib/paths.ts'
import { recentRepos } from '../lib/repo-list.ts'
import { buildTitle } from '../lib/text.ts'
import { serverOrigin } from './client.ts'
import { personOf } from './person.ts'
import { aboutOf, addressOf } from './why.ts'

const name = 'kept-frame'

/** Where it leads, its name, its second line. */
type Words = readonly [href: string, slug: string, about: string]

const cardOf = ({ namespace, name, slug, build }: Repo): Words[] =>
  build ? [[addressOf(namespace, name, build), slug, buildTitle(build) || 'No message']] : []

const rowOf = (repo: Repo): Words => {
  const { namespace, name, slug, active } = repo
  return [active ? paths.repo(namespace, name) : paths.repoSettings(namespace, name), slug, aboutOf(repo)]
}

export const forgetFrame = (): void => {
  keep('local', name, undefined)
}

/** `sorted` as the list shows them; of these the top. */
export const keepFrame = (user: User, sorted: readonly Repo[], most: number): void => {
  const whose = `${personOf(user)} ${serverOrigin()}`
  const rows = sorted.slice(0, most).map(rowOf)
  keep('local', name, JSON.stringify({ whose, cards: recentRepos(sorted).flatMap(cardOf), rows }))
}
