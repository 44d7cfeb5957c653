/**
 * One step's log on the page's side: fetches a saved log and passes its chunks to the worker,
 * starts and stops the live stream, and caches the lines to render. The saved log is fetched here,
 * so that an error response can be reported.
 */
import { errorText, hasNoMessage } from '../../../api/query-client.ts'
import { client } from '../../../api/client.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { Cause } from '../engine/causes.ts'
import type { FromWorker, ToWorker } from '../engine/protocol.ts'
import { sameQuery, type Query } from '../engine/query.ts'
import type { LineView } from '../engine/view.ts'
import { LineCache } from './line-cache.ts'
import { LiveStream, type LiveState } from './live-stream.ts'
import { emptySnapshot, type LogMode, type LogSnapshot } from './log-snapshot.ts'
import { browserEnvironment, type LogEnvironment, type LogWorker } from './environment.ts'
import { PatternSearch } from './pattern-search.ts'
import { TruncatedLogError, isNotStoredYet, liveLogPath, readSavedLog } from './saved-log.ts'
import type { FromLogWorker, ToLogWorker } from './worker-protocol.ts'
import { WorkerStreams } from './worker-streams.ts'

/**
 * A 404 is retried only if this tab saw the step end less than this long ago (readings "Console").
 */
const freshEndMs = 20_000
/** After a cancel, a runner stores the log once it has ended the step, which can take seconds. */
const retryWaitsMs = [400, 1000, 2000, 4000, 8000]
/**
 * Retries before the error is shown, and the most for a truncated log. Later ones replace the error
 * if they find the log.
 */
const quietRetries = 3
/**
 * Used until the window's height is known: the number of lines sent with the first stats of a saved
 * log, which opens at its end.
 */
const firstTail = 60

type Answer = Extract<FromWorker, { id: number }>

export class LogStore {
  readonly #address: StepAddress
  readonly #environment: LogEnvironment
  readonly #listeners = new Set<() => void>()
  readonly #cache = new LineCache()
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #snapshot = emptySnapshot
  #worker: LogWorker | undefined
  #stream: LiveStream | undefined
  readonly #streams = new WorkerStreams((message) => this.#send(message))
  #abort: AbortController | undefined
  #patterns: PatternSearch | undefined
  #mode: LogMode = 'none'
  #raw = false
  #tail = 0
  #query: Query | undefined
  #searchId = 0
  #lastId = 0
  #endSeen = -Infinity
  #asking = false
  #wanted: readonly number[] = []
  #revision = 0

  constructor(address: StepAddress, environment: LogEnvironment = browserEnvironment) {
    this.#address = address
    this.#environment = environment
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): LogSnapshot => this.#snapshot
  /** Increases when requested lines have arrived. */
  readonly getRevision = (): number => this.#revision

  get mode(): LogMode {
    return this.#mode
  }

  stop(): void {
    this.setMode('none')
    this.#patterns?.stop()
    this.#worker?.stop()
    this.#worker = undefined
    this.#waiting.clear()
    this.#asking = false
    this.#tail = 0
    this.#cache.clear()
    this.#snapshot = emptySnapshot
  }

  setMode(mode: LogMode): void {
    if (mode === this.#mode) return
    if (this.#snapshot.broken && mode !== 'none') return
    if (this.#mode === 'live' && mode === 'saved') this.#endSeen = this.#environment.now()
    this.#mode = mode
    this.#stream?.close()
    this.#stream = undefined
    this.#abort?.abort()
    if (mode === 'live') this.#openStream()
    else if (mode === 'saved') void this.#loadSaved()
  }

  retry(): void {
    if (this.#mode === 'saved') void this.#loadSaved()
  }

  #update(change: Partial<LogSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    this.#emit()
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }

  #send(message: ToLogWorker, transfer: Transferable[] = []): void {
    this.#worker ??= this.#environment.startWorker(
      (answer) => this.#receive(answer),
      (error) => this.#break(error),
    )
    this.#worker.post(message, transfer)
  }

  /** The worker has failed: nothing can be rendered any more. */
  #break(broken: Error): void {
    this.#stream?.close()
    this.#abort?.abort()
    this.#update({ broken, phase: 'failed', live: undefined })
  }

