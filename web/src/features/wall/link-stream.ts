/** Follows the changes of a wall that was opened by a link. */
import { client, send } from '../../api/client.ts'
import { readEventStream } from '../../api/event-stream.ts'

/** Milliseconds. A shorter disconnection is not shown. */
const quietMs = 1_500
const waitMs = { first: 500, max: 10_000 }

export interface WallListener {
  /** Something may be another: it is to be read again. */
  onChange: () => void
  onLost: (lost: boolean) => void
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Until `signal` aborts. What happened while there was no connection is read again as soon as there is one. */
export const followWall = async (signal: AbortSignal, { onChange, onLost }: WallListener): Promise<void> => {
  let wait = waitMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  const decoder = new TextDecoder()
  while (!signal.aborted) {
    const onOpen = (): void => {
      clearTimeout(timer)
      timer = undefined
      wait = waitMs.first
      onLost(false)
      onChange()
    }
    const onBytes = (bytes: Uint8Array): undefined => {
      if (decoder.decode(bytes).includes('event: change')) onChange()
    }
    const end = await readEventStream(client.url('/api/wall/stream'), { signal, onOpen, onBytes }, send)
    if (signal.aborted) return
    timer ??= setTimeout(() => onLost(true), quietMs)
    // The link may have ended, which the answer to the next read says.
    onChange()
    await delay(end === 'silent' ? 0 : wait)
    wait = Math.min(waitMs.max, wait * 2)
  }
}
