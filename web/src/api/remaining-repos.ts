/**
 * Loads the rest of a long repository list whose top is already shown: in columns, and in parts
 * that the browser caches over HTTP, so that a later visit fetches only changed parts
 * (docs/decisions/repository-list.md).
 */
import { ApiError, type Repo, type TopOfRepos } from '@flightdeck/api'
import { areRepoColumns, unpackRepos } from '@flightdeck/api/repo-columns'

import { ownClient } from './own-client.ts'
import { client } from './client.ts'

/**
 * Browsers open six connections per host; the event stream uses one, and the user's own requests
 * must not wait.
 */
const concurrency = 3

/** The list changed between two parts; `readRemainingRepos` then loads it as a whole. */
class ListChanged extends Error {}

const readPart = async (list: string, part: number): Promise<Repo[]> => {
  const columns: unknown = await ownClient.listRepoColumns(String(part), { list })
  if (!Array.isArray(columns) || !columns.every(areRepoColumns)) throw new ListChanged()
  return columns.flatMap(unpackRepos)
}

const readParts = async ({ list, parts }: TopOfRepos): Promise<Repo[]> => {
  const found: Repo[][] = []
  let next = 0
  const readNextParts = async (): Promise<void> => {
    while (next < parts) {
      const part = next++
      found[part] = await readPart(list, part)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNextParts))
  return found.flat()
}

/**
 * All repositories, in the order of `GET /api/user/repos`. If the parts don't match, that call is
 * the fallback.
 */
export const readRemainingRepos = async (top: TopOfRepos): Promise<Repo[]> => {
  try {
    const repos = await readParts(top)
    if (repos.length === top.total) return repos
  } catch (error) {
    if (!(error instanceof ListChanged) && !(error instanceof ApiError && error.status === 404)) throw error
  }
  return client.listRepos({ latest: true })
}
