/** Why a step failed that nobody has opened: its saved log is read, looked through and forgotten again. */
import type { Cause } from '../engine/causes.ts'
import type { StepAddress } from '../step-address.ts'
import { browserEnvironment, type LogEnvironment } from './environment.ts'
import { readSavedLog } from './saved-log.ts'

/** Of a longer log nothing is told before it is opened. In bytes of the answer, unpacked. */
const mostBytes = 8 << 20

export type StepCauses = { causes: readonly Cause[] } | { tooLong: true }

export const readStepCauses = async (
  { address, exitCode, known }: { address: StepAddress; exitCode: number | undefined; known?: Uint8Array | undefined },
  signal: AbortSignal,
  environment: Pick<LogEnvironment, 'fetch' | 'startWorker'> = browserEnvironment,
): Promise<StepCauses> => {
  const stopped = new AbortController()
  let bytes = 0
  let stop = (): void => undefined
  const found = new Promise<StepCauses>((resolve, reject) => {
    const worker = environment.startWorker((message) => {
      if (message.type === 'saved') worker.post({ type: 'causes', id: 1, exitCode, known })
      else if (message.type === 'causes') resolve(message)
    }, reject)
    stop = worker.stop
    worker.post({ type: 'saved-begin' })
    const read = readSavedLog(environment, address, AbortSignal.any([signal, stopped.signal]), (piece) => {
      bytes += piece.length
      if (bytes > mostBytes) stopped.abort()
      else worker.post({ type: 'saved-bytes', bytes: piece }, [piece.buffer])
    })
    read.then(() => worker.post({ type: 'saved-end' }), reject)
  })
  try {
    return await found
  } catch (error) {
    if (bytes > mostBytes) return { tooLong: true }
    throw error
  } finally {
    stop()
  }
}
