/** The socket. It is opened before anything else is done, so that a taken port is told at once. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { StartError } from './data-folder.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

export interface Listener {
  /** With the port that was really opened. */
  url: string
  /** Until then everybody is told that the server is starting. */
  serve(fetch: Fetch): void
  /** No new connections, and the present ones end. */
  cut(): void
  close(): Promise<void>
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(`Port ${port} on ${host} is taken. Stop what uses it, or choose another port with --port`)
  }
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} may not be opened by this account; choose one above 1023`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`${host} is no address of this machine; choose another one with --host`)
  }
  return error
}

const open = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, () => resolve())
  })

const starting: Fetch = () => new Response('Flightdeck is starting\n', { status: 503, headers: { 'Retry-After': '1' } })

export async function listen(host: string, port: number): Promise<Listener> {
  let fetch = starting
  // A request without a host (HTTP/1.0) is meant for us, too; one that makes no sense is answered with a 400.
  const answer = getRequestListener((request, env) => fetch(request, env), { hostname: 'localhost' })
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  // Slow bodies are cut; answers may take as long as a stream lives.
  server.requestTimeout = 60_000
  server.headersTimeout = 20_000
  await open(server, host, port)
  const { port: opened } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  const closed = new Promise<void>((resolve) => {
    server.once('close', () => resolve())
  })
  const cut = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `http://${name}:${opened}`,
    serve(next) {
      fetch = next
    },
    cut,
    close() {
      cut()
      return closed
    },
  }
}
