/** Actions on a repository's connection to its forge (Flightdeck only, docs/api/forge.md). */
import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { keyOf } from '../keys.ts'
import { queryClient } from '../query-client.ts'
import type { RepoAddress } from './builds.ts'

const act = (
  repo: RepoAddress,
  call: 'repairRepo' | 'fetchMirror',
  words: Pick<Action<void, unknown>, 'done' | 'failed'>,
) => {
  const queryKey = keyOf('getRepoConnection', repo.namespace, repo.name)
  return {
    name: call,
    subject: `connection ${repo.namespace}/${repo.name}`,
    send: async () => {
      try {
        return await ownClient[call](repo.namespace, repo.name)
      } finally {
        // The connection also shows a failure.
        void queryClient.invalidateQueries({ queryKey })
      }
    },
    ...words,
  } satisfies Action<void, unknown>
}

/** Installs the webhook again and reads name, privacy and commits. */
export const repairConnection = (repo: RepoAddress): Action<void, unknown> =>
  act(repo, 'repairRepo', { done: 'The connection has been repaired', failed: 'Unable to repair the connection' })

export const fetchMirror = (repo: RepoAddress): Action<void, unknown> =>
  act(repo, 'fetchMirror', { done: 'The repository has been fetched', failed: 'Unable to fetch the repository' })
