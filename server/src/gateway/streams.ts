/**
 * One event stream of the server for each person, however many windows are open. Requests with the
 * same credentials have the same rights; all others count as different people: no event of one
 * person ever reaches another.
 */
import type { IncomingMessage } from 'node:http'
import { nextTurn } from '../lib/event-loop.ts'
import { frameOf, type Frame, type StreamConnection } from '../lib/stream-connection.ts'
import type { Person } from './viewer-request.ts'
import { dataOf, framesOf, textOf, visiblePing } from './event-frames.ts'
import type { Upstream } from './upstream.ts'
import { monotonicMs } from '../lib/monotonic-time.ts'

export interface Streams {
  /**
   * The events for this person from now on, for one reader; `null` if the server answers without a
   * stream. Ends if the server's ends, and is cut where it breaks, where the reader is too slow, or
   * where the person is put out.
   */
  join(person: Person): Promise<StreamSubscription | null>
  /** Changes with each event to this person; `null` without an open stream. */
  proof(key: string): number | null
  /** Closes all streams of a person whose credentials are no longer valid. */
  putOut(key: string): void
  stop(): void
}

export interface StreamSubscription {
  /** Starts to write, with the events since. */
  attach: (connection: StreamConnection) => void
  /** For a client that has disconnected, even before it was attached. */
  leave: () => void
}

export interface StreamsOptions {
  /** Milliseconds for which an open stream counts as a new one of the same person. */
  reuseMs: number
  /** For how long the former stream is still listened to. */
  overlap: number
  /** Idle readers get a ping after this time. */
  ping: number
  /** After this time without data a new stream is requested from the server. */
  silent: number
  /**
   * A stream starts; `send` sends all readers of this person an additional event. Returns a
   * function that ends it.
   */
  onOpen(person: Person, send: (json: string) => void): () => void
  /** An event of the server. */
  onEvent(person: Person, json: string): void
}

interface Line {
  person: Person
  readers: Set<Reader>
  /** The last one is the present one. */
  sources: IncomingMessage[]
  openedAt: number
  /** When the server, and when we, last sent anything. */
  receivedAt: number
  sentAt: number
  opening: Promise<boolean> | null
  proof: number
  leave: () => void
  /** Texts of frames that readers are still to be written. */
  waiting: string[]
  isTelling: boolean
  /**
   * The server's stream has ended: the readers' streams end after their pending data is written.
   */
  isEnding: boolean
}

interface Reader {
  connection: StreamConnection | null
  /** What arrived before there was a reader. */
  pending: Frame[]
}

const path = '/api/stream'
/**
 * Bytes that wait for one reader. Beyond it the reader is cut: it connects again and reads the
 * present state.
 */
const maxWaiting = 1024 * 1024
/** Work in one turn of the event loop. */
const turnMs = 4

