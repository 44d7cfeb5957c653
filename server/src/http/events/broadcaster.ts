/**
 * Sends build events to all readers of the event streams. It subscribes to the bus once, encodes an
 * event once, and writes the bytes to the socket of each reader that may see it, for a few
 * milliseconds in each turn of the event loop, so that reports of runners and calls of people are
 * processed in between. Readers that keep up get every event; a slow reader gets the latest state
 * of each build once it has read its pending data.
 */
import type { BuildEventMessage, EventBus } from '../../interfaces/events.ts'
import { nextTurn } from '../../lib/event-loop.ts'
import { behindBytes, type Frame, type StreamConnection } from '../../lib/stream-connection.ts'
import type { RightsWatch } from '../../store/rights.ts'
import { pingFrame, visiblePing } from '../event-stream.ts'
import type { MissedEvent } from '../../interfaces/figures.ts'
import { endWhenRefused } from '../stream-rights.ts'
import type { Answer } from './event-rights.ts'
import { framesOf, latestOfEach, type QueuedEvent } from './event-frames.ts'
import { createLatestStates, type LatestStatesLimits } from './latest-states.ts'

/** Readers with the same credential and the same request: what one of them may see, all may see. */
export interface Audience {
  key: string
  /** With the rights as they are now; false for a credential that is not good any more. */
  canSee(message: BuildEventMessage): Answer<boolean>
  /** Whether the credential is still good, and the stream still allowed. */
  canStay(): Promise<boolean>
}

interface JoinOptions {
  /** `rights.version()` when this reader was let in. */
  judged: number | undefined
  /** Starts with the states of recently published builds. */
  wantsRecent: boolean
}

export interface Broadcaster {
  join(connection: StreamConnection, audience: Audience, options: JoinOptions): void
}

interface Reader {
  connection: StreamConnection
  group: Group
  /** Of the last event that it got, or that was not for it. */
  sequence: number
  /**
   * The turn in which something was last written to it (`performance.now`): reading the clock once
   * more costs as much as the rest.
   */
  writtenAt: number
  isBehind: boolean
}

interface Group {
  audience: Audience
  readers: Set<Reader>
  over: AbortController
  askAgain: () => void
}

interface BroadcasterOptions {
  events: EventBus
  rights: RightsWatch
  /** Silence after which a reader gets a ping, in milliseconds; it may be a sixth more. */
  pingMs: number
  failed: (error: unknown) => void
  /** Receives the number of skipped events and disconnected readers. */
  missed?: (what: MissedEvent) => void
  /** For subscribers that lag. */
  limits?: LatestStatesLimits
}

/** Work in one turn of the event loop. */
const turnMs = 4

/**
 * What the readers of a group see of some events, and the state of rights by which that is known.
 */
interface Look {
  group: Group
  version: number
  visible: readonly boolean[]
}

function byGroup(readers: Iterable<Reader>): Map<Group, Reader[]> {
  const groups = new Map<Group, Reader[]>()
  for (const reader of readers) {
    const others = groups.get(reader.group)
    if (others) others.push(reader)
    else groups.set(reader.group, [reader])
  }
  return groups
}

