/**
 * A search over a log that runs in slices, so that lines can be requested in between, and continues
 * when the log has grown.
 */
import { errorMessage } from '../../../lib/error-message.ts'
import { plainText } from './ansi/index.ts'
import { Hits } from './hits.ts'
import type { LogModel } from './model.ts'
import type { PatternBlock, PatternRequest, SearchState } from './protocol.ts'
import { compile, matchBlock, type Query } from './query.ts'

const blockLines = 4096
const sliceMs = 24

/** The visible text of some lines, joined by newlines. */
const blockText = (model: LogModel, from: number, to: number): string => {
  const lines: string[] = []
  for (let line = from; line < to; line++) lines.push(plainText(model.text(line)))
  return lines.join('\n')
}

const decoder = new TextDecoder()
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const sgr = /\u001b\[[0-9;:]*m/g

/**
 * The fast path for blocks with only text, colors and plain newlines: lines need no separate
 * decoding.
 */
const quickBlock = (model: LogModel, from: number, to: number): string => {
  const text = model
    .raw(from, to)
    .map((bytes, i, all) => decoder.decode(bytes, { stream: i < all.length - 1 }))
    .join('')
  if (!controls.test(text)) return text
  const plain = text.replace(sgr, '').replace(/\r+$/gm, '')
  return controls.test(plain) ? blockText(model, from, to) : plain
}

export class Finder {
  readonly id: number
  readonly query: Query
  hits = new Hits()
  #expression: RegExp | undefined
  #at = 0
  #done = false
  #error: string | undefined

  constructor(id: number, query: Query) {
    this.id = id
    this.query = query
    try {
      this.#expression = compile(query)
    } catch (error) {
      this.#error = errorMessage(error)
      this.#done = true
    }
  }

  get isPattern(): boolean {
    return this.query.pattern && this.#error === undefined
  }

  state(lines: number): SearchState {
    const ticks = this.hits.spread(lines, 100)
    return { id: this.id, count: this.hits.count, done: this.#done, error: this.#error, ticks }
  }

  /** The log has grown: search its last line again, since it may be longer now. */
  grow(): void {
    this.#at = Math.max(0, this.#at - 1)
    this.hits.truncate(this.#at)
    this.#done = this.#error !== undefined
  }

  /** Restarts the search, because any line can be different. */
  restart(): void {
    this.#at = 0
    this.hits = new Hits()
    this.#done = this.#error !== undefined
  }

  /** Plain text: searches for one time slice. Returns whether there is more to search. */
  advance(model: LogModel): boolean {
    if (this.#done || this.isPattern || !this.#expression) return false
    const until = performance.now() + sliceMs
    while (this.#at < model.lines) {
      const from = this.#at
      const to = Math.min(model.lines, from + blockLines)
      matchBlock(this.#expression, quickBlock(model, from, to), (line, start, end) =>
        this.hits.push(from + line, start, end),
      )
      this.#at = to
      if (performance.now() > until) break
    }
    this.#done = this.#at >= model.lines
    return !this.#done
  }

  /** Patterns: takes the hits of the other worker, and prepares its next block. */
  nextBlock(model: LogModel, request: PatternRequest): PatternBlock {
    for (let i = 0; i + 2 < request.hits.length; i += 3)
      this.hits.push(request.hits[i] ?? 0, request.hits[i + 1] ?? 0, request.hits[i + 2] ?? 0)
    const from = request.from
    const to = Math.min(model.lines, from + (request.maxHits ?? blockLines))
    this.#at = to
    this.#done = from >= model.lines
    const text = from < to ? quickBlock(model, from, to) : ''
    return { id: this.id, from, count: to - from, text, last: this.#done }
  }
}
