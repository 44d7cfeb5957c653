/**
 * Disconnects clients that read nothing or almost nothing of their response. Producers limit the
 * pending data of each (event streams, saved logs); this limits how long it is pending.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds without reading a single pending byte after which a client is disconnected. */
const stallMs = 60_000
/** Bytes of the pending data that a client must read within that time: about 1 KiB a second. */
const minTakenBytes = 64 * 1024

export interface ReaderLimits {
  /** Default 60 s. */
  stallMs?: number | undefined
  /** Default 64 KiB. */
  minTakenBytes?: number | undefined
}

/**
 * `isAnswering`: whether a response is being sent on this connection. A silent stream has no
 * pending data and stays open; an idle connection between two requests has the server's keep-alive
 * timeout.
 */
export function cutStalledReaders(
  server: Server,
  isAnswering: (socket: Socket) => boolean,
  limits: ReaderLimits = {},
): void {
  const limitMs = limits.stallMs ?? stallMs
  // Node's socket timeout restarts with each byte that the client reads, also within an unfinished
  // write.
  server.setTimeout(limitMs, (socket: Socket) => {
    if (socket.writableLength > 0 || !isAnswering(socket)) socket.destroy()
    // Without activity nothing restarts the timeout, so data that is pending later would never be
    // checked.
    else socket.setTimeout(limitMs)
  })
  cutTricklingReaders(server, limitMs, limits.minTakenBytes ?? minTakenBytes)
}

/** Reading a byte now and then restarts the socket's timeout, so the amount is checked, too. */
function cutTricklingReaders(server: Server, limitMs: number, minBytes: number): void {
  /** The bytes that each connection must have read by the next check; 0 if nothing is pending. */
  const due = new Map<Socket, number>()
  server.on('connection', (socket) => {
    due.set(socket, 0)
    socket.once('close', () => due.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, dueBytes] of due) {
      const takenBytes = socket.bytesWritten - socket.writableLength
      if (takenBytes < dueBytes) socket.destroy()
      else due.set(socket, socket.writableLength && takenBytes + Math.min(minBytes, socket.writableLength))
    }
  }, limitMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
