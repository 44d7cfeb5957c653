/**
 * The code of a log's worker, without the worker itself: receives messages, stores the log,
 * responds.
 */
import { limitIn, type Line } from '@flightdeck/api'
import { CauseScan } from './causes.ts'
import { Finder } from './finder.ts'
import { FrameReader } from './frames.ts'
import { NewLinesScan, FingerprintScan } from './new-lines.ts'
import { LogModel } from './model.ts'
import { PlainCopy } from './plain.ts'
import { burstLines, type FromWorker, type PatternRequest, type ToWorker } from './protocol.ts'
import { parseRow, RowReader } from './rows.ts'
import { viewLine, type LineView } from './view.ts'
import { wrappedRows } from './width.ts'

/** Runs after pending messages; a timer would wait four milliseconds each time. */
const nextTask = (task: () => void): void => {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    port1.close()
    task()
  })
  port1.start()
  port2.postMessage(undefined)
}

type Post = (message: FromWorker, transfer?: Transferable[]) => void

const sessionPrefix = 'web session: '
const statsEveryMs = 50
/**
 * During a burst, stats are sent with the first lines after this interval. A timer would send old
 * lines just before newer ones arrive.
 */
const burstEveryMs = 33
/**
 * How long to process a saved log before serving messages: the first lines are rendered while the
 * last ones are read.
 */
const sliceMs = 12
/** The number of bytes to parse without checking the clock: some milliseconds. */
const biteBytes = 256 * 1024

/** Only the last entry of a log can be the notice of its limit. */
const cutOf = (rows: readonly Line[]): string | undefined => limitIn(rows.at(-1)?.out ?? '')

/** Work on the whole log that is done in slices. */
interface Scan<T> {
  step: (until: number) => boolean
  found: () => T
}

interface Loading {
  model: LogModel
  reader: RowReader
  failed: boolean
  /** As in `LogStats`, for the part read so far. */
  cut: string | undefined
}

export class LogHost {
  readonly #post: Post
  readonly #later: typeof nextTask
  #model = new LogModel()
  #loading: Loading | undefined
  /** Chunks of the saved log that have been received but not parsed. */
  #pieces: (Uint8Array | 'end')[] = []
  #reading = false
  #version = 0
  #session: string | undefined
  #cut: string | undefined
  #finder: Finder | undefined
  #searching = false
  #statsAt = 0
  /** The number of lines reported so far. */
  #reportedLines = 0
  #statsTimer: ReturnType<typeof setTimeout> | undefined
  #port: MessagePort | undefined
  #frames = new FrameReader()
  #tail = { lines: 0, raw: false }

  /** `later` runs a task after pending messages. */
  constructor(post: Post, later = nextTask) {
    this.#post = post
    this.#later = later
  }

  handle(message: ToWorker): void {
    switch (message.type) {
      case 'saved-begin':
        this.#loading = { model: new LogModel(), reader: new RowReader(), failed: false, cut: undefined }
        this.#pieces = []
        return
      case 'saved-bytes':
        this.#read(message.bytes)
        return
      case 'saved-end':
        this.#read('end')
        return
      case 'tail':
        this.#tail = message
        return
      case 'live-begin':
        this.#frames = new FrameReader()
        return
      case 'live-bytes':
        this.#live(this.#frames.push(message.bytes))
        return
      case 'search':
        this.#search(message)
        return
      case 'pattern-port':
        this.#listenTo(message.port)
        return
      default:
        this.#answer(message)
    }
  }

