/**
 * Step durations on other servers come only from build details, one request per build: so only a
 * few builds, and only on request.
 */
import { isDone, type Build, type RepoTimes, type StepRun } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'

export const maxRead = 50
/** The number of parallel requests. */
const together = 4

/** The response that Flightdeck's own server would give for these builds. */
export const timesFrom = (branch: string, builds: readonly Build[]): RepoTimes => {
  const oldestFirst = builds.toSorted((a, b) => a.number - b.number)
  const steps = new Map<string, { stage: string; step: string; runs: StepRun[] }>()
  for (const build of oldestFirst)
    for (const stage of build.stages ?? [])
      for (const { name, status, started = 0, stopped = 0 } of stage.steps ?? []) {
        const counts = status === 'success' || status === 'failure' || status === 'error'
        if (!counts || started <= 0 || stopped < started) continue
        const key = JSON.stringify([stage.name, name])
        const known = steps.get(key) ?? { stage: stage.name, step: name, runs: [] }
        known.runs.push({ build: build.number, seconds: stopped - started, passed: status === 'success' })
        steps.set(key, known)
      }
  return {
    branch,
    builds: oldestFirst.map(({ number, after, created }) => ({ number, commit: after, created })),
    steps: [...steps.values()],
  }
}

/** The newest finished builds of the branch, each read once. */
export const readTimesQuery = (namespace: string, name: string, branch: string, listed: readonly Build[]) =>
  queryOptions({
    queryKey: ['times read', namespace, name, branch, listed.length],
    queryFn: async () => {
      const numbers = listed
        .filter((build) => build.ref === `refs/heads/${branch}` && isDone(build.status))
        .slice(0, maxRead)
        .map(({ number }) => number)
      const read: Build[] = []
      for (let at = 0; at < numbers.length; at += together)
        read.push(
          ...(await Promise.all(
            numbers
              .slice(at, at + together)
              .map((number) => queryClient.ensureQueryData(queryOf('getBuild', namespace, name, number))),
          )),
        )
      return timesFrom(branch, read)
    },
    staleTime: Infinity,
  })
