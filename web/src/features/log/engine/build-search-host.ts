/**
 * Searches the saved logs of many steps, one after the other: the code of the worker, without the
 * worker itself.
 */
import { hitOf, type FoundHit } from '@flightdeck/api'
import { plainText } from './ansi/index.ts'
import { LogModel } from './model.ts'
import { RowReader } from './rows.ts'
import { compile, matchLine, type Query } from './query.ts'

export type ToBuildSearch =
  | { type: 'bytes'; key: string; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'end'; key: string }
  | { type: 'search'; id: number; key: string; query: Query }
  /** Discards all logs, because the next ones belong to a different build. */
  | { type: 'forget' }

export type FromBuildSearch =
  | { type: 'loaded'; key: string; ok: boolean }
  /** A heartbeat before each block of lines, so that a hanging pattern is noticed. */
  | { type: 'beat'; id: number }
  | { type: 'found'; id: number; found: StepHits }

export interface StepHits {
  /** When the log started, in Unix milliseconds, if known. */
  began: number | undefined
  count: number
  /** The first hits. */
  hits: FoundHit[]
}

const maxHits = 5
const blockLines = 2048

interface Step {
  model: LogModel
  reader: RowReader
  broken: boolean
}

export class BuildSearchHost {
  readonly #post: (message: FromBuildSearch) => void
  readonly #steps = new Map<string, Step>()

  constructor(post: (message: FromBuildSearch) => void) {
    this.#post = post
  }

  handle(message: ToBuildSearch): void {
    if (message.type === 'bytes') this.#read(this.#step(message.key), message.bytes)
    else if (message.type === 'end') this.#end(message.key)
    else if (message.type === 'forget') this.#steps.clear()
    else this.#search(message)
  }

  #step(key: string): Step {
    const known = this.#steps.get(key)
    if (known) return known
    const step = { model: new LogModel(), reader: new RowReader(), broken: false }
    this.#steps.set(key, step)
    return step
  }

  #read(step: Step, bytes: Uint8Array): void {
    if (step.broken) return
    try {
      step.model.add(step.reader.push(bytes))
    } catch {
      step.broken = true
    }
  }

  #end(key: string): void {
    const step = this.#step(key)
    try {
      step.reader.end()
    } catch {
      step.broken = true
    }
    if (step.broken) this.#steps.delete(key)
    this.#post({ type: 'loaded', key, ok: !step.broken })
  }

  #search({ id, key, query }: Extract<ToBuildSearch, { type: 'search' }>): void {
    const { model } = this.#step(key)
    const expression = compile(query)
    const found: StepHits = { began: model.began, count: 0, hits: [] }
    for (let line = 0; line < model.lines; line++) {
      if (line % blockLines === 0) this.#post({ type: 'beat', id })
      const text = plainText(model.text(line))
      matchLine(expression, text, (start, end) => {
        found.count++
        if (found.hits.length >= maxHits) return
        found.hits.push({
          ...hitOf(model.numberOf(line), text, start, end),
          ...model.moment(line),
          ...(line > 0 && { previous: model.moment(line - 1) }),
        })
      })
    }
    this.#post({ type: 'found', id, found })
  }
}
