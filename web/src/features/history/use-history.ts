import type { StepHistory } from '@flightdeck/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { historyQuery } from '../../api/own.ts'
import { buildsQuery, flattenBuilds, queryOf } from '../../api/queries.ts'
import { isOwnServer, useMe } from '../../api/session.ts'
import { runsOf } from './from-builds.ts'

export interface FailedAt {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

/**
 * Our own server tells of the step; of any other, only what a list of builds says that was read anyway, which is about whole
 * builds.
 */
export const useHistory = ({ namespace, name, build: number, stage, step }: FailedAt): Partial<StepHistory> => {
  const own = isOwnServer(useMe())
  const { data: build } = useQuery({ ...queryOf('getBuild', namespace, name, number), enabled: false })
  // The line that tells why is found some moments after the step has failed: then it is asked again.
  const known = build?.cause !== undefined
  const { data: told } = useQuery({
    ...historyQuery(namespace, name, number, known),
    placeholderData: (before) => before,
    enabled: own && build !== undefined,
  })
  const { data: pages } = useInfiniteQuery({ ...buildsQuery(namespace, name), enabled: false })
  if (own) return told?.steps.find((one) => one.stage === stage && one.step === step) ?? {}
  const runs = build && pages && runsOf(flattenBuilds(pages.pages), build)
  return runs ? { runs } : {}
}
