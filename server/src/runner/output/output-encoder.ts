/**
 * From the bytes of steps to the rows of their logs: decoded, masked, cut into lines, encoded. It runs in a thread of its own
 * (`worker.ts`), because a step may print a million lines a second. What it makes is bounded by bytes and by lines, and between
 * two pieces the other steps have their turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeRow, type LogRows } from '../../lib/log-rows.ts'
import { compileMask, Masker } from '../../pipeline/mask.ts'
import { createLineSplitter } from './line-splitter.ts'
import type { Answer, Order } from './output-messages.ts'
import { monotonicMs } from '../../lib/monotonic-time.ts'

/** The beginning of a line is shown after this time, so that a prompt or a progress bar can be seen. */
const beginningMs = 700
/** What is decoded and masked at a time: a short secret with a long name makes 250 times as much of it. */
const maxSliceBytes = 8 * 1024
/** A batch of rows is sent at this many rows, or this much text. */
const maxPieceRows = 2_048
const maxPieceLength = 64 * 1024

interface StepOutput {
  /** Pieces of at most about `maxPieceLength`, and at most `maxPieceRows`. */
  push(bytes: Uint8Array): Generator<LogRows>
  end(): Generator<LogRows>
  /** An incomplete line. */
  beginning(): Generator<LogRows>
  isWaiting(): boolean
}

function createStepOutput(masker: Masker, began: number, now: () => number): StepOutput {
  // Bytes that are no UTF-8 become replacement characters; a character that two chunks share stays whole.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const splitter = createLineSplitter()
  let pos = 0

  function* pieces(entries: Iterable<string>): Generator<LogRows> {
    const tenths = Math.floor(Math.max(0, now() - began) / 100)
    const [time, tenth] = [Math.floor(tenths / 10), tenths % 10]
    let text = ''
    let count = 0
    const take = (): LogRows => {
      const rows = { bytes: encoder.encode(text), count, pos: pos - count, time }
      text = ''
      count = 0
      return rows
    }
    for (const out of entries) {
      text += encodeRow({ pos, out, time, tenth, ...(pos === 0 && { began }) })
      pos += 1
      count += 1
      if (count >= maxPieceRows || text.length >= maxPieceLength) yield take()
    }
    if (count > 0) yield take()
  }
  const beginning = () => pieces([splitter.flush()].filter(Boolean))

  return {
    *push(bytes) {
      for (let at = 0; at < bytes.length; at += maxSliceBytes) {
        const text = decoder.decode(bytes.subarray(at, at + maxSliceBytes), { stream: true })
        yield* pieces(splitter.push(masker.push(text)))
      }
    },
    *end() {
      yield* pieces(splitter.push(masker.push(decoder.decode()) + masker.flush()))
      yield* beginning()
    },
    beginning,
    isWaiting: () => splitter.isWaiting(),
  }
}

/** Answers go to `tell`, in order for each output. `now`: monotonic milliseconds, for tests. */
export function createOrderHandler(reply: (answer: Answer) => void, now = monotonicMs): (order: Order) => void {
  const masks = new Map<number, ReturnType<typeof compileMask>>()
  const outputs = new Map<
    number,
    { push: (bytes: Uint8Array) => void; showBeginning: () => void; end: () => void; drop: () => void }
  >()

  function open(output: number, stage: number, began: number) {
    // Times of lines are durations: they must not follow the clock of the machine.
    const offsetMs = began - now()
    const step = createStepOutput(new Masker(masks.get(stage) ?? []), began, () => now() + offsetMs)
    let timer: NodeJS.Timeout | undefined
    /** The server knows that a line has waited for its end. */
    let isReported = false
    let dropped = false
    const stopTimer = () => {
      clearTimeout(timer)
      timer = undefined
      isReported = false
    }
    const send = (rows: LogRows) => {
      reply({ kind: 'rows', output, rows })
    }
    const report = () => {
      timer = undefined
      isReported = true
      reply({ kind: 'incomplete', output })
    }
    const showBeginning = () => {
      if (!isReported) return
      isReported = false
      for (const rows of step.beginning()) send(rows)
    }
    /** Asked for one at a time, so that no two are at work. */
    async function run(pieces: Generator<LogRows>): Promise<void> {
      for (const rows of pieces) {
        if (dropped) return
        // A line has ended, so what waits now has just begun.
        stopTimer()
        send(rows)
        await nextTurn()
      }
      if (!dropped && !isReported && step.isWaiting()) timer ??= setTimeout(report, beginningMs)
    }
    const answer = (work: Promise<void>): void => {
      void work.then(
        () => reply({ kind: 'taken', output }),
        (error: unknown) => reply({ kind: 'failed', output, message: String(error) }),
      )
    }
    const drop = () => {
      dropped = true
      stopTimer()
      outputs.delete(output)
    }
    outputs.set(output, {
      push: (bytes) => answer(run(step.push(bytes))),
      showBeginning,
      end() {
        stopTimer()
        answer(run(step.end()).finally(drop))
      },
      drop,
    })
  }

  return (order) => {
    if (order.kind === 'stage') masks.set(order.stage, compileMask(order.secrets))
    else if (order.kind === 'stage-over') masks.delete(order.stage)
    else if (order.kind === 'open') open(order.output, order.stage, order.began)
    else if (order.kind === 'write') outputs.get(order.output)?.push(order.bytes)
    else if (order.kind === 'beginning') outputs.get(order.output)?.showBeginning()
    else if (order.kind === 'end') outputs.get(order.output)?.end()
    else outputs.get(order.output)?.drop()
  }
}
