/**
 * A server behind a gateway, for tests that do not know about it: they use the gateway's URL, which
 * stays the same over restarts.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'

/** A free port, because both sides must know each other's address before they start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts servers, each with a gateway in front that keeps running when its server stops. */
export function gateways(): { start: (options: ServerOptions) => Promise<RunningServer>; stop: () => Promise<void> } {
  const known = new Map<number, { gateway: RunningServer; behind: number }>()

  async function place(data: string): Promise<number> {
    const [port, serverPort] = [await freePort(), await freePort()]
    const gateway = await startServer({ data: `${data}-gateway`, port, server: `http://127.0.0.1:${serverPort}` })
    known.set(port, { gateway, behind: serverPort })
    return port
  }
  return {
    async start(options) {
      const port = options.port !== undefined && known.has(options.port) ? options.port : await place(options.data)
      const origin = `http://127.0.0.1:${port}`
      const server = await startServer({ ...options, port: known.get(port)?.behind ?? 0, publicUrl: origin })
      return { ...server, origin }
    },
    async stop() {
      for (const { gateway } of known.values()) await gateway.stop()
    },
  }
}
