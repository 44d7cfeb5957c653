/** The bytes of build events, encoded once for all readers that see the same ones. */
import type { BuildEventMessage } from '../../interfaces/events.ts'
import { frameOf, type Frame } from '../../lib/stream-connection.ts'

/** An event with its place in the order of all. */
export interface QueuedEvent {
  sequence: number
  message: BuildEventMessage
}

/** Characters of events that are sent individually, even if several concern the same build. */
const maxLength = 1024 * 1024

/** When a large number of events is queued, only each build's last one. */
export function latestOfEach(queued: readonly QueuedEvent[]): readonly QueuedEvent[] {
  if (queued.reduce((sum, { message }) => sum + message.json.length, 0) <= maxLength) return queued
  const latest = new Map<number, QueuedEvent>()
  for (const one of queued) {
    latest.delete(one.message.buildId)
    latest.set(one.message.buildId, one)
  }
  return [...latest.values()]
}

/** The last frame of all messages: clients that connect one after the other share it. */
let lastMade: { messages: readonly BuildEventMessage[]; frame: Frame } | undefined

function frameOfAll(messages: readonly BuildEventMessage[]): Frame {
  const known = lastMade
  if (known?.messages.length === messages.length && messages.every((one, index) => one === known.messages[index])) {
    return known.frame
  }
  const frame = frameOf(messages.map(({ json }) => `data: ${json}\n\n`).join(''))
  lastMade = { messages, frame }
  return frame
}

/** Number of cached selections: thousands of users can each see different builds. */
const maxChoices = 64

/**
 * Returns a function that maps which of the `queued` events a subscriber sees to its frame; `null`
 * if it sees none.
 */
export function framesOf(queued: readonly QueuedEvent[]): (visible: readonly boolean[]) => Frame | null {
  const frameByKey = new Map<string, Frame | null>()
  return (visible) => {
    const key = visible.map(Number).join('')
    const made = frameByKey.get(key)
    if (made !== undefined) return made
    const messages = queued.filter((_, index) => visible[index]).map(({ message }) => message)
    const frame = messages.length > 0 ? frameOfAll(messages) : null
    if (frameByKey.size >= maxChoices) frameByKey.clear()
    frameByKey.set(key, frame)
    return frame
  }
}
