/**
 * Turns the bytes that steps print into rows of their logs: decodes, masks, splits into lines and
 * encodes. Runs in a separate thread (`output-worker.ts`), because a step can print a million lines
 * a second. Each batch is limited in bytes and lines, and other steps get their turn between two
 * batches.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeRow, type LogRows } from '../../lib/log-rows.ts'
import { compileMask, Masker } from '../../pipeline/mask.ts'
import { createLineSplitter } from './line-splitter.ts'
import type { Answer, Order } from './output-messages.ts'
import { monotonicMs } from '../../lib/monotonic-time.ts'

/** An incomplete line is shown after this time, so that a prompt or a progress bar is visible. */
const incompleteLineMs = 700
/**
 * The number of bytes that are decoded and masked at a time. Masking a short secret that has a long
 * name can make the text 250 times as long.
 */
const maxSliceBytes = 8 * 1024
/** A batch of rows is sent when it has this many rows, or this many characters. */
const maxBatchRows = 2_048
const maxBatchLength = 64 * 1024

interface StepOutput {
  /** Yields batches of at most `maxBatchRows` rows, and of about `maxBatchLength` characters. */
  push(bytes: Uint8Array): Generator<LogRows>
  end(): Generator<LogRows>
  /** Yields the incomplete line. */
  incompleteLine(): Generator<LogRows>
  isWaiting(): boolean
}

function createStepOutput(masker: Masker, startedAt: number, now: () => number): StepOutput {
  // Invalid UTF-8 becomes replacement characters; a character that spans two chunks stays whole.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const splitter = createLineSplitter()
  let pos = 0

  function* batches(entries: Iterable<string>): Generator<LogRows> {
    const tenths = Math.floor(Math.max(0, now() - startedAt) / 100)
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
      text += encodeRow({ pos, out, time, tenth, ...(pos === 0 && { began: startedAt }) })
      pos += 1
      count += 1
      if (count >= maxBatchRows || text.length >= maxBatchLength) yield take()
    }
    if (count > 0) yield take()
  }
  const incompleteLine = () => batches([splitter.flush()].filter(Boolean))

  return {
    *push(bytes) {
      for (let at = 0; at < bytes.length; at += maxSliceBytes) {
        const text = decoder.decode(bytes.subarray(at, at + maxSliceBytes), { stream: true })
        yield* batches(splitter.push(masker.push(text)))
      }
    },
    *end() {
      yield* batches(splitter.push(masker.push(decoder.decode()) + masker.flush()))
      yield* incompleteLine()
    },
    incompleteLine,
    isWaiting: () => splitter.isWaiting(),
  }
}

/**
 * Replies are sent with `reply`, in order for each output. `now` returns monotonic milliseconds;
 * tests replace it.
 */
export function createOrderHandler(reply: (answer: Answer) => void, now = monotonicMs): (order: Order) => void {
  const masks = new Map<number, ReturnType<typeof compileMask>>()
  const outputs = new Map<
    number,
    { push: (bytes: Uint8Array) => void; showIncompleteLine: () => void; end: () => void; drop: () => void }
  >()

  function open(output: number, stage: number, startedAt: number) {
    // Times of lines are durations, so they must not depend on changes of the system clock.
    const offsetMs = startedAt - now()
    const step = createStepOutput(new Masker(masks.get(stage) ?? []), startedAt, () => now() + offsetMs)
    let timer: NodeJS.Timeout | undefined
    /** Whether the server knows that there is an incomplete line. */
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
    const showIncompleteLine = () => {
      if (!isReported) return
      isReported = false
      for (const rows of step.incompleteLine()) send(rows)
    }
    /** Callers wait for one call before the next, so calls never overlap. */
    async function run(batches: Generator<LogRows>): Promise<void> {
      for (const rows of batches) {
        if (dropped) return
        // A line has ended, so the incomplete line is new.
        stopTimer()
        send(rows)
        await nextTurn()
      }
      if (!dropped && !isReported && step.isWaiting()) timer ??= setTimeout(report, incompleteLineMs)
    }
    const answer = (work: Promise<void>): void => {
      void work.then(
        () => reply({ kind: 'done', output }),
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
      showIncompleteLine,
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
    else if (order.kind === 'open') open(order.output, order.stage, order.startedAt)
    else if (order.kind === 'write') outputs.get(order.output)?.push(order.bytes)
    else if (order.kind === 'show-incomplete') outputs.get(order.output)?.showIncompleteLine()
    else if (order.kind === 'end') outputs.get(order.output)?.end()
    else outputs.get(order.output)?.drop()
  }
}
