/**
 * A saved log that is asked for before the page that shows it is drawn, and the worker that will read it: on a slow machine
 * drawing takes as long as the answer. There is one at most, for the first who asks for it within two seconds; else it is broken off.
 */
import type { Build } from '@flightdeck/api'

import { client, send } from '../../../api/client.ts'
import { wantsSavedLog } from '../step/console-state.ts'
import type { StepAddress } from '../step/step-address.ts'
import { savedLogInit, savedLogPath } from './saved-log.ts'

const patience = 2_000

interface Ahead {
  url: string
  answer: Promise<Response>
  abort: AbortController
}

let ahead: Ahead | undefined
/** Any log's worker: it is told by who takes it which one it reads. */
let started: Worker | undefined

export const newLogWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })

const startAhead = (): void => {
  if (started) return
  const worker = newLogWorker()
  started = worker
  const forget = (): boolean => {
    const isMine = started === worker
    if (isMine) started = undefined
    return isMine
  }
  // A later read starts it again and shows why it failed.
  worker.addEventListener('error', forget)
  setTimeout(() => {
    if (forget()) worker.terminate()
  }, patience)
}

/** The worker that was started ahead, once. */
export const takeWorker = (): Worker | undefined => {
  const worker = started
  started = undefined
  return worker
}

/** Of a step whose console will read it; any other is left alone. */
export const readLogAhead = (address: StepAddress, build: Build): void => {
  const stage = build.stages?.find(({ number }) => number === address.stage)
  const step = stage?.steps?.find(({ number }) => number === address.step)
  if (!wantsSavedLog({ stage, step })) return
  const abort = new AbortController()
  const url = client.url(savedLogPath(address))
  const mine = { url, answer: send(url, savedLogInit(abort.signal)), abort }
  // Told by who takes it.
  mine.answer.catch(() => undefined)
  ahead?.abort.abort()
  ahead = mine
  startAhead()
  setTimeout(() => {
    if (ahead !== mine) return
    ahead = undefined
    abort.abort()
  }, patience)
}

/** The answer, once; ends with the signal of who takes it. */
export const takeAhead = (url: string, signal: AbortSignal | null | undefined): Promise<Response> | undefined => {
  if (ahead?.url !== url) return undefined
  const { answer, abort } = ahead
  ahead = undefined
  if (signal?.aborted) abort.abort()
  signal?.addEventListener('abort', () => abort.abort())
  return answer
}
