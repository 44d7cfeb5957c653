/** Follows the changes of a wall opened by a link. */
import { client, send } from '../../api/client.ts'
import { readEventStream } from '../../api/event-stream.ts'

/** In milliseconds. A shorter disconnection is not shown. */
const quietMs = 1_500
const waitMs = { first: 500, max: 10_000 }

export interface WallListener {
  /** Something may have changed, so the wall is read again. */
  onChange: () => void
  onLost: (lost: boolean) => void
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs until `signal` aborts. After a disconnection the wall is read again as soon as the
 * connection is back.
 */
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
    // The link may have been revoked, which the next read shows.
    onChange()
    await delay(end === 'silent' ? 0 : wait)
    wait = Math.min(waitMs.max, wait * 2)
  }
}
