/**
 * The lines of the last successful run, on servers that don't provide them: fetched on demand from
 * its saved log.
 */
import { ApiError, type Build } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { client } from '../../../api/client.ts'
import { flattenBuilds, queryOf, type BuildsPage } from '../../../api/queries.ts'
import { errorText, isStatus, queryClient } from '../../../api/query-client.ts'
import { comparedKey, type Baseline } from './known-lines.ts'
import { querySavedLog, type SavedLogEnvironment } from '../source/query-saved-log.ts'
import type { StepAddress } from '../step/step-address.ts'
import {
  branchOf,
  findBaselineRun,
  lastSuccessful,
  NoBaselineError,
  type BaselineRun,
  type StepNames,
} from './baseline-run.ts'

/**
 * The maximum size of the decoded response. Drone's runners keep 5 MiB of a step, which are ten
 * with the JSON around each line.
 */
const maxBytes = 64 << 20

export interface CompareOptions {
  address: StepAddress
  /** Undefined while unknown. */
  build: Build | undefined
  names: StepNames
  /** Reports the run, once known, and how much of its log has been received. */
  onProgress: (progress: Progress) => void
}

export interface Progress {
  build: number
  bytes: number
}

const defaultBranchOf = ({ namespace, name }: StepAddress, build: Build): string =>
  queryClient.getQueryData(queryOf('getRepo', namespace, name).queryKey)?.default_branch || build.target

const readPrint = async (
  address: StepAddress,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
  environment?: SavedLogEnvironment,
): Promise<Uint8Array> => {
  const run = `The log of the last successful run (#${address.build})`
  const answerOf = (message: { type: string; ok?: boolean; known?: Uint8Array }): Uint8Array | 'broken' | undefined =>
    message.type === 'saved' && message.ok === false ? 'broken' : message.type === 'print' ? message.known : undefined
  const question = { type: 'print', id: 1 } as const
  try {
    const print = await querySavedLog({ address, maxBytes, question, answerOf, onBytes }, signal, environment)
    if (print === undefined) throw new NoBaselineError(`${run} is too long to compare`)
    if (print === 'broken') throw new NoBaselineError(`${run} could not be read completely`)
    return print
  } catch (error) {
    if (isStatus(error, 404)) throw new NoBaselineError(`${run} is no longer stored`)
    throw error instanceof ApiError ? new NoBaselineError(`${run} could not be loaded: ${errorText(error)}`) : error
  }
}

/** Runs only on request. When canceled, it aborts pending requests and stores nothing. */
export const comparedQuery = ({ address, build, names, onProgress }: CompareOptions) =>
  queryOptions({
    queryKey: comparedKey(address),
    queryFn: async ({ signal }): Promise<Baseline> => {
      if (!build) throw new NoBaselineError('Unknown build')
      const { namespace, name } = address
      const calls = {
        listBranch: (branch: string, page: number) => client.listBranchBuilds(namespace, name, branch, page),
        getBuild: (number: number) => client.getBuild(namespace, name, number),
      }
      const run = await findBaselineRun(calls, build, names, defaultBranchOf(address, build))
      signal.throwIfAborted()
      const notify = (bytes: number): void => onProgress({ build: run.build, bytes })
      notify(0)
      return { ...run, print: await readPrint({ ...address, ...run }, notify, signal) }
    },
    staleTime: Infinity,
    structuralSharing: false,
    enabled: false,
  })

/** The baseline run, as far as the cached build lists show. */
export const loadedBaseline = (address: StepAddress, build: Build): BaselineRun['build'] | undefined => {
  const { namespace, name } = address
  const branch = branchOf(build, defaultBranchOf(address, build))
  const lists = queryClient.getQueriesData<{ pages: BuildsPage[] }>({ queryKey: ['listBuilds', namespace, name] })
  const seen = lists.flatMap(([, data]) => (data ? flattenBuilds(data.pages) : []))
  return lastSuccessful(
    seen.filter(({ ref }) => ref === `refs/heads/${branch}`),
    build,
  )?.number
}
