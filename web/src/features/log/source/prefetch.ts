/**
 * Prefetches a saved log, and starts its worker, before the page that shows it renders: on a slow
 * machine rendering takes as long as the response. At most one at a time; it is aborted if not used
 * within ten seconds: where the machine or the server is busy, the page takes seconds, and with a
 * shorter time the log would be requested twice just there.
 */
import type { Build } from '@flightdeck/api'

import { client, send } from '../../../api/client.ts'
import { wantsSavedLog } from '../step/console-state.ts'
import type { StepAddress } from '../step/step-address.ts'
import { savedLogInit, savedLogPath } from './saved-log.ts'

const ttlMs = 10_000

interface Prefetch {
  url: string
  answer: Promise<Response>
  abort: AbortController
}

let prefetched: Prefetch | undefined
/** A worker that is not bound to a log yet. */
let started: Worker | undefined

export const newLogWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })

const prestartWorker = (): void => {
  if (started) return
  const worker = newLogWorker()
  started = worker
  const discard = (): boolean => {
    const isMine = started === worker
    if (isMine) started = undefined
    return isMine
  }
  // A later read starts it again and shows why it failed.
  worker.addEventListener('error', discard)
  setTimeout(() => {
    if (discard()) worker.terminate()
  }, ttlMs)
}

/** The prefetched worker, once. */
export const takeWorker = (): Worker | undefined => {
  const worker = started
  started = undefined
  return worker
}

/** Only for a step whose console will read its saved log; does nothing for others. */
export const prefetchLog = (address: StepAddress, build: Build): void => {
  const stage = build.stages?.find(({ number }) => number === address.stage)
  const step = stage?.steps?.find(({ number }) => number === address.step)
  if (!wantsSavedLog({ stage, step })) return
  const abort = new AbortController()
  const url = client.url(savedLogPath(address))
  const mine = { url, answer: send(url, savedLogInit(abort.signal)), abort }
  // The user of the prefetch reports errors.
  mine.answer.catch(() => undefined)
  prefetched?.abort.abort()
  prefetched = mine
  prestartWorker()
  setTimeout(() => {
    if (prefetched !== mine) return
    prefetched = undefined
    abort.abort()
  }, ttlMs)
}

/** Returns the response, once; it is aborted with the caller's signal. */
export const takePrefetched = (url: string, signal: AbortSignal | null | undefined): Promise<Response> | undefined => {
  if (prefetched?.url !== url) return undefined
  const { answer, abort } = prefetched
  prefetched = undefined
  if (signal?.aborted) abort.abort()
  signal?.addEventListener('abort', () => abort.abort())
  return answer
}
