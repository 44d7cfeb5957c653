/** Hands connections to event streams, which write to their sockets themselves (`lib/stream-connection.ts`). */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { SocketHandoff } from '../lib/stream-connection.ts'

/** Sends the head of a response whose body the app writes; returns every other response unchanged. */
export function handOffSocket(
  response: Response,
  { takeConnection }: SocketHandoff,
  outgoing: ServerResponse,
): Response {
  // A refusal after the handler, such as by a permission that was revoked in the meantime, is an ordinary response.
  if (!takeConnection || response.status !== 200) return response
  const { socket } = outgoing
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
  // The head and the first event are one write to the system: thousands of clients connect at once after a restart.
  socket?.cork()
  outgoing.writeHead(200)
  outgoing.flushHeaders()
  takeConnection(outgoing)
  socket?.uncork()
  return RESPONSE_ALREADY_SENT
}
