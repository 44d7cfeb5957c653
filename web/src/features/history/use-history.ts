import type { StepHistory } from '@flightdeck/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { ownClient } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { keyOf } from '../../api/keys.ts'
import { buildsQuery, flattenBuilds, queryOf } from '../../api/queries.ts'
import { passedWith, runsOf } from './from-builds.ts'

export interface FailedAt {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

const useSources = ({ namespace, name, build: number }: FailedAt) => {
  const own = useCapability('step_history')
  const { data: build } = useQuery({ ...queryOf('getBuild', namespace, name, number), enabled: false })
  const { data: stats, isPending } = useQuery({
    // The error line is found a moment after the step fails: then this is read again.
    queryKey: [...keyOf('getBuildHistory', namespace, name, number), build?.cause !== undefined],
    queryFn: () => ownClient.getBuildHistory(namespace, name, number),
    placeholderData: (before) => before,
    enabled: own && build !== undefined,
  })
  const { data: pages } = useInfiniteQuery({ ...buildsQuery(namespace, name), enabled: false })
  return { own, build, stats, pages, isPending: own && isPending }
}

/**
 * On Flightdeck's own server, the step's history. On other servers, only what already fetched build
 * lists show, which is about whole builds.
 */
export const useHistory = (at: FailedAt): Partial<StepHistory> => {
  const { own, build, stats, pages } = useSources(at)
  if (own) return stats?.steps.find((candidate) => candidate.stage === at.stage && candidate.step === at.step) ?? {}
  const runs = build && pages && runsOf(flattenBuilds(pages.pages), build)
  return runs ? { runs } : {}
}

export interface SameCommit {
  /** The other build in which the step passed; with other servers only the build is known. */
  passed: { build: number; stage?: number; step?: number } | undefined
  isPending: boolean
}

/**
 * Whether the step passed in another build of the same commit with the same parameters: then no
 * commit broke it.
 */
export const useSameCommit = (at: FailedAt): SameCommit => {
  const { own, build, stats, pages, isPending } = useSources(at)
  if (own)
    return {
      passed: stats?.steps.find((candidate) => candidate.stage === at.stage && candidate.step === at.step)?.passed,
      isPending,
    }
  const lastSuccess = build && pages && passedWith(flattenBuilds(pages.pages), build)
  return { passed: lastSuccess && { build: lastSuccess.number }, isPending }
}