  #answer(
    message: Exclude<
      ToWorker,
      {
        type:
          | 'saved-begin'
          | 'saved-bytes'
          | 'saved-end'
          | 'tail'
          | 'live-begin'
          | 'live-bytes'
          | 'search'
          | 'pattern-port'
      }
    >,
  ): void {
    const { id } = message
    switch (message.type) {
      case 'lines':
        this.#post({ type: 'lines', id, version: this.#version, lines: this.#views(message) })
        return
      case 'text':
        this.#text(message)
        return
      case 'groups': {
        const starts = this.#model.groupStarts()
        this.#post({ type: 'groups', id, starts }, [starts.buffer])
        return
      }
      case 'locate':
        this.#post({ type: 'number', id, value: this.#model.lineNumbered(message.number) })
        return
      case 'hit':
        this.#post({ type: 'number', id, value: this.#finder?.hits.line(message.index) ?? 0 })
        return
      case 'hit-from':
        this.#post({ type: 'number', id, value: this.#finder?.hits.firstFrom(message.line) ?? 0 })
        return
      case 'causes':
        this.#scanOn(new CauseScan(this.#model, message.exitCode, message.known), (causes) =>
          this.#post({ type: 'causes', id, causes }),
        )
        return
      case 'new lines':
        this.#scanOn(new NewLinesScan(this.#model, message.known), (lines) =>
          this.#post({ type: 'new lines', id, lines }, [lines.buffer]),
        )
        return
      case 'print':
        this.#scanOn(new FingerprintScan(this.#model), (known) =>
          this.#post({ type: 'print', id, known }, [known.buffer]),
        )
        return
      case 'wrap': {
        const rows = wrappedRows(this.#model, message.from, message.columns)
        this.#post({ type: 'wrap', id, rows }, [rows.buffer])
      }
    }
  }

  #views({ wanted, raw }: { wanted: readonly number[]; raw: boolean }): LineView[] {
    return wanted
      .filter((line) => line < this.#model.lines)
      .map((line) => viewLine(this.#model, line, raw, this.#finder?.hits.of(line) ?? []))
  }

  /** `plain`: the visible text; otherwise the original bytes. */
  #text({ id, from, to, plain, only }: Extract<ToWorker, { type: 'text' }>): void {
    const end = Math.min(to, this.#model.lines)
    if (plain) {
      this.#copyOn(id, new PlainCopy(this.#model, from, end, only))
      return
    }
    // The blob copies views of memory that can still be written to.
    const blob = new Blob(this.#model.raw(from, end).map((bytes) => new Uint8Array(bytes)))
    this.#post({ type: 'text', id, blob })
  }

  /** Copies in slices, so that lines can be requested while a million lines are copied. */
  #copyOn(id: number, copy: PlainCopy): void {
    if (copy.step(performance.now() + sliceMs)) this.#post({ type: 'text', id, blob: copy.blob() })
    else this.#later(() => this.#copyOn(id, copy))
  }

  #scanOn<T>(scan: Scan<T>, onFound: (found: T) => void): void {
    if (scan.step(performance.now() + sliceMs)) onFound(scan.found())
    else this.#later(() => this.#scanOn(scan, onFound))
  }

  /**
   * Always deferred: requests queued behind many chunks would otherwise wait until all of them are
   * read.
   */
  #read(piece: Uint8Array | 'end'): void {
    this.#pieces.push(piece)
    if (this.#reading) return
    this.#reading = true
    this.#later(() => this.#readOn())
  }

  /**
   * Parses for one time slice; messages that arrived in the meantime are answered before the next
   * one.
   */
  #readOn(): void {
    const until = performance.now() + sliceMs
    while (performance.now() < until) {
      const piece = this.#pieces.shift()
      if (piece === undefined) break
      if (piece === 'end') this.#savedEnd()
      else {
        if (piece.length > biteBytes) this.#pieces.unshift(piece.subarray(biteBytes))
        this.#savedBytes(piece.subarray(0, biteBytes))
      }
    }
    this.#reading = this.#pieces.length > 0
    if (this.#reading) this.#later(() => this.#readOn())
  }

  #savedBytes(bytes: Uint8Array): void {
    const loading = this.#loading
    if (!loading || loading.failed) return
    try {
      const rows = loading.reader.push(bytes)
      this.#findSession(rows)
      if (rows.length > 0) loading.cut = cutOf(rows)
      loading.model.add(rows)
    } catch {
      loading.failed = true
    }
    // The saved log replaces the live one, but only once it is at least as long.
    if (loading.model !== this.#model && loading.model.lines > 0 && loading.model.lines >= this.#model.lines)
      this.#show(loading.model)
    this.#changed()
  }

  #savedEnd(): void {
    const loading = this.#loading
    if (!loading) return
    this.#loading = undefined
    if (!loading.failed) {
      try {
        loading.reader.end()
      } catch {
        loading.failed = true
      }
    }
    if (!loading.failed) {
      this.#cut = loading.cut
      if (loading.model !== this.#model) this.#show(loading.model)
    }
    this.#sendStats()
    this.#post({ type: 'saved', ok: !loading.failed })
  }

  #show(model: LogModel): void {
    this.#model = model
    this.#version++
    this.#finder?.restart()
  }

  #live(rows: readonly string[]): void {
    if (rows.length === 0) return
    const lines = rows.flatMap((row) => parseRow(row, this.#model.entries) ?? [])
    this.#findSession(lines)
    const { entries } = this.#model
    this.#model.add(lines)
    // After a reconnect the existing entries are sent again, the end last.
    if (this.#model.entries > entries) this.#cut = cutOf(lines)
    this.#changed()
  }

  #findSession(rows: readonly { out: string }[]): void {
    this.#session ??= rows
      .find((row) => row.out.startsWith(sessionPrefix))
      ?.out.slice(sessionPrefix.length)
      .trimEnd()
  }

  #changed(): void {
    if (this.#model.rewritten) {
      this.#version++
      this.#finder?.restart()
    } else this.#finder?.grow()
    this.#model.rewritten = false
    this.#lookOn()
    // The timer alone is not enough: timers are delayed while lines arrive without a pause.
    const isBurst = !this.#loading && this.#model.lines - this.#reportedLines > burstLines
    const every = isBurst ? burstEveryMs : statsEveryMs
    const now = performance.now()
    if (this.#statsAt + every <= now) this.#sendStats()
    else this.#statsTimer ??= setTimeout(() => this.#sendStats(), this.#statsAt + statsEveryMs - now)
  }

  #sendStats(): void {
    clearTimeout(this.#statsTimer)
    this.#statsTimer = undefined
    this.#statsAt = performance.now()
    const model = this.#model
    const { lines, bytes, groups, missing, firstPosition: first } = model
    this.#reportedLines = lines
    const lastNumber = lines === 0 ? 0 : model.numberOf(lines - 1)
    const lastTime = lines === 0 ? 0 : model.time(lines - 1)
    const tenths = lines > 0 && model.tenth(0) !== undefined
    const times = { lastTime, tenths, began: model.began }
    const counts = { lines, bytes, lastNumber, ...times, groups, first, missing }
    const stats = { version: this.#version, ...counts, session: this.#session, cut: this.#cut }
    const lastLines = Array.from({ length: Math.min(lines, this.#tail.lines) }, (_, index) => lines - 1 - index)
    this.#post({ type: 'stats', stats, tail: this.#views({ wanted: lastLines, raw: this.#tail.raw }) })
  }

  #search({ id, query }: Extract<ToWorker, { type: 'search' }>): void {
    this.#finder = query ? new Finder(id, query) : undefined
    if (this.#finder) this.#post({ type: 'search', search: this.#finder.state(this.#model.lines) })
    this.#lookOn()
  }

  /** Continues the search in slices; messages are handled in between. */
  #lookOn(): void {
    if (this.#searching || !this.#finder || this.#finder.isPattern) return
    const more = this.#finder.advance(this.#model)
    this.#post({ type: 'search', search: this.#finder.state(this.#model.lines) })
    if (!more) return
    this.#searching = true
    this.#later(() => {
      this.#searching = false
      this.#lookOn()
    })
  }

  #listenTo(port: MessagePort): void {
    this.#port?.close()
    this.#port = port
    port.addEventListener('message', (event: MessageEvent<PatternRequest>) => {
      const finder = this.#finder
      if (!finder || finder.id !== event.data.id) return
      port.postMessage(finder.nextBlock(this.#model, event.data))
      this.#post({ type: 'search', search: finder.state(this.#model.lines) })
    })
    port.start()
  }
}