  #openStream(): void {
    const listener = { onState: (live: LiveState) => this.#update({ live }) }
    const { connect } = this.#streams
    const environment = { ...this.#environment, connect }
    this.#stream = new LiveStream(client.streamUrl(liveLogPath(this.#address)), listener, environment)
  }

  async #loadSaved(): Promise<void> {
    const abort = new AbortController()
    this.#abort?.abort()
    this.#abort = abort
    this.#update({ phase: 'loading', error: undefined, live: undefined })
    if (this.#tail === 0) this.follow(firstTail)
    for (let attempt = 0; ; attempt++) {
      try {
        this.#send({ type: 'saved-begin' })
        await readSavedLog(this.#environment, this.#address, abort.signal, (bytes) =>
          this.#send({ type: 'saved-bytes', bytes }, [bytes.buffer]),
        )
        if (!abort.signal.aborted) this.#send({ type: 'saved-end' })
        return
      } catch (error) {
        if (abort.signal.aborted) return
        const pause = this.#isWorthAsking(error, attempt) ? retryWaitsMs[attempt] : undefined
        if (pause === undefined || attempt >= quietRetries)
          this.#update({ phase: 'failed', error: hasNoMessage(error) ? undefined : errorText(error) })
        if (pause === undefined) return
        await this.#wait(pause, abort.signal)
        if (abort.signal.aborted) return
      }
    }
  }

  /**
   * Whether to retry: the log of a step that has just ended may not be stored yet, and a truncated
   * log is read again.
   */
  #isWorthAsking(error: unknown, attempt: number): boolean {
    if (error instanceof TruncatedLogError) return attempt < quietRetries
    return isNotStoredYet(error) && this.#environment.now() - this.#endSeen < freshEndMs
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#environment.later(milliseconds, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }

  #receive(message: FromLogWorker): void {
    switch (message.type) {
      case 'stats':
        this.#takeStats(message)
        return
      case 'saved':
        if (message.ok) this.#update({ phase: 'ready', error: undefined })
        else this.#update({ phase: 'failed', error: undefined })
        return
      case 'search':
        if (message.search.id !== this.#searchId || this.#snapshot.search?.halted) return
        this.#update({ search: message.search })
        this.#ask()
        return
      case 'live-answer':
      case 'live-opened':
      case 'live-end':
        this.#streams.receive(message)
        return
      default:
        this.#waiting.get(message.id)?.(message)
        this.#waiting.delete(message.id)
    }
  }

  /** Lines that arrived together with the new length render together with it. */
  #takeStats({ stats, tail }: Extract<FromWorker, { type: 'stats' }>): void {
    this.#snapshot = { ...this.#snapshot, stats }
    if (tail.length > 0) {
      this.#cache.put(tail, this.#key(), stats.lines, stats.bytes)
      this.#revision++
    }
    this.#emit()
    // Deferred until the new state is rendered: otherwise it would request the previous last line,
    // which is no longer visible.
    queueMicrotask(() => this.#ask())
  }

  #call(make: (id: number) => ToWorker): Promise<Answer> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send(make(id))
    })
  }

  // Lines
  // --------------------------------------------------------------------------------

  line(index: number): LineView | undefined {
    return this.#cache.get(index)
  }

  /** Requests the lines that are about to render; the latest request counts. */
  want(lines: readonly number[]): void {
    this.#wanted = lines
    this.#ask()
  }

  /** Requests the last lines as soon as they arrive. */
  follow(lines: number): void {
    if (lines === this.#tail) return
    this.#tail = lines
    this.#send({ type: 'tail', lines, raw: this.#raw })
  }

  setRaw(raw: boolean): void {
    if (raw === this.#raw) return
    this.#raw = raw
    this.#send({ type: 'tail', lines: this.#tail, raw })
    this.#ask()
  }

  #key(): string {
    const { stats, search } = this.#snapshot
    return `${stats.version} ${this.#raw} ${this.#query ? `${search?.id} ${search?.count}` : ''}`
  }

  #ask(): void {
    if (this.#asking || this.#wanted.length === 0 || this.#snapshot.stats.lines === 0) return
    const { bytes, lines } = this.#snapshot.stats
    const key = this.#key()
    const missing = this.#cache.lacking(this.#wanted, lines, key, bytes)
    if (missing.length === 0) return
    this.#asking = true
    void this.#call((id) => ({ type: 'lines', id, wanted: missing, raw: this.#raw })).then((answer) => {
      this.#asking = false
      if (answer.type !== 'lines') return
      this.#cache.put(answer.lines, key, lines, bytes)
      this.#revision++
      this.#emit()
      this.#ask()
    })
  }

  /** The lines that start a group. */
  async groups(): Promise<Uint32Array> {
    const answer = await this.#call((id) => ({ type: 'groups', id }))
    return answer.type === 'groups' ? answer.starts : new Uint32Array(0)
  }

  async #number(make: (id: number) => ToWorker): Promise<number> {
    const answer = await this.#call(make)
    return answer.type === 'number' ? answer.value : 0
  }

  /** The line with this number, or the nearest one. */
  locate(number: number): Promise<number> {
    return this.#number((id) => ({ type: 'locate', id, number }))
  }

  /** The number of rows at this width, for each line from `from` on. */
  async wrappedRows(from: number, columns: number): Promise<Uint16Array> {
    const answer = await this.#call((id) => ({ type: 'wrap', id, from, columns }))
    return answer.type === 'wrap' ? answer.rows : new Uint16Array(0)
  }

  /** `plain`: the visible text, only of the given lines if any; otherwise the original bytes. */
  async text(from: number, to: number, plain: boolean, only?: Uint32Array): Promise<Blob> {
    const answer = await this.#call((id) => ({ type: 'text', id, from, to, plain, only }))
    return answer.type === 'text' ? answer.blob : new Blob()
  }

  /** The step's error lines, most relevant first. */
  async causes(exitCode: number | undefined, known?: Uint8Array): Promise<readonly Cause[]> {
    const answer = await this.#call((id) => ({ type: 'causes', id, exitCode, known }))
    return answer.type === 'causes' ? answer.causes : []
  }

  /** The lines that an earlier run, given by its fingerprint, did not have. */
  async newLines(known: Uint8Array): Promise<Uint32Array> {
    const answer = await this.#call((id) => ({ type: 'new lines', id, known }))
    return answer.type === 'new lines' ? answer.lines : new Uint32Array(0)
  }

  // Search
  // --------------------------------------------------------------------------------

  search(query: Query | undefined): void {
    if (query === this.#query || (query && this.#query && sameQuery(query, this.#query))) return
    this.#query = query
    const id = ++this.#searchId
    this.#patterns?.stop()
    this.#patterns = undefined
    this.#update({ search: undefined })
    this.#send({ type: 'search', id, query })
    if (query?.pattern) this.#searchPattern(id, query)
    this.#ask()
  }

  #searchPattern(id: number, query: Query): void {
    const search = new PatternSearch(id, query, (error) => {
      if (id !== this.#searchId) return
      // The log's worker may not have reported this search yet.
      const known = this.#snapshot.search ?? { id, count: 0, ticks: [] }
      this.#update({ search: { ...known, done: true, halted: true, error } })
    })
    if (!search.port) return
    this.#patterns = search
    this.#send({ type: 'pattern-port', port: search.port }, [search.port])
  }

  /** Stops the search and keeps its hits. */
  haltSearch(): void {
    const known = this.#snapshot.search
    if (!known || known.done) return
    this.#patterns?.stop()
    this.#patterns = undefined
    this.#update({ search: { ...known, done: true, halted: true } })
  }

  /**
   * The number of hits, resolved once there is a hit or none is possible; 0 if a new search has
   * started by then.
   */
  found(): Promise<number> {
    const id = this.#searchId
    return new Promise((resolve) => {
      const check = (): void => {
        const { search } = this.#snapshot
        const isOther = id !== this.#searchId
        if (!isOther && !search?.done && !search?.count) return
        leave()
        resolve(isOther ? 0 : (search?.count ?? 0))
      }
      const leave = this.subscribe(check)
      check()
    })
  }

  hitLine(index: number): Promise<number> {
    return this.#number((id) => ({ type: 'hit', id, index }))
  }

  firstHitFrom(line: number): Promise<number> {
    return this.#number((id) => ({ type: 'hit-from', id, line }))
  }
}
