/** For tests: the connection of an event stream whose client is simulated. */
import type { Frame, StreamConnection } from '../lib/stream-connection.ts'

export interface TestConnection extends StreamConnection {
  /** The written frames. */
  frames: Frame[]
  text: () => string
  /** Whether the reader reads; initially true. */
  takes: boolean
  /** Reads everything pending. */
  drain: () => void
  leave: () => void
  how: () => 'open' | 'ended' | 'cut' | 'left'
}

export function createTestConnection(): TestConnection {
  const over = new AbortController()
  const frames: Frame[] = []
  let waiting = 0
  let onDrained = () => {}
  let how: ReturnType<TestConnection['how']> = 'open'
  const finish = (as: typeof how) => () => {
    if (over.signal.aborted) return
    how = as
    over.abort()
  }
  const connection: TestConnection = {
    frames,
    takes: true,
    text: () => frames.map(({ bytes }) => Buffer.from(bytes).toString()).join(''),
    how: () => how,
    drain() {
      connection.takes = true
      waiting = 0
      onDrained()
    },
    leave: finish('left'),
    closeSignal: over.signal,
    waitingBytes: () => waiting,
    write(frame) {
      if (over.signal.aborted) return
      frames.push(frame)
      if (!connection.takes) waiting += frame.bytes.length
    },
    onceDrained: (listener) => (onDrained = listener),
    end: finish('ended'),
    cut: finish('cut'),
  }
  return connection
}
