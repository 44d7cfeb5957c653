import type { Build, LastBuild, Repo, RepoWithBuild, TopOfRepos } from '@flightdeck/api'
import type { InfiniteData } from '@tanstack/react-query'

import type { Reads } from '../../api/keys.ts'
import type { BuildsPage } from '../../api/queries.ts'
import { mergeBuild, mergeRepo } from './merge-entities.ts'
import {
  branchOf,
  inBuilds,
  inLatest,
  inRecent,
  inRepos,
  pullOf,
  targetOf,
  type BuildEventMessage,
} from './merge-lists.ts'

/** The queries that events update, with the type of their data. */
export interface LiveAnswers {
  listRepos: Repo[]
  listTop: TopOfRepos
  listRecent: RepoWithBuild[]
  getRepo: Repo
  listBuilds: InfiniteData<BuildsPage>
  listBranchBuilds: InfiniteData<BuildsPage>
  listCommitBuilds: Build[]
  listLastBuilds: LastBuild[]
  getBuild: Build
  listBranches: Build[]
  listDeployments: Build[]
  listPulls: Build[]
}
export type LiveEndpoint = keyof LiveAnswers

/**
 * Whether the repository of an event is one of the user's. Events neither add nor remove
 * repositories.
 */
export type IsKnown = (event: BuildEventMessage) => boolean

type MergeOne<E extends LiveEndpoint> = (
  data: LiveAnswers[E],
  parameters: Reads[E],
  event: BuildEventMessage,
  isKnown: IsKnown,
) => LiveAnswers[E]
type Merge<E extends LiveEndpoint> = (
  data: LiveAnswers[E],
  parameters: Reads[E],
  events: readonly BuildEventMessage[],
  isKnown: IsKnown,
) => LiveAnswers[E]

const oneByOne =
  <E extends LiveEndpoint>(merge: MergeOne<E>): Merge<E> =>
  (data, parameters, events, isKnown) =>
    events.reduce((merged, event) => merge(merged, parameters, event, isKnown), data)

/** For queries of one repository: ignores events about others. */
const ofRepo = <E extends LiveEndpoint>(
  merge: (data: LiveAnswers[E], event: BuildEventMessage, parameters: Reads[E]) => LiveAnswers[E],
): Merge<E> =>
  oneByOne((data, parameters, event) => {
    const [namespace, name] = parameters
    return event.namespace === namespace && event.name === name ? merge(data, event, parameters) : data
  })

const inPages = (data: InfiniteData<BuildsPage>, event: BuildEventMessage): InfiniteData<BuildsPage> => {
  const pages = inBuilds(data.pages, event)
  return pages === data.pages ? data : { ...data, pages }
}

const inList = (builds: Build[], event: BuildEventMessage, full: boolean): Build[] =>
  inBuilds([{ builds, full }], event)[0]?.builds ?? builds

/**
 * The merge table (architecture.md, flow 3): endpoint → (data, parameters, events) → data. Merges
 * events in order into all cached data. Pure: unchanged parts are returned as the same objects, so
 * that only changed components render.
 */
export const merges: { readonly [E in LiveEndpoint]: Merge<E> } = {
  // Merged together: each merge would copy a list of thousands.
  listRepos: (repos, _, events) => inRepos(repos, events),
  listTop: (top, _, events) => {
    const repos = inRepos(top.repos, events)
    return repos === top.repos ? top : { ...top, repos }
  },
  listRecent: oneByOne((recent, _, event, isKnown) => inRecent(recent, event, isKnown)),
  getRepo: ofRepo(mergeRepo),
  listBuilds: ofRepo(inPages),
  listBranchBuilds: ofRepo((data, event, [, , branch]) =>
    event.build.ref === `refs/heads/${branch}` ? inPages(data, event) : data,
  ),
  listCommitBuilds: ofRepo((builds, event, [, , sha]) =>
    event.build.after === sha ? inList(builds, event, false) : builds,
  ),
  // A build older than the known ones is not one of the last builds.
  listLastBuilds: ofRepo((builds, event) => inList(builds as Build[], event, true)),
  getBuild: ofRepo((build, event, [, , number]) =>
    event.build.number === number ? mergeBuild(build, event.build) : build,
  ),
  listBranches: ofRepo((builds, event) => inLatest(builds, event.build, branchOf)),
  listDeployments: ofRepo((builds, event) => inLatest(builds, event.build, targetOf)),
  listPulls: ofRepo((builds, event) => inLatest(builds, event.build, pullOf)),
}

export const isLive = (endpoint: unknown): endpoint is LiveEndpoint =>
  typeof endpoint === 'string' && Object.hasOwn(merges, endpoint)