export function createBroadcaster({
  events,
  rights,
  pingMs,
  failed,
  missed = () => {},
  limits,
}: BroadcasterOptions): Broadcaster {
  const groups = new Map<string, Group>()
  /** Events to send, the oldest first. */
  let waiting: QueuedEvent[] = []
  let sequence = 0
  const latest = createLatestStates(limits)
  const delayed = new Set<Reader>()
  /** Lagging subscribers that have read their pending data. */
  const drained = new Set<Reader>()
  /** They want to know what they have missed. */
  const newcomers = new Set<Reader>()
  let isPingDue = false
  let isRunning = false
  let leaveBus: (() => void) | undefined
  let pingTimer: NodeJS.Timeout | undefined
  let turnBegan = 0

  const countReaders = () => {
    let count = 0
    for (const { readers } of groups.values()) count += readers.size
    return count
  }

  const isLong = () => performance.now() - turnBegan >= turnMs

  async function nextOwnTurn(): Promise<void> {
    await nextTurn()
    turnBegan = performance.now()
  }

  function hear(message: BuildEventMessage): void {
    sequence += 1
    waiting.push({ sequence, message })
    latest.add(sequence, message)
    wake()
  }

  function wake(): void {
    if (isRunning) return
    isRunning = true
    void run()
  }

  async function run(): Promise<void> {
    try {
      while (waiting.length > 0 || newcomers.size > 0 || drained.size > 0 || isPingDue) {
        turnBegan = performance.now()
        await sendQueued()
        await sendToNewSubscribers()
        for (const reader of drained) await catchUp(reader)
        if (isPingDue) await pingAll()
        if (delayed.size === 0 && waiting.length === 0) latest.clear()
      }
    } catch (error) {
      failed(error)
      // Events that were taken may not have reached everyone: readers connect again, and read the
      // present state.
      for (const group of groups.values()) end(group)
    } finally {
      isRunning = false
    }
  }

  async function sendQueued(): Promise<void> {
    const queued = latestOfEach(waiting)
    waiting = []
    if (queued.length === 0) return
    const checks = await lookAll(groups.values(), queued)
    // The request that changed the build is answered before subscribers are notified.
    await nextOwnTurn()
    const frames = framesOf(queued)
    for (const check of checks) await notify(check, check.group.readers, queued, frames)
  }

  async function sendToNewSubscribers(): Promise<void> {
    if (newcomers.size === 0) return
    const newByGroup = byGroup(newcomers)
    newcomers.clear()
    const queued = (await events.recent()).map((message) => ({ sequence: 0, message }))
    if (queued.length === 0) return
    const checks = await lookAll(newByGroup.keys(), queued)
    const frames = framesOf(queued)
    for (const check of checks) await notify(check, newByGroup.get(check.group) ?? [], queued, frames)
  }

  /**
   * Checks what each group can see when the event is published: a right granted later does not
   * reveal earlier events.
   */
  async function lookAll(all: Iterable<Group>, queued: readonly QueuedEvent[]): Promise<Look[]> {
    const checks: Look[] = []
    for (const group of all) {
      if (isLong()) await nextOwnTurn()
      const check = { group, version: rights.version(), visible: queued.map(() => true) }
      const answer = recheck(check, queued)
      if (answer === true || (await answer)) checks.push(check)
    }
    return checks
  }

  /**
   * Takes away what may not be seen (any more); false where that cannot be known, and the readers
   * go.
   */
  function recheck(check: Look, queued: readonly QueuedEvent[]): Answer<boolean> {
    const narrow = (answers: readonly boolean[]) => {
      check.visible = check.visible.map((isVisible, index) => isVisible && answers[index] === true)
      return true
    }
    const failed = (error: unknown) => {
      refuse(check.group, error)
      return false
    }
    try {
      check.version = rights.version()
      const answers = queued.map(({ message }) => check.group.audience.canSee(message))
      if (!answers.some((answer) => answer instanceof Promise)) return narrow(answers as boolean[])
      return Promise.all(answers.map((answer) => Promise.resolve(answer)))
        .then(narrow)
        .catch(failed)
    } catch (error) {
      return failed(error)
    }
  }

  /** One check serves all subscribers of a group, until rights change. */
  async function notify(
    check: Look,
    readers: Iterable<Reader>,
    queued: readonly QueuedEvent[],
    frames: ReturnType<typeof framesOf>,
  ): Promise<void> {
    const last = queued.at(-1)?.sequence ?? 0
    let frame = frames(check.visible)
    for (const reader of readers) {
      if (isLong()) await nextOwnTurn()
      if (check.version !== rights.version()) {
        while (check.version !== rights.version()) if (!(await recheck(check, queued))) return
        frame = frames(check.visible)
      }
      if (reader.isBehind && frame) missed('skipped')
      // It has joined in the meantime, or lags.
      if (reader.isBehind || (last > 0 && reader.sequence >= last)) continue
      reader.sequence = Math.max(reader.sequence, last)
      if (frame) write(reader, frame)
    }
  }

  function write(reader: Reader, frame: Frame): void {
    reader.connection.write(frame)
    reader.writtenAt = turnBegan
    if (reader.connection.waitingBytes() <= behindBytes) return
    reader.isBehind = true
    delayed.add(reader)
    reader.connection.onceDrained(() => {
      drained.add(reader)
      wake()
    })
  }

  /** Sends a lagging subscriber the current state of the builds that it has missed. */
  async function catchUp(reader: Reader): Promise<void> {
    drained.delete(reader)
    if (!reader.group.readers.has(reader)) return
    const later = latest.since(reader.sequence)
    // It connects again, and reads the present state.
    if (!later) {
      missed('cut')
      return reader.connection.cut()
    }
    reader.isBehind = false
    delayed.delete(reader)
    for (const one of later) {
      const [check] = await lookAll([reader.group], [one])
      if (check) await notify(check, [reader], [one], framesOf([one]))
      if (reader.isBehind) return
    }
  }

  async function pingAll(): Promise<void> {
    isPingDue = false
    const silentSince = performance.now() - pingMs
    for (const { readers } of groups.values()) {
      for (const reader of readers) {
        if (isLong()) await nextOwnTurn()
        if (!reader.isBehind && reader.writtenAt <= silentSince) write(reader, visiblePing)
      }
    }
  }

  /**
   * A rights check failed. Clients reconnect and get the error, so none misses an event unnoticed.
   */
  function refuse(group: Group, error: unknown): void {
    failed(error)
    end(group)
  }

  function end(group: Group): void {
    close(group)
    void endAll([...group.readers])
  }

  async function endAll(readers: readonly Reader[]): Promise<void> {
    let startedAt = performance.now()
    for (const { connection } of readers) {
      if (performance.now() - startedAt >= turnMs) {
        await nextTurn()
        startedAt = performance.now()
      }
      connection.end()
    }
  }

  function close(group: Group): void {
    group.over.abort()
    if (groups.get(group.audience.key) === group) groups.delete(group.audience.key)
    if (groups.size > 0) return
    leaveBus?.()
    leaveBus = undefined
    clearInterval(pingTimer)
    latest.clear()
    waiting = []
  }

  function leave(reader: Reader): void {
    delayed.delete(reader)
    drained.delete(reader)
    newcomers.delete(reader)
    reader.group.readers.delete(reader)
    if (reader.group.readers.size === 0) close(reader.group)
  }

  function open(audience: Audience, judged: number | undefined): Group {
    const group: Group = { audience, readers: new Set(), over: new AbortController(), askAgain: () => {} }
    groups.set(audience.key, group)
    group.askAgain = endWhenRefused(rights, {
      may: () => audience.canStay(),
      judged,
      closeSignal: group.over.signal,
      end: () => end(group),
      failed,
    })
    if (leaveBus) return group
    leaveBus = events.subscribe(hear, countReaders)
    pingTimer = setInterval(
      () => {
        isPingDue = true
        wake()
      },
      Math.max(1, pingMs / 6),
    )
    // A stream must not keep a server alive that is about to end.
    pingTimer.unref()
    return group
  }

  return {
    join(connection, audience, { judged, wantsRecent }) {
      if (connection.closeSignal.aborted) return
      const cached = groups.get(audience.key)
      const group = cached ?? open(audience, judged)
      // Rights may have changed since the request was authorized.
      if (cached && judged !== rights.version()) cached.askAgain()
      const reader: Reader = { connection, group, sequence, writtenAt: performance.now(), isBehind: false }
      group.readers.add(reader)
      connection.closeSignal.addEventListener('abort', () => leave(reader), { once: true })
      connection.write(pingFrame)
      if (!wantsRecent) return
      newcomers.add(reader)
      wake()
    },
  }
}
