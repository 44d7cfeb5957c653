/**
 * Reads what steps print, in a separate thread. Only one chunk of each step is processed at a time,
 * so a step that prints faster than its output is read waits, as with a slow terminal. Once a log
 * is full, further output is discarded without decoding.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Appended, LogRows } from '../../lib/log-rows.ts'
import type { MaskedSecret } from '../../pipeline/mask.ts'
import { createOrderHandler } from './output-encoder.ts'
import type { Answer, Order } from './output-messages.ts'
import { createDiscardPace, createReadPace } from './read-throttle.ts'

/** The heap limit of the thread. The automatons that find secrets are not part of the heap. */
const heapMegabytes = 256

export interface Output {
  /** Resolves when the log has stored the bytes. Rejects if they cannot be stored. */
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Releases its resources. Always call it; it has no effect after `end`. */
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

/** Where orders are sent: the thread, or the server's own thread if no thread can be started. */
interface Channel {
  send(order: Order): void
  /** By output id. */
  readers: Map<number, (answer: Answer) => void>
  /** Resolves when the thread has ended. */
  close(): Promise<unknown>
}

export interface OutputReaderOptions {
  /**
   * The program of the thread (`output-worker.ts`, bundled). Without it the server's own thread
   * does the work, in parts.
   */
  script?: string | undefined
  /** Milliseconds. Only for tests, which use the server's own thread. */
  now?: () => number
}

export function createOutputReader({ script, now }: OutputReaderOptions = {}): OutputReader {
  let current: Channel | undefined
  let lastId = 0
  const discardPace = createDiscardPace()

  /** Returns `null` if there is no program, or not enough memory for another thread. */
  function startThread(): Worker | null {
    if (script === undefined) return null
    try {
      const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes }
      return new Worker(script, { argv: [], env: {}, execArgv: [], resourceLimits })
    } catch {
      return null
    }
  }

  function openChannel(): Channel {
    const readers: Channel['readers'] = new Map()
    const receive = (answer: Answer) => readers.get(answer.output)?.(answer)
    const worker = startThread()
    if (worker === null) return { send: createOrderHandler(receive, now), readers, close: async () => {} }
    // The idle thread must not keep the server from exiting.
    worker.unref()
    const channel: Channel = {
      send: (order) => worker.postMessage(order, order.kind === 'write' ? [order.bytes.buffer] : []),
      readers,
      close: () => worker.terminate(),
    }
    const failAll = (error?: Error) => {
      if (current === channel) current = undefined
      const message = `the output worker has ended${error ? `: ${error.message}` : ''}`
      for (const [output, reader] of readers) reader({ kind: 'failed', output, message })
      readers.clear()
    }
    worker.on('message', receive)
    worker.once('error', failAll)
    worker.once('exit', () => failAll())
    return channel
  }

  function open(channel: Channel, stage: number, append: (rows: LogRows) => Promise<Appended>): Output {
    const output = (lastId += 1)
    const readPace = createReadPace()
    let full = false
    let failure: Error | undefined
    /** Settles the last order; replies arrive in the order of requests. */
    let pending: { resolve: () => void; reject: (error: Error) => void } | undefined
    /** Chains appends, so that they stay in order. */
    let sending: Promise<void> = Promise.resolve()

    let isWriting = false
    /** Whether the thread has reported an incomplete line. */
    let isIncomplete = false

    /**
     * A busy server may not have read the line end yet; after two turns of the event loop it has
     * arrived.
     */
    const showIncompleteLine = async () => {
      await nextTurn()
      await nextTurn()
      if (isWriting || full || !isIncomplete) return
      isIncomplete = false
      channel.send({ kind: 'show-incomplete', output })
    }

    const fail = (message: string) => {
      failure = new Error(message)
      pending?.reject(failure)
    }
    const discard = () => {
      channel.readers.delete(output)
      channel.send({ kind: 'drop', output })
    }
    const send = (rows: LogRows) => {
      if (full) return
      sending = sending.then(async () => {
        if (full) return
        const appended = await append(rows)
        if (!appended.full) return
        full = true
        discard()
        pending?.resolve()
      })
      // The next `write` or `end` reports a failure.
      sending.catch(() => {})
    }
    const request = async (order: Order) => {
      if (failure) throw failure
      const answered = new Promise<void>((resolve, reject) => {
        pending = { resolve, reject }
      })
      channel.send(order)
      await answered
      await sending
    }
    channel.readers.set(output, (answer) => {
      if (answer.kind === 'rows') send(answer.rows)
      else if (answer.kind === 'done') pending?.resolve()
      else if (answer.kind === 'incomplete') {
        isIncomplete = true
        void showIncompleteLine()
      } else fail(answer.message)
    })
    channel.send({ kind: 'open', output, stage, startedAt: (now ?? Date.now)() })
    return {
      async write(bytes) {
        if (full) return discardPace(bytes.length)
        isWriting = true
        try {
          // Transfers a copy to the thread, because a socket's buffer can share memory with others.
          await request({ kind: 'write', output, bytes: new Uint8Array(bytes) })
          await readPace(bytes.length)
        } finally {
          isWriting = false
        }
        if (isIncomplete) void showIncompleteLine()
      },
      async end() {
        if (!full) await request({ kind: 'end', output })
      },
      close: discard,
    }
  }

  return {
    stage(secrets) {
      const stage = (lastId += 1)
      let channel: Channel | undefined
      return {
        open(append) {
          current ??= openChannel()
          // A new thread does not know the secrets yet.
          if (channel !== current) {
            channel = current
            channel.send({ kind: 'stage', stage, secrets: secrets.map(({ name, data }) => ({ name, data })) })
          }
          return open(channel, stage, append)
        },
        close: () => channel?.send({ kind: 'stage-over', stage }),
      }
    },
    close: async () => void (await current?.close()),
  }
}
