/**
 * Hands connections to event streams, which write to their sockets themselves
 * (`lib/stream-connection.ts`).
 */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { SocketHandoff } from '../lib/stream-connection.ts'

type TakeConnection = NonNullable<SocketHandoff['takeConnection']>

/**
 * The head and the first event are one write to the system: thousands of clients connect at once
 * after a restart.
 */
export function sendHead(outgoing: ServerResponse, headers: Iterable<[string, string]>, take: TakeConnection): void {
  const { socket } = outgoing
  socket?.cork()
  outgoing.writeHead(200, [...headers].flat())
  outgoing.flushHeaders()
  take(outgoing)
  socket?.uncork()
}

/**
 * Sends the head of a response whose body the app writes; returns every other response unchanged.
 */
export function handOffSocket(
  response: Response,
  { takeConnection }: SocketHandoff,
  outgoing: ServerResponse,
): Response {
  // A refusal after the handler, such as by a permission that was revoked in the meantime, is an
  // ordinary response.
  if (!takeConnection || response.status !== 200) return response
  sendHead(outgoing, response.headers, takeConnection)
  return RESPONSE_ALREADY_SENT
}
