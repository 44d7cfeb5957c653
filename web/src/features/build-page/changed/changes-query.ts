import type { Build, Repo, StepChanges } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { fixedQueryOf } from '../../../api/own-client.ts'
import { client } from '../../../api/client.ts'
import { queryOf } from '../../../api/queries.ts'
import { isStatus, queryClient } from '../../../api/query-client.ts'
import type { StepAddress } from '../../log/index.ts'
import { builtSince } from './built-since.ts'
import { differences, type Differences, type Run } from './differences.ts'

type Commit = NonNullable<StepChanges['commits']>[number] & {
  /** Its first build, if known. */
  build?: number
}

export interface Changes extends Omit<StepChanges, 'commits'> {
  commits?: Commit[]
  lastSuccess: Build
  differences: Differences
  /** The server does not list commits, so these are the commits with builds. */
  fromBuilds: boolean
}

export interface RequestedStep {
  at: StepAddress
  build: Build
  repo: Repo
  own: boolean
}

/** Only the repository's default branch is used. */
type StepRequest = Omit<RequestedStep, 'repo'> & { repo: Repo | undefined }

const runOf = (build: Build, stage: number | undefined, step: number | undefined): Run => {
  const found = build.stages?.find(({ number }) => number === stage)
  return { build, stage: found, step: found?.steps?.find(({ number }) => number === step) }
}

const readBuild = ({ namespace, name }: StepAddress, number: number): Promise<Build> =>
  queryClient.fetchQuery(queryOf('getBuild', namespace, name, number))

/** `null` if the step has never passed, or the server has no changes for it. */
const readChanges = async ({ namespace, name, build, stage, step }: StepAddress): Promise<StepChanges | null> => {
  try {
    return await queryClient.fetchQuery(fixedQueryOf('getStepChanges', namespace, name, build, stage, step))
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}

const ofOwn = async ({ at, build }: StepRequest): Promise<Changes | null> => {
  const answer = await readChanges(at)
  if (!answer) return null
  const lastSuccess = await readBuild(at, answer.since.build)
  const [before, now] = [runOf(lastSuccess, answer.since.stage, answer.since.step), runOf(build, at.stage, at.step)]
  return { ...answer, lastSuccess, differences: differences(before, now), fromBuilds: false }
}

/** Finds the step by name: in another build it can have another number. */
const numbersIn = (lastSuccess: Build, { stage, step }: { stage: string | undefined; step: string | undefined }) => {
  const found = lastSuccess.stages?.find(({ name }) => name === stage)
  return { stage: found?.number, step: found?.steps?.find(({ name }) => name === step)?.number }
}

const ofBuilds = async ({ at, build, repo }: StepRequest): Promise<Changes | null> => {
  const { namespace, name } = at
  const read = (branch: string, page: number) => client.listBranchBuilds(namespace, name, branch, page)
  const answer = await builtSince(read, build, repo?.default_branch)
  if (!answer) return null
  const lastSuccess = await readBuild(at, answer.lastSuccess.number)
  const stage = build.stages?.find(({ number }) => number === at.stage)
  const step = stage?.steps?.find(({ number }) => number === at.step)
  const numbers = numbersIn(lastSuccess, { stage: stage?.name, step: step?.name })
  return {
    since: {
      build: lastSuccess.number,
      stage: numbers.stage ?? 1,
      step: numbers.step ?? 1,
      ref: lastSuccess.ref,
      commit: lastSuccess.after,
    },
    commits: answer.commits,
    lastSuccess,
    differences: differences(runOf(lastSuccess, numbers.stage, numbers.step), runOf(build, at.stage, at.step)),
    fromBuilds: true,
  }
}

/** What differs since the step last passed; `null` if it never passed, as far as known. */
export const changesQuery = (request: StepRequest) => {
  const { namespace, name, build, stage, step } = request.at
  return queryOptions({
    queryKey: ['what changed', namespace, name, build, stage, step],
    queryFn: () => (request.own ? ofOwn(request) : ofBuilds(request)),
    // Data about earlier builds never changes.
    staleTime: Infinity,
    structuralSharing: false,
  })
}
