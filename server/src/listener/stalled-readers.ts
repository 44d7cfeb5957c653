/**
 * Readers who take nothing of their answer. What waits for each is bounded where answers are made (event streams, saved logs);
 * here they are cut, so that it does not wait for ever.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Cut after this time in which not one byte of what waits was taken. */
const stallMs = 60_000

/**
 * `isAnswering`: whether an answer of this connection is under way. A stream in which nothing happens has nothing that waits, and
 * stays; a connection between two requests ends by the server's own rule for those.
 */
export function cutStalledReaders(
  server: Server,
  isAnswering: (socket: Socket) => boolean,
  limitMs: number = stallMs,
): void {
  // Node's timer of a socket begins anew with each byte that the other side takes, also of a write that is not over.
  server.setTimeout(limitMs, (socket: Socket) => {
    if (socket.writableLength > 0 || !isAnswering(socket)) socket.destroy()
    // Nothing begins it anew where nothing happens at all; what waits later would never be looked at.
    else socket.setTimeout(limitMs)
  })
}
