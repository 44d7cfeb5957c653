// A process with many readers of `/api/stream` that reconnect after each disconnection: node
// returning-readers.mjs PORT. The parent process sends a Cookie header for each reader. It gets a
// message each time all readers have their streams, with the counts of other responses.
import { connect } from 'node:net'

const port = Number(process.argv[2])
/** The worst case: pages wait longer, and with jitter. */
const waitMs = 100
const now = () => performance.timeOrigin + performance.now()
/** The count of responses that were not streams, by status; 0: no connection. */
let refused = {}
let open = 0
let count = 0

function read(cookie) {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  let head = ''
  let isOpen = false
  socket.on('error', () => undefined)
  socket.on('connect', () =>
    socket.write(`GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`),
  )
  socket.on('data', (chunk) => {
    if (isOpen) return
    head += chunk.toString('latin1')
    if (!head.includes(': ping')) return
    isOpen = true
    open += 1
    if (open === count) {
      process.send({ at: now(), refused })
      refused = {}
    }
  })
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    if (isOpen) open -= 1
    else {
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1] ?? 0)
      refused[status] = (refused[status] ?? 0) + 1
    }
    setTimeout(read, waitMs, cookie)
  })
}

process.on('message', (cookies) => {
  count = cookies.length
  for (const cookie of cookies) read(cookie)
})
