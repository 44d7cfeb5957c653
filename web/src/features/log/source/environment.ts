/** What a log needs of the browser around it. The fault test brings its own worker, network and clock. */
import { send } from '../../../api/client.ts'
import { newLogWorker, takePrefetched, takeWorker } from './prefetch.ts'
import type { FromLogWorker, ToLogWorker } from './worker-protocol.ts'
import { connectWorker, type WorkerOf } from '../../../browser/worker.ts'

export type LogWorker = WorkerOf<{ to: ToLogWorker; from: FromLogWorker }>

export interface LogEnvironment {
  /** `onBroken`: the worker's file is missing or its code failed, so that it sends nothing more. */
  startWorker: (onMessage: (message: FromLogWorker) => void, onBroken: (error: Error) => void) => LogWorker
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Does it after so many milliseconds; what it answers takes that back. */
  later: (milliseconds: number, action: () => void) => () => void
  now: () => number
  isHidden: () => boolean
  /** Calls back when the page is hidden or shown; what it answers ends that. */
  onVisibility: (listener: () => void) => () => void
}

export const browserEnvironment: LogEnvironment = {
  startWorker: (onMessage, onBroken) => connectWorker(takeWorker() ?? newLogWorker(), onMessage, onBroken),
  fetch: (url, init) => takePrefetched(url, init.signal) ?? send(url, init),
  later: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
  now: () => Date.now(),
  isHidden: () => document.visibilityState === 'hidden',
  onVisibility: (listener) => {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
}
