/**
 * Takes requests one at a time from each connection and leaves the client's remaining bytes unread.
 *
 * Node parses everything that arrives in one piece within one turn of the event loop: 300
 * connections that each pipeline 500 requests hold it for seconds. Here bytes reach Node's parser
 * one request at a time, and the next request of a connection only after the answer to the one
 * before. Connections take turns; those that pipeline come after those with a single request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Budget of requests per turn of the event loop: parsing, the handler, and its synchronous work.
 */
const maxTurnMs = 2

/**
 * While connections arrive, bulk requests run in one turn of the event loop out of this time only.
 * Node accepts one connection per turn, so turns must be short for many connections to be accepted
 * quickly, and for the requests of those that come after them.
 */
const maxBulkWaitMs = 20

/**
 * Bytes read ahead from a connection whose requests wait, to notice that a client disconnects. One
 * more read, of 64 KiB, can follow.
 */
const maxReadAheadBytes = 16 * 1024

/** The only end of a request head: Node's parser refuses bare line feeds. */
const headEnd = '\r\n\r\n'

/**
 * Responses that may be very large, or streams, which clients reopen all at the same time after a
 * restart: their requests come after all others.
 */
const bulkRequest = /^GET \/api\/(?:repos\/[^/ ]+\/[^/ ]+\/builds\/\d+\/logs\/|stream[/? ])/
const maxRequestLineBytes = 512

const isBulk = (chunk: Buffer | null | undefined): boolean =>
  bulkRequest.test(chunk?.toString('latin1', 0, maxRequestLineBytes) ?? '')

type Push = (chunk: Buffer | null, encoding?: BufferEncoding) => boolean

export interface RequestQueue {
  /** Whether this connection has unanswered or unparsed requests. */
  isBusy: (socket: Socket) => boolean
  /** Must be called for each request before it is handled. */
  begin: (incoming: IncomingMessage, outgoing: ServerResponse) => void
}

interface Connection {
  socket: Socket
  /** Bytes not yet passed to Node; `null` at the end of the client's data. */
  chunks: (Buffer | null)[]
  push: Push
  /**
   * Unanswered requests: one, or two if the first one's body and the next head arrived in one
   * chunk.
   */
  open: number
  last: IncomingMessage | undefined
  isQueued: boolean
  /** Node asked for more bytes while some were buffered. */
  wantsMore: boolean
  read(): void
}

/** Applies to every connection of `server`, from now on. */
export function queueRequests(server: Server): RequestQueue {
  const connections = new WeakMap<Socket, Connection>()
  const turns = createTurns()

  /** A request waits for the previous answer; a body never waits. */
  const isReady = ({ chunks, open, last, socket }: Connection) =>
    chunks.length > 0 && !socket.destroyed && (open === 0 || last?.complete === false)

  function queue(connection: Connection, isFirst: boolean): void {
    if (connection.isQueued) return
    if (!isReady(connection)) return endIfGone(connection)
    connection.isQueued = true
    turns.add(() => {
      connection.isQueued = false
      if (isReady(connection)) pushSlice(connection)
      queue(connection, false)
    }, isFirst)
  }

  server.on('connection', (socket) => {
    turns.noteArrival()
    const connection = hold(socket, () => {
      const { chunks } = connection
      queue(connection, chunks.length === 1 && !isBulk(chunks[0]))
    })
    connections.set(socket, connection)
  })
  return {
    isBusy(socket) {
      const connection = connections.get(socket)
      return connection !== undefined && (connection.open > 0 || connection.chunks.length > 0)
    },
    begin(incoming, outgoing) {
      const connection = connections.get(incoming.socket)
      if (!connection) return
      connection.open += 1
      connection.last = incoming
      outgoing.once('close', () => {
        connection.open -= 1
        queue(connection, false)
      })
    },
  }
}

/**
 * Inserts itself between the system's reads and Node's parser. `onHeld` is called when bytes are
 * buffered.
 */
function hold(socket: Socket, onHeld: () => void): Connection {
  const connection: Connection = {
    socket,
    chunks: [],
    push: socket.push.bind(socket),
    open: 0,
    last: undefined,
    isQueued: false,
    wantsMore: false,
    read: socket['_read'].bind(socket, 0),
  }
  // Returning `false` makes Node stop reading from the system until `_read` is called.
  socket.push = (chunk: Buffer | null) => {
    connection.chunks.push(chunk)
    onHeld()
    return connection.chunks.reduce((bytes, each) => bytes + (each?.length ?? 0), 0) < maxReadAheadBytes
  }
  socket['_read'] = () => {
    if (connection.chunks.length > 0) connection.wantsMore = true
    else connection.read()
  }
  socket.once('close', () => (connection.chunks = []))
  // Node's parser reads directly from the system, bypassing the stream, until the stream has
  // another listener.
  socket.on('data', () => {})
  return connection
}

/**
 * A client that closes its side is gone, as in Node: what it sent after an unanswered request is
 * dropped.
 */
function endIfGone(connection: Connection): void {
  if (connection.chunks.at(-1) !== null) return
  connection.chunks = []
  connection.push(null)
}

/** Passes Node the bytes up to the end of the next head. */
function pushSlice(connection: Connection): void {
  const chunk = connection.chunks[0] ?? null
  const end = chunk === null ? -1 : chunk.indexOf(headEnd)
  const sliceBytes = end + headEnd.length
  if (chunk !== null && end >= 0 && sliceBytes < chunk.length) {
    connection.chunks[0] = chunk.subarray(sliceBytes)
    connection.push(chunk.subarray(0, sliceBytes))
    return
  }
  connection.chunks.shift()
  connection.push(chunk)
  if (connection.chunks.length > 0 || !connection.wantsMore) return
  connection.wantsMore = false
  connection.read()
}

/** Runs jobs one after the other, as many per turn of the event loop as its time budget allows. */
function createTurns() {
  const first: (() => void)[] = []
  const further: (() => void)[] = []
  let isRunning = false
  let spentMs = 0
  let isTurnCounted = false
  let turnsSinceArrival = 0
  let furtherAtMs = 0

  /** Whether the jobs that are not first leave this turn to connections that arrive. */
  function furtherWait(): boolean {
    const nowMs = performance.now()
    if (turnsSinceArrival < 2 && nowMs - furtherAtMs < maxBulkWaitMs) return true
    furtherAtMs = nowMs
    return false
  }
  function next(): (() => void) | undefined {
    if (spentMs >= maxTurnMs) return undefined
    return first.shift() ?? (further.length === 0 || furtherWait() ? undefined : further.shift())
  }
  function run(): void {
    if (first.length + further.length > 0) countTurn()
    const job = next()
    isRunning = job !== undefined
    if (!job) return
    const beganMs = performance.now()
    job()
    // Runs after everything that the job started and that needs no I/O.
    process.nextTick(() => {
      spentMs += performance.now() - beganMs
      run()
    })
  }
  function countTurn(): void {
    if (isTurnCounted) return
    isTurnCounted = true
    setImmediate(() => {
      spentMs = 0
      isTurnCounted = false
      turnsSinceArrival += 1
      if (!isRunning) run()
    })
  }
  return {
    noteArrival(): void {
      turnsSinceArrival = 0
    },
    add(job: () => void, isFirst: boolean): void {
      ;(isFirst ? first : further).push(job)
      if (!isRunning) run()
    },
  }
}
