/** Which lines a step had when it last passed: a line that was never seen before tells more of a failure (issue 16, 1 b). */
import { client } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { userQuery } from '../../../api/queries.ts'
import { isOwnServer } from '../../../api/session.ts'
import type { StepAddress } from '../step-address.ts'

/** So long the way to the cause waits for it, in milliseconds: of a very long log it takes the server seconds, once. */
const patience = 400

const knownQuery = ({ namespace, name, build, stage, step }: StepAddress) => ({
  queryKey: ['known lines', namespace, name, build, stage, step],
  queryFn: async (): Promise<Uint8Array | null> => {
    try {
      const { lines } = await client.getKnownLines(namespace, name, build, stage, step)
      return Uint8Array.from(atob(lines), (char) => char.charCodeAt(0))
    } catch {
      // It never passed before, or nobody can tell: then lines are judged by what they say.
      return null
    }
  },
  staleTime: Infinity,
  structuralSharing: false,
})

/** Undefined where nobody knows, or not yet. Only our own server is asked. */
export const knownLines = async (address: StepAddress): Promise<Uint8Array | undefined> => {
  if (!isOwnServer(queryClient.getQueryData(userQuery().queryKey))) return undefined
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  return (await Promise.race([queryClient.fetchQuery(knownQuery(address)), late])) ?? undefined
}
