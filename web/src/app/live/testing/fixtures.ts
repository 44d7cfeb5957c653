/** A repository, its builds and their events, for the tests of the merge. */
import type { Build, LastBuild, Repo, RepoWithBuild, Stage, Status, Step } from '@flightdeck/api'

import type { BuildsPage } from '../../../api/queries.ts'
import { isOf, type BuildEventMessage } from '../merge-lists.ts'
import { merges, type IsKnown } from '../merge.ts'

export type { BuildEventMessage }

export const step = (number: number, status: Status, version: number): Step => ({
  id: 500 + number,
  step_id: 140,
  number,
  name: `step-${number}`,
  status,
  exit_code: 0,
  version,
})

export const stage = (number: number, status: Status, version: number, steps?: Step[]): Stage => ({
  id: 140 + number,
  repo_id: 7,
  build_id: 90,
  number,
  name: `stage-${number}`,
  status,
  errignore: false,
  exit_code: 0,
  os: 'linux',
  arch: 'amd64',
  started: 0,
  stopped: 0,
  created: 1,
  updated: 1,
  version,
  on_success: true,
  on_failure: false,
  ...(steps && { steps }),
})

export const build = (number: number, status: Status, version: number, more: Partial<Build> = {}): Build => ({
  id: 90 + number,
  repo_id: 7,
  trigger: '@hook',
  number,
  status,
  event: 'push',
  action: '',
  link: '',
  timestamp: 0,
  message: 'fix',
  before: '',
  after: 'b0b0b0b0',
  ref: 'refs/heads/main',
  source_repo: '',
  source: 'main',
  target: 'main',
  author_login: 'ann',
  author_name: 'Ann',
  author_email: '',
  author_avatar: '',
  sender: 'ann',
  started: 0,
  finished: 0,
  created: 1_000 + number,
  updated: 1_000,
  version,
  ...more,
})

export const permissions = { read: true, write: true, admin: false }

export const repo = (version: number, more: Partial<Repo> = {}): Repo => ({
  id: 7,
  uid: '55',
  user_id: 2,
  namespace: 'acme',
  name: 'web',
  slug: 'acme/web',
  scm: '',
  git_http_url: '',
  git_ssh_url: '',
  link: '',
  default_branch: 'main',
  private: true,
  visibility: 'private',
  active: true,
  config_path: '.drone.yml',
  trusted: false,
  protected: false,
  ignore_forks: false,
  ignore_pull_requests: false,
  auto_cancel_pull_requests: false,
  auto_cancel_pushes: false,
  auto_cancel_running: false,
  timeout: 60,
  counter: 1,
  synced: 0,
  created: 0,
  updated: 0,
  version,
  archived: false,
  ...more,
})

export const event = (of: Repo, changed: Build): BuildEventMessage => ({ ...of, build: changed })
export const other = repo(1, { id: 8, namespace: 'acme', name: 'api', slug: 'acme/api', build: build(4, 'success', 9) })

type Named<E> = { endpoint: E; namespace: string; name: string }
/** A cache entry: the endpoint's name, its parameters, its data. */
export type Entry =
  | { endpoint: 'listRepos'; data: Repo[] }
  | { endpoint: 'listRecent'; data: RepoWithBuild[] }
  | (Named<'getRepo'> & { data: Repo })
  | (Named<'listBuilds'> & { data: BuildsPage[] })
  | (Named<'getBuild'> & { number: number; data: Build })
  | (Named<'listLastBuilds'> & { data: LastBuild[] })
  | (Named<'listBranches' | 'listDeployments' | 'listPulls'> & { data: Build[] })
export type Cache = readonly Entry[]

const mergeEntry = (entry: Entry, events: readonly BuildEventMessage[], isKnown: IsKnown): Entry => {
  switch (entry.endpoint) {
    case 'listRepos':
      return { ...entry, data: merges.listRepos(entry.data, [], events, isKnown) }
    case 'listRecent':
      return { ...entry, data: merges.listRecent(entry.data, [], events, isKnown) }
    case 'getRepo':
      return { ...entry, data: merges.getRepo(entry.data, [entry.namespace, entry.name], events, isKnown) }
    case 'listBuilds': {
      const kept = { pages: entry.data, pageParams: entry.data.map((_, index) => index + 1) }
      return { ...entry, data: merges.listBuilds(kept, [entry.namespace, entry.name], events, isKnown).pages }
    }
    case 'getBuild':
      return {
        ...entry,
        data: merges.getBuild(entry.data, [entry.namespace, entry.name, entry.number], events, isKnown),
      }
    case 'listLastBuilds':
      return { ...entry, data: merges.listLastBuilds(entry.data, [entry.namespace, entry.name], events, isKnown) }
    case 'listBranches':
    case 'listDeployments':
    case 'listPulls':
      return { ...entry, data: merges[entry.endpoint](entry.data, [entry.namespace, entry.name], events, isKnown) }
  }
}

/**
 * Passes a whole cache through the merge table. Unchanged entries, and an unchanged cache, are the
 * same objects.
 */
export const mergeEvents = (cache: Cache, events: readonly BuildEventMessage[]): Cache => {
  const isKnown: IsKnown = (event) =>
    cache.some((entry) => entry.endpoint === 'listRepos' && entry.data.some((known) => isOf(known, event)))
  const merged = cache.map((entry) => {
    const after = mergeEntry(entry, events, isKnown)
    return after.data === entry.data ? entry : after
  })
  return merged.every((entry, index) => entry === cache[index]) ? cache : merged
}

/** The merged entry of a cache with a single entry. */
export const only = <E extends Entry>(entry: E, ...events: BuildEventMessage[]): E =>
  mergeEvents([entry], events)[0] as E
