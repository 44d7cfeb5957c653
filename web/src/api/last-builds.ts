/**
 * The last builds of visible repositories: one cache entry per repository, one request for all that
 * become visible together.
 */
import type { LastBuild, Repo } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { keyOf } from './keys.ts'
import { ownClient } from './own-client.ts'

/** The server's limit per request. */
const maxRepos = 100
/** Rows that become visible within this time share a request. */
const gatherMs = 50

type Builds = LastBuild[]
interface Wanted {
  id: number
  resolve: (builds: Builds) => void
  reject: (error: unknown) => void
}

let requested: Wanted[] = []

const readTogether = async (all: readonly Wanted[]): Promise<void> => {
  try {
    const repos = await ownClient.listLastBuilds({ repos: [...new Set(all.map(({ id }) => id))].join() })
    const byId = new Map(repos.map(({ id, builds }) => [id, builds]))
    for (const { id, resolve } of all) resolve(byId.get(id) ?? [])
  } catch (error) {
    for (const { reject } of all) reject(error)
  }
}

const send = (): void => {
  const all = requested
  requested = []
  for (let from = 0; from < all.length; from += maxRepos) void readTogether(all.slice(from, from + maxRepos))
}

const read = (id: number): Promise<Builds> =>
  new Promise((resolve, reject) => {
    if (requested.length === 0) setTimeout(send, gatherMs)
    requested.push({ id, resolve, reject })
  })

export const lastBuildsQuery = ({ id, namespace, name }: Pick<Repo, 'id' | 'namespace' | 'name'>) =>
  queryOptions({ queryKey: keyOf('listLastBuilds', namespace, name), queryFn: () => read(id) })
