/** The lines of a step's last successful run: a new line is more likely to explain a failure. */
import { queryOptions } from '@tanstack/react-query'

import { ownClient } from '../../../api/own-client.ts'
import { isStatus, queryClient } from '../../../api/query-client.ts'
import { hasCapability } from '../../../api/capabilities.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { BaselineRun } from './baseline-run.ts'

/** How long the error lines wait for it: for a very long log the server needs seconds, once. */
const maxWaitMs = 400

/** The step's last successful run, and the fingerprint of its log. */
export interface Baseline extends BaselineRun {
  print: Uint8Array
}

const keyOf = (what: string, { namespace, name, build, stage, step }: StepAddress) =>
  [what, namespace, name, build, stage, step] as const

/** `null` if no successful run is known. Flightdeck only. */
export const knownQuery = (address: StepAddress) =>
  queryOptions({
    queryKey: keyOf('known lines', address),
    queryFn: async (): Promise<Baseline | null> => {
      const { namespace, name, build, stage, step } = address
      try {
        const known = await ownClient.getKnownLines(namespace, name, build, stage, step)
        if (!known) return null
        const { lines, ...run } = known
        return { ...run, print: Uint8Array.from(atob(lines), (char) => char.charCodeAt(0)) }
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
    staleTime: Infinity,
    structuralSharing: false,
  })

/** The cached result of a comparison on other servers (`baseline/compare.ts`). */
export const comparedKey = (address: StepAddress) => keyOf('compared lines', address)

/** Undefined if unknown or not yet loaded: then lines are ranked by their text alone. */
export const knownLines = async (address: StepAddress): Promise<Uint8Array | undefined> => {
  if (!hasCapability('known_lines')) return queryClient.getQueryData<Baseline>(comparedKey(address))?.print
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, maxWaitMs))
  const response = queryClient.fetchQuery(knownQuery(address)).catch(() => null)
  return (await Promise.race([response, late]))?.print
}
