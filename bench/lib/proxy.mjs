// A proxy in front of the server; who wants to can write into the event streams that pass.
import { createServer, request } from 'node:http'

export async function startProxy(origin, { onStream = () => {} } = {}) {
  const { hostname, port } = new URL(origin)
  const server = createServer((incoming, response) => {
    // The server compares the Origin header with its own address.
    const headers = { ...incoming.headers, host: `${hostname}:${port}` }
    if (headers.origin) headers.origin = origin
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      if (incoming.url === '/api/stream' && answer.statusCode === 200) onStream(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
