/** What waits for one reader of build events: of each build its latest state, in the order of these states. */
import type { BuildEventMessage, EventBus } from '../interfaces/events.ts'
import type { Sink } from './event-stream.ts'

export interface Outbox {
  /** Ends when the reader has gone. */
  messages: AsyncIterable<BuildEventMessage>
  leave(): void
}

/** `missed`: it begins with the builds that were told a moment ago (see `EventBus`). */
export function createOutbox(
  events: EventBus,
  sink: Pick<Sink, 'reserve'>,
  signal: AbortSignal,
  options: { missed: boolean },
): Outbox {
  const waiting = new Map<number, BuildEventMessage>()
  let wake = () => {}
  const take = (message: BuildEventMessage) => {
    // Its place is reserved already, if an older state of this build waits.
    if (!waiting.delete(message.buildId)) sink.reserve()
    waiting.set(message.buildId, message)
    wake()
  }
  const leave = events.subscribe(take, options)
  signal.addEventListener('abort', () => wake())

  async function* messages(): AsyncGenerator<BuildEventMessage> {
    while (!signal.aborted) {
      const next = waiting.values().next()
      if (next.done) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      waiting.delete(next.value.buildId)
      yield next.value
    }
  }
  return { messages: messages(), leave }
}