export function createStreams(upstream: Upstream, options: StreamsOptions): Streams {
  const lines = new Map<string, Line>()
  let proofs = 0

  function notify(line: Line, text: string): void {
    line.sentAt = monotonicMs()
    line.waiting.push(text)
    if (!line.isTelling) void sendQueued(line)
  }

  /**
   * The bytes are encoded once; there can be thousands of clients, so it yields to the event loop.
   */
  async function sendQueued(line: Line): Promise<void> {
    line.isTelling = true
    let startedAt = performance.now()
    while (line.waiting.length > 0) {
      const frame = frameOf(line.waiting.splice(0).join(''))
      for (const reader of line.readers) {
        if (performance.now() - startedAt >= turnMs) {
          await nextTurn()
          startedAt = performance.now()
        }
        write(line, reader, frame)
      }
    }
    line.isTelling = false
    if (line.isEnding) end(line, false)
  }

  function write(line: Line, reader: Reader, frame: Frame): void {
    const { connection, pending } = reader
    connection?.write(frame)
    if (!connection) pending.push(frame)
    const waits = connection?.waitingBytes() ?? pending.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (waits > maxWaiting) drop(line, reader, true)
  }

  function hear(line: Line, frame: string): void {
    if (frame.trimStart().startsWith(':')) return notify(line, visiblePing)
    proofs += 1
    line.proof = proofs
    notify(line, frame)
    const json = dataOf(frame)
    if (json !== null) options.onEvent(line.person, json)
  }

  function attach(line: Line, reader: Reader, connection: StreamConnection): void {
    reader.connection = connection
    for (const frame of reader.pending.splice(0)) connection.write(frame)
    // Its upstream stream has broken in the meantime.
    if (!line.readers.has(reader)) connection.cut()
    else connection.closeSignal.addEventListener('abort', () => drop(line, reader, false), { once: true })
  }

  /** The last one to leave ends the server's stream. */
  function drop(line: Line, reader: Reader, cut: boolean): void {
    if (!line.readers.delete(reader)) return
    if (cut) reader.connection?.cut()
    else reader.connection?.end()
    if (line.readers.size === 0 && !line.opening) close(line)
  }

  function close(line: Line): void {
    for (const source of line.sources.splice(0)) source.destroy()
    if (lines.get(line.person.key) !== line) return
    lines.delete(line.person.key)
    line.leave()
  }

  function end(line: Line, cut: boolean): void {
    for (const reader of line.readers) drop(line, reader, cut)
    close(line)
  }

  /** Opens the server's stream, or one that replaces an older one. */
  async function open(line: Line): Promise<boolean> {
    const source = await upstream.send({
      method: 'GET',
      target: path,
      headers: { ...line.person.headers, accept: 'text/event-stream', host: new URL(upstream.origin).host },
      timeoutMs: 30_000,
    })
    const isStream = source.headers['content-type']?.startsWith('text/event-stream')
    if (source.statusCode !== 200 || !isStream || lines.get(line.person.key) !== line) {
      source.destroy()
      return false
    }
    const former = line.sources.at(-1)
    line.sources.push(source)
    listen(line, source)
    line.openedAt = monotonicMs()
    line.receivedAt = line.openedAt
    // Drone sends the headers a moment before it subscribes; duplicate events are merged by
    // version.
    if (former) setTimeout(() => retire(line, former), options.overlap).unref()
    proofs += 1
    line.proof = proofs
    return true
  }

  function listen(line: Line, source: IncomingMessage): void {
    const isPresent = () => line.sources.at(-1) === source
    const take = framesOf((frame) => hear(line, frame))
    source.setEncoding('utf8')
    source.on('data', (text: string) => {
      if (isPresent()) line.receivedAt = monotonicMs()
      try {
        take(text)
      } catch {
        end(line, true)
      }
    })
    const broken = () => {
      if (isPresent()) end(line, true)
      else retire(line, source)
    }
    source.once('error', broken)
    source.once('aborted', broken)
    source.once('end', () => {
      if (!isPresent()) retire(line, source)
      else if (line.isTelling) line.isEnding = true
      else end(line, false)
    })
  }

  function retire(line: Line, source: IncomingMessage): void {
    const index = line.sources.indexOf(source)
    if (index >= 0) line.sources.splice(index, 1)
    source.destroy()
  }

  function lineOf(person: Person): Line {
    const cached = lines.get(person.key)
    if (cached) return cached
    const line: Line = {
      person,
      readers: new Set(),
      sources: [],
      openedAt: 0,
      receivedAt: 0,
      sentAt: 0,
      opening: null,
      proof: 0,
      leave: () => {},
      waiting: [],
      isTelling: false,
      isEnding: false,
    }
    lines.set(person.key, line)
    line.leave = options.onOpen(person, (json) => {
      proofs += 1
      line.proof = proofs
      notify(line, textOf(json))
    })
    return line
  }

  /**
   * Drone selects the repositories when a stream starts: a later reader gets what its own stream
   * would contain.
   */
  async function renew(line: Line): Promise<boolean> {
    if (line.sources.length > 0 && monotonicMs() - line.openedAt < options.reuseMs) return true
    return reopen(line)
  }

  function reopen(line: Line): Promise<boolean> {
    line.opening ??= open(line).finally(() => {
      line.opening = null
      if (line.readers.size === 0) close(line)
    })
    return line.opening
  }

  /**
   * Drone sends a ping after half a minute without any event: a person without access to a busy
   * server's builds gets nothing, like one whose connection is lost. Pages reconnect and reload
   * after a minute of silence, so the gateway checks which it is.
   */
  function pulse(): void {
    const now = monotonicMs()
    for (const line of lines.values()) {
      if (line.sources.length === 0) continue
      if (now - line.sentAt >= options.ping) notify(line, visiblePing)
      if (now - line.receivedAt < options.silent || line.opening) continue
      const lost = () => end(line, true)
      reopen(line).then((isThere) => isThere || lost(), lost)
    }
  }
  const timer = setInterval(pulse, Math.min(options.ping, options.silent) / 5)
  timer.unref()

  return {
    async join(person) {
      const line = lineOf(person)
      const reader: Reader = { connection: null, pending: [frameOf(visiblePing)] }
      // Subscribed before the request, so that the client misses no event.
      line.readers.add(reader)
      const leave = () => drop(line, reader, false)
      try {
        if (await renew(line)) return { attach: (connection) => attach(line, reader, connection), leave }
      } catch (error) {
        leave()
        throw error
      }
      leave()
      return null
    },
    proof(key) {
      const line = lines.get(key)
      return line && line.sources.length > 0 && !line.opening ? line.proof : null
    },
    putOut(key) {
      const line = lines.get(key)
      if (line) end(line, true)
    },
    stop() {
      clearInterval(timer)
      for (const line of lines.values()) end(line, true)
    },
  }
}
