/**
 * Searches all finished steps of a build: reads their saved logs one after the other and keeps them
 * while it is open.
 */
import { errorMessage } from '../../../lib/error-message.ts'
import type { StepAddress } from '../step/step-address.ts'
import { compile, sameQuery, type Query } from '../engine/query.ts'
import type { FromBuildSearch, StepHits, ToBuildSearch } from '../engine/build-search-host.ts'
import { connectWorker, type WorkerOf } from '../../../browser/worker.ts'
import { browserEnvironment, type LogEnvironment } from '../source/environment.ts'
import { readSavedLog } from '../source/saved-log.ts'
import { tooSlow } from './multi-log-search.ts'
import type { SearchedStep } from './searched-steps.ts'

export interface BuildSearchState {
  found: { step: SearchedStep; hits: StepHits }[]
  /** How many steps have been searched. */
  done: number
  total: number
  /** The number of steps whose logs could not be read. */
  unread: number
  error: string | undefined
  /** The user stopped the search before all logs were searched. */
  halted: boolean
}

export type BuildSearchWorker = WorkerOf<{ to: ToBuildSearch; from: FromBuildSearch }>

export type BuildSearchEnvironment = Pick<LogEnvironment, 'fetch' | 'later'> & {
  startBuildSearch: (
    onMessage: (message: FromBuildSearch) => void,
    onBroken: (error: Error) => void,
  ) => BuildSearchWorker
}

const browserBuildSearch: BuildSearchEnvironment = {
  ...browserEnvironment,
  startBuildSearch: (onMessage, onBroken) => {
    const worker = new Worker(new URL('../engine/build-search-worker.ts', import.meta.url), { type: 'module' })
    return connectWorker(worker, onMessage, onBroken)
  },
}

/** A pattern without a heartbeat for this long is stopped with a message. */
const timeoutMs = 2000
const nothing: BuildSearchState = { found: [], done: 0, total: 0, unread: 0, error: undefined, halted: false }
const keyOf = ({ stage, step }: StepAddress): string => `${stage}/${step}`

export class BuildSearch {
  readonly #environment: BuildSearchEnvironment
  readonly #listeners = new Set<() => void>()
  #steps: readonly SearchedStep[] = []
  #state = nothing
  #worker: BuildSearchWorker | undefined
  #loaded = new Set<string>()
  #query: Query | undefined
  #round = 0
  #abort = new AbortController()
  #last: Promise<void> = Promise.resolve()
  #onMessage: (message: FromBuildSearch) => void = () => undefined

  constructor(environment: BuildSearchEnvironment = browserBuildSearch) {
    this.#environment = environment
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): BuildSearchState => this.#state

  /** Restarts the search if the query or the steps have changed. */
  search(steps: readonly SearchedStep[], query: Query | undefined): void {
    const same = query && this.#query ? sameQuery(query, this.#query) : query === this.#query
    const keys = (list: readonly SearchedStep[]) => list.map((step) => keyOf(step.address)).join()
    if (same && keys(steps) === keys(this.#steps)) return
    this.#steps = steps
    this.#query = query
    this.#abort.abort()
    this.#abort = new AbortController()
    this.#round++
    this.#update({ ...nothing, total: steps.length })
    const round = this.#round
    // One after the other, because messages of the worker do not say which search they belong to.
    this.#last = this.#last
      .then(() => (query && round === this.#round ? this.#run(query, round) : undefined))
      // A failed search must not prevent later ones.
      .catch((error: unknown) => {
        if (round === this.#round) this.#update({ error: errorMessage(error), done: this.#steps.length })
      })
  }

  /** Stops the search and keeps its results. */
  interrupt(): void {
    this.#end()
    this.#abort.abort()
    this.#round++
    this.#query = undefined
    this.#last = Promise.resolve()
    this.#update({ halted: true })
  }

  stop(): void {
    this.search([], undefined)
    this.#end()
  }

  /**
   * Called before searching another build, whose logs have the same keys: discards everything
   * except the worker, which is expensive to start.
   */
  forget(): void {
    this.search([], undefined)
    this.#loaded = new Set()
    this.#worker?.post({ type: 'forget' })
  }

  #end(): void {
    this.#worker?.stop()
    this.#worker = undefined
    this.#loaded = new Set()
  }

  #update(change: Partial<BuildSearchState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Running searches can't finish without the worker: the next query starts from scratch. */
  #fail(error: string): void {
    this.#end()
    this.#abort.abort()
    this.#round++
    this.#query = undefined
    this.#last = Promise.resolve()
    this.#update({ error, done: this.#steps.length })
  }

  async #run(query: Query, round: number): Promise<void> {
    try {
      compile(query)
    } catch (error) {
      this.#update({ error: errorMessage(error), done: this.#steps.length })
      return
    }
    for (const step of this.#steps) {
      const isRead = await this.#load(step.address)
      if (round !== this.#round) return
      const hits = isRead ? await this.#ask(step, query, round) : undefined
      if (round !== this.#round) return
      if (isRead && !hits) {
        this.#update({ error: tooSlow, done: this.#steps.length })
        return
      }
      const { found, done, unread } = this.#state
      this.#update({
        found: hits && hits.count > 0 ? [...found, { step, hits }] : found,
        done: done + 1,
        unread: unread + (isRead ? 0 : 1),
      })
    }
  }

  #send(message: ToBuildSearch, transfer: Transferable[] = []): void {
    this.#worker ??= this.#environment.startBuildSearch(
      (answer) => this.#onMessage(answer),
      ({ message }) => this.#fail(message),
    )
    this.#worker.post(message, transfer)
  }

  /** Returns whether the step's log is in the worker. A missing log counts as not loaded. */
  async #load(address: StepAddress): Promise<boolean> {
    const key = keyOf(address)
    if (this.#loaded.has(key)) return true
    const { signal } = this.#abort
    try {
      await readSavedLog(this.#environment, address, signal, (bytes) =>
        this.#send({ type: 'bytes', key, bytes }, [bytes.buffer]),
      )
    } catch {
      // Its results must not stay: the next attempt starts from the beginning.
      if (this.#worker) await this.#finish(key)
      return false
    }
    const ok = await this.#finish(key)
    if (ok) this.#loaded.add(key)
    return ok
  }

  #finish(key: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onMessage = (message) => {
        if (message.type === 'loaded' && message.key === key) resolve(message.ok)
      }
      this.#send({ type: 'end', key })
    })
  }

  /** The hits of one step; undefined if the worker sent no heartbeat and was terminated. */
  #ask(step: SearchedStep, query: Query, round: number): Promise<StepHits | undefined> {
    return new Promise((resolve) => {
      let cancel = (): void => undefined
      const watch = (): void => {
        cancel()
        cancel = this.#environment.later(timeoutMs, () => {
          this.#end()
          resolve(undefined)
        })
      }
      this.#onMessage = (message) => {
        if (message.type === 'loaded' || message.id !== round) return
        if (message.type === 'beat') {
          watch()
          return
        }
        cancel()
        resolve(message.found)
      }
      watch()
      this.#send({ type: 'search', id: round, key: keyOf(step.address), query })
    })
  }
}
