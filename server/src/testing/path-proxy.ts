/** For tests: a reverse proxy that serves a server below a path. */
import { createServer, request } from 'node:http'

interface PathProxy {
  close(): Promise<void>
}

/**
 * Listens on `port` and forwards requests below `path` to `target`, without the path. `seen` gets
 * the method and path of each request.
 */
export async function startPathProxy(
  port: number,
  path: string,
  target: number,
  onRequest: (request: string) => void = () => undefined,
): Promise<PathProxy> {
  const server = createServer((incoming, answer) => {
    const { url = '/', method, headers } = incoming
    if (!url.startsWith(`${path}/`)) {
      answer.writeHead(404).end()
      return
    }
    onRequest(`${method} ${url.slice(path.length)}`)
    const to = { host: '127.0.0.1', port: target, path: url.slice(path.length), method, headers }
    const outgoing = request(to, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
