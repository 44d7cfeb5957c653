import type { Line } from '@flightdeck/api'
import type { Masker } from '../pipeline/mask.ts'
import { createLineSplitter } from './processes/lines.ts'

/** The beginning of a line is shown after this time, so that a prompt or a progress bar can be seen. */
const patience = 700

export interface OutputOptions {
  masker: Masker
  append(lines: readonly Line[]): Promise<void>
  /** Milliseconds; for tests. */
  now?: () => number
}

export interface Output {
  /** Resolves when the log has it. */
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

/** From the bytes of a step to the entries of its log: decoded, masked, cut into lines. */
export function createOutput({ masker, now = Date.now, ...options }: OutputOptions): Output {
  const began = now()
  // Bytes that are no UTF-8 become replacement characters; a character that two chunks share stays whole.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const clock = (pos: number) => {
    const tenths = Math.floor(Math.max(0, now() - began) / 100)
    const time = { time: Math.floor(tenths / 10), tenth: tenths % 10 }
    return pos === 0 ? { ...time, began } : time
  }
  const splitter = createLineSplitter(clock)
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const send = (lines: Line[]): Promise<void> => {
    if (lines.length > 0) sending = sending.then(() => options.append(lines))
    return sending
  }
  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const showBeginning = () => {
    timer = undefined
    // Who fails here fails again at the next write or at the end.
    send(splitter.flush()).catch(() => {})
  }

  return {
    async write(bytes) {
      const lines = splitter.push(masker.push(decoder.decode(bytes, { stream: true })))
      // A line has ended, so what waits now has just begun.
      if (lines.length > 0) stopTimer()
      if (splitter.waiting()) timer ??= setTimeout(showBeginning, patience)
      await send(lines)
    },
    async end() {
      stopTimer()
      const lines = splitter.push(masker.push(decoder.decode()) + masker.flush())
      await send([...lines, ...splitter.flush()])
    },
  }
}
