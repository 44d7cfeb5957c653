/**
 * The parts of the browser that a log needs. The fault test provides its own worker, network and
 * clock.
 */
import { send } from '../../../api/client.ts'
import { newLogWorker, takePrefetched, takeWorker } from './prefetch.ts'
import type { FromLogWorker, ToLogWorker } from './worker-protocol.ts'
import { connectWorker, type WorkerOf } from '../../../browser/worker.ts'

export type LogWorker = WorkerOf<{ to: ToLogWorker; from: FromLogWorker }>

export interface LogEnvironment {
  /** `onBroken`: the worker's file is missing or its code failed, so it sends nothing more. */
  startWorker: (onMessage: (message: FromLogWorker) => void, onBroken: (error: Error) => void) => LogWorker
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Runs the action after this time. Returns a function that cancels it. */
  later: (milliseconds: number, action: () => void) => () => void
  now: () => number
  isHidden: () => boolean
  /** Calls back when the page is hidden or shown. Returns a function that unsubscribes. */
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
