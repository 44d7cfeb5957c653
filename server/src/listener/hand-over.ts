/** Streams of events are written to their sockets by who makes them (`lib/stream-connection.ts`); here they get the connection. */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HandOver } from '../lib/stream-connection.ts'

/** Sends the head of an answer whose body the app writes; every other answer comes back as it is. */
export function handOver(response: Response, { takeConnection }: HandOver, outgoing: ServerResponse): Response {
  // A refusal that came after it, as by a right that has ended meanwhile, is an answer like any other.
  if (!takeConnection || response.status !== 200) return response
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
  outgoing.writeHead(200)
  outgoing.flushHeaders()
  takeConnection(outgoing)
  return RESPONSE_ALREADY_SENT
}
