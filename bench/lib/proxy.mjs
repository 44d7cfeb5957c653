// A proxy for the server that can write to event streams as they pass, or pass each log line
// separately.
import { createServer, request } from 'node:http'

/**
 * Sends each event in a separate task, as Drone sends a runner's output line by line. `sentAt`
 * returns when the first line printed at a given time was sent, because on a busy machine this
 * proxy itself can be seconds late.
 */
function passEach(answer, response, sentAt) {
  let rest = ''
  const events = []
  let passing = false
  const pass = () => {
    const event = events.shift()
    passing = event !== undefined
    if (!passing) return
    const printed = Number(/t=(\d+)/.exec(event)?.[1])
    if (!sentAt.has(printed)) sentAt.set(printed, Date.now())
    response.write(event)
    setImmediate(pass)
  }
  answer.setEncoding('utf8')
  answer.on('data', (text) => {
    const parts = (rest + text).split(/(?<=\n\n)/)
    rest = parts.pop() ?? ''
    events.push(...parts)
    if (!passing) pass()
  })
  answer.on('end', () => setTimeout(() => response.end(rest), 1000))
  answer.on('error', () => response.destroy())
}

/**
 * Removes the capabilities, as on a Drone server: the page then shows only what all servers have.
 */
async function passUser(answer, response) {
  const { capabilities: _, ...user } = JSON.parse(Buffer.concat(await answer.toArray()).toString())
  const { 'content-length': _length, etag: _etag, ...headers } = answer.headers
  response.writeHead(answer.statusCode ?? 502, headers)
  response.end(JSON.stringify(user))
}

/** `asDrone`: the API responds like Drone, uncompressed and without capabilities. */
export async function startProxy(origin, { onStream = () => {}, eachAlone = false, asDrone = false } = {}) {
  const { hostname, port } = new URL(origin)
  const sentAt = new Map()
  const server = createServer((incoming, response) => {
    // The server compares the Origin header with its own address.
    const headers = { ...incoming.headers, host: `${hostname}:${port}` }
    if (headers.origin) headers.origin = origin
    if (asDrone && incoming.url?.startsWith('/api/')) delete headers['accept-encoding']
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      if (asDrone && incoming.url === '/api/user') return void passUser(answer, response)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (eachAlone && incoming.url?.startsWith('/api/stream/')) passEach(answer, response, sentAt)
      else answer.pipe(response)
      if (incoming.url === '/api/stream' && answer.statusCode === 200) onStream(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    sentAt,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
