import type { Step } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { queryClient } from '../../../api/query-client.ts'
import { readStepCauses, type StepCauses } from '../source/step-causes.ts'
import { knownLines } from '../baseline/known-lines.ts'
import type { StepAddress } from '../step/step-address.ts'

/** The exit code of a failed step; undefined if it failed before its command ran. */
export const exitCodeOf = (step: Pick<Step, 'exit_code'> | undefined): number | undefined =>
  step?.exit_code || undefined

/** The error lines of a failed step. They never change, so they are cached indefinitely. */
export const causesQuery = (address: StepAddress, exitCode: number | undefined) => {
  const { namespace, name, build, stage, step } = address
  return queryOptions({
    queryKey: ['causes', namespace, name, build, stage, step],
    queryFn: async ({ signal }) => readStepCauses({ address, exitCode, known: await knownLines(address) }, signal),
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** Caches the error lines of a console, which has read the log anyway. */
export const cacheCauses = (address: StepAddress, causes: StepCauses): void => {
  queryClient.setQueryData(causesQuery(address, undefined).queryKey, causes)
}
