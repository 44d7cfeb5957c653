/**
 * Reads what steps print, in a thread of its own. Of each step one chunk is on its way at a time, so output that is made faster
 * than it is read makes the step wait, as a slow terminal would. Once a log is full, what comes is thrown away unread.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Appended, LogRows } from '../../lib/log-rows.ts'
import type { MaskedSecret } from '../../pipeline/mask.ts'
import { createOrderHandler } from './output-encoder.ts'
import type { Answer, Order } from './output-messages.ts'
import { createDiscardPace, createReadPace } from './read-throttle.ts'

/** Megabytes of the thread's heap. The automatons of secrets are not part of it. */
const heapMegabytes = 256

export interface Output {
  /** Resolves when the log has it. Rejects if it cannot be stored. */
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Releases its resources. Always call it; without effect after `end`. */
  close(): void
}

/** The steps of one stage, which share its secrets. */
export interface StageOutput {
  open(append: (rows: LogRows) => Promise<Appended>): Output
  close(): void
}

export interface OutputReader {
  stage(secrets: readonly MaskedSecret[]): StageOutput
  close(): Promise<void>
}

/** Where orders go: the thread, or this one where none can be had. */
interface Desk {
  send(order: Order): void
  /** By output. */
  readers: Map<number, (answer: Answer) => void>
  /** Resolves when the thread has ended. */
  close(): Promise<unknown>
}

export interface OutputReaderOptions {
  /** The program of the thread (`worker.ts`, bundled); without it the work is done in parts on this thread. */
  script?: string | undefined
  /** Milliseconds; for tests, on this thread only. */
  now?: () => number
}

export function createOutputReader({ script, now }: OutputReaderOptions = {}): OutputReader {
  let current: Desk | undefined
  let lastId = 0
  const discardPace = createDiscardPace()

  /** `null`: there is no program, or no memory for one more thread. */
  function startThread(): Worker | null {
    if (script === undefined) return null
    try {
      const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes }
      return new Worker(script, { argv: [], env: {}, execArgv: [], resourceLimits })
    } catch {
      return null
    }
  }

  function openDesk(): Desk {
    const readers: Desk['readers'] = new Map()
    const hear = (answer: Answer) => readers.get(answer.output)?.(answer)
    const worker = startThread()
    if (worker === null) return { send: createOrderHandler(hear, now), readers, close: async () => {} }
    // It waits for work and must not keep the server from ending.
    worker.unref()
    const desk: Desk = {
      send: (order) => worker.postMessage(order, order.kind === 'write' ? [order.bytes.buffer] : []),
      readers,
      close: () => worker.terminate(),
    }
    const lose = (error?: Error) => {
      if (current === desk) current = undefined
      const message = `the output worker has ended${error ? `: ${error.message}` : ''}`
      for (const [output, reader] of readers) reader({ kind: 'failed', output, message })
      readers.clear()
    }
    worker.on('message', hear)
    worker.once('error', lose)
    worker.once('exit', () => lose())
    return desk
  }

  function open(desk: Desk, stage: number, append: (rows: LogRows) => Promise<Appended>): Output {
    const output = (lastId += 1)
    const readPace = createReadPace()
    let full = false
    let failure: Error | undefined
    /** What was sent last; the desk answers in this order. */
    let taken: { resolve: () => void; reject: (error: Error) => void } | undefined
    /** Of appends, which keep their order. */
    let sending: Promise<void> = Promise.resolve()

    let isWriting = false
    /** A line of the step has waited for its end. */
    let isIncomplete = false

    /** A server that is behind still has to read the line's end: two turns of the event loop later it has arrived. */
    const showBeginning = async () => {
      await nextTurn()
      await nextTurn()
      if (isWriting || full || !isIncomplete) return
      isIncomplete = false
      desk.send({ kind: 'beginning', output })
    }

    const fail = (message: string) => {
      failure = new Error(message)
      taken?.reject(failure)
    }
    const discard = () => {
      desk.readers.delete(output)
      desk.send({ kind: 'drop', output })
    }
    const send = (rows: LogRows) => {
      if (full) return
      sending = sending.then(async () => {
        if (full) return
        const appended = await append(rows)
        if (!appended.full) return
        full = true
        discard()
        taken?.resolve()
      })
      // The next write, or the end, reports a failure.
      sending.catch(() => {})
    }
    const ask = async (order: Order) => {
      if (failure) throw failure
      const answered = new Promise<void>((resolve, reject) => {
        taken = { resolve, reject }
      })
      desk.send(order)
      await answered
      await sending
    }
    desk.readers.set(output, (answer) => {
      if (answer.kind === 'rows') send(answer.rows)
      else if (answer.kind === 'taken') taken?.resolve()
      else if (answer.kind === 'incomplete') {
        isIncomplete = true
        void showBeginning()
      } else fail(answer.message)
    })
    desk.send({ kind: 'open', output, stage, began: (now ?? Date.now)() })
    return {
      async write(bytes) {
        if (full) return discardPace(bytes.length)
        isWriting = true
        try {
          // Its own copy, which the thread gets; what a socket has read may share memory with others.
          await ask({ kind: 'write', output, bytes: new Uint8Array(bytes) })
          await readPace(bytes.length)
        } finally {
          isWriting = false
        }
        if (isIncomplete) void showBeginning()
      },
      async end() {
        if (!full) await ask({ kind: 'end', output })
      },
      close: discard,
    }
  }

  return {
    stage(secrets) {
      const stage = (lastId += 1)
      let desk: Desk | undefined
      return {
        open(append) {
          current ??= openDesk()
          // A thread that was lost took the secrets along.
          if (desk !== current) {
            desk = current
            desk.send({ kind: 'stage', stage, secrets: secrets.map(({ name, data }) => ({ name, data })) })
          }
          return open(desk, stage, append)
        },
        close: () => desk?.send({ kind: 'stage-over', stage }),
      }
    },
    close: async () => void (await current?.close()),
  }
}
