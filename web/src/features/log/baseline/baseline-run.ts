/**
 * The last successful run of a step on its branch, found with Drone's own API: the builds of the
 * branch (else of the default branch), then that build's stages. At most three calls.
 */
import type { Build } from '@flightdeck/api'
import { buildsPerPage } from '@flightdeck/api/client'

import type { StepAddress } from '../step/step-address.ts'

/** The names of the failed step. */
export interface StepNames {
  stage: string
  step: string
}

export interface BaselineCalls {
  /** The builds of a branch, newest first. */
  listBranch: (branch: string, page: number) => Promise<readonly Build[]>
  getBuild: (number: number) => Promise<Build>
}

export type BaselineRun = Pick<StepAddress, 'build' | 'stage' | 'step'>

/** There is no baseline; the message says why. */
export class NoBaselineError extends Error {}

const heads = 'refs/heads/'

/**
 * The target branch of a pull request; a tag has none. Servers omit empty values, or write `null`.
 */
export const branchOf = (
  { event, ref, target }: Pick<Partial<Build>, 'event' | 'ref' | 'target'>,
  defaultBranch: string,
): string =>
  event === 'pull_request' && target ? target : ref?.startsWith(heads) ? ref.slice(heads.length) : defaultBranch

const isSuccessBefore =
  (number: number) =>
  (build: Build): boolean =>
    build.number < number && build.status === 'success'

/** The last successful build of the branch before this one, from builds in any order. */
export const lastSuccessful = (builds: readonly Build[], { number }: Build): Build | undefined => {
  const lastSuccess = builds.filter(isSuccessBefore(number))
  return lastSuccess.length === 0
    ? undefined
    : lastSuccess.reduce((newest, candidate) => (candidate.number > newest.number ? candidate : newest))
}

const findBuild = async (calls: BaselineCalls, build: Build, defaultBranch: string): Promise<Build> => {
  const branch = branchOf(build, defaultBranch)
  const newest = await calls.listBranch(branch, 1)
  const found = lastSuccessful(newest, build)
  if (found) return found
  // All of them are newer.
  const isOld = newest.length >= buildsPerPage && (newest.at(-1)?.number ?? 0) > build.number
  const older = isOld ? lastSuccessful(await calls.listBranch(branch, 2), build) : undefined
  if (older) return older
  const other = isOld || branch === defaultBranch ? undefined : await calls.listBranch(defaultBranch, 1)
  const elsewhere = other && lastSuccessful(other, build)
  if (elsewhere) return elsewhere
  const looked = branch === defaultBranch || isOld ? branch : `${branch} and ${defaultBranch}`
  throw new NoBaselineError(`No earlier successful run in the recent builds of ${looked}`)
}

export const findBaselineRun = async (
  calls: BaselineCalls,
  build: Build,
  names: StepNames,
  defaultBranch: string,
): Promise<BaselineRun> => {
  const { number } = await findBuild(calls, build, defaultBranch)
  const { stages } = await calls.getBuild(number)
  const stage = stages?.find(({ name }) => name === names.stage)
  const step = stage?.steps?.find(({ name }) => name === names.step)
  if (!stage || !step) throw new NoBaselineError(`The last successful run (#${number}) does not have this step`)
  if (step.status !== 'success')
    throw new NoBaselineError(`This step did not run in the last successful run (#${number})`)
  return { build: number, stage: stage.number, step: step.number }
}
