/** Activates several repositories, one request each, since the API has no batch call. */
import type { Repo } from '@flightdeck/api'

import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { errorText, queryClient } from '../query-client.ts'
import { rememberRepo } from '../remember-repo.ts'

interface Activated {
  done: Repo[]
  /** Reasons, by slug. */
  failed: Map<string, string>
}

/** The number of parallel requests; for each one, the server reads a git repository. */
const atOnce = 4

async function activate(repos: readonly Repo[]): Promise<Activated> {
  const answer: Activated = { done: [], failed: new Map() }
  const queue = repos.values()
  const work = async () => {
    for (const repo of queue) {
      try {
        const activated = await client.enableRepo(repo.namespace, repo.name)
        answer.done.push(activated)
        rememberRepo(queryClient, repo, { ...activated, active: true })
      } catch (error) {
        answer.failed.set(repo.slug, errorText(error))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return answer
}

const words = (n: number): string => (n === 1 ? 'Repo has been successfully enabled' : `${n} repos have been enabled`)

export const activateSeveral: Action<readonly Repo[], Activated> = {
  name: 'activate',
  subject: 'inactive repositories',
  send: activate,
  done: ({ done }) => (done.length > 0 ? words(done.length) : undefined),
}
