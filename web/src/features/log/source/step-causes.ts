/**
 * The causes of a failed step that is not open: reads its saved log, finds the error lines and
 * discards the log.
 */
import type { Cause } from '../engine/causes.ts'
import type { StepAddress } from '../step/step-address.ts'
import { querySavedLog, type SavedLogEnvironment } from './query-saved-log.ts'

/** Longer logs are not searched until they are opened. */
const maxBytes = 8 << 20

export type StepCauses = { causes: readonly Cause[] } | { tooLong: true }

export const readStepCauses = async (
  { address, exitCode, known }: { address: StepAddress; exitCode: number | undefined; known?: Uint8Array | undefined },
  signal: AbortSignal,
  environment?: SavedLogEnvironment,
): Promise<StepCauses> => {
  const causes = await querySavedLog(
    {
      address,
      maxBytes,
      question: { type: 'causes', id: 1, exitCode, known },
      answerOf: (message) => (message.type === 'causes' ? message.causes : undefined),
    },
    signal,
    environment,
  )
  return causes ? { causes } : { tooLong: true }
}
