// Many readers of `/api/stream` in a separate process: node event-readers.mjs ORIGIN COUNT HEADER.
// The parent process sends messages with what was sent and when; this process responds with the
// delays.
import { once } from 'node:events'
import { connect } from 'node:net'
import { percentile } from '../lib/stats.mjs'

const [origin, count, header] = process.argv.slice(2)
const { hostname, port } = new URL(origin)
/** The maximum number of connections that open at the same time. */
const maxOpening = 64

/**
 * The marker that a reader searches for: the report's number, in a field that every server passes
 * on.
 */
const mark = '"exit_code":7'
const markBytes = mark.length + 6

/** The arrival times of each report, one per reader. */
const arrivals = new Map()
let bytes = 0
let closed = 0
let pings = 0

const now = () => performance.timeOrigin + performance.now()

function note(text) {
  const at = now()
  for (let from = text.indexOf(mark); from >= 0; from = text.indexOf(mark, from + 1)) {
    const report = Number(text.slice(from + mark.length, from + markBytes))
    const times = arrivals.get(report)
    if (times) times.push(at)
    else arrivals.set(report, [at])
  }
}

async function open() {
  const socket = connect(Number(port), hostname).setNoDelay()
  socket.on('error', () => undefined)
  socket.on('close', () => (closed += 1))
  let rest = ''
  let isOpen = () => {}
  const opened = new Promise((resolve) => (isOpen = resolve))
  socket.on('data', (chunk) => {
    bytes += chunk.length
    const text = rest + chunk.toString('latin1')
    if (text.includes(': ping')) {
      pings += 1
      isOpen()
    }
    note(text)
    // A chunk can end within a marker. A complete marker must not be counted twice.
    const last = text.lastIndexOf('"exit_code":')
    rest = last >= 0 && text.length - last < markBytes ? text.slice(last) : ''
  })
  await once(socket, 'connect')
  socket.write(`GET /api/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${header}\r\n\r\n`)
  await opened
}

const began = now()
let begun = 0
await Promise.all(
  Array.from({ length: maxOpening }, async () => {
    while (begun < Number(count)) {
      begun += 1
      await open()
    }
  }),
)
process.send({ openedMs: now() - began })

process.on('message', ({ sent }) => {
  const delays = []
  let received = 0
  for (const [report, at] of sent) {
    const times = arrivals.get(report) ?? []
    received += times.length
    for (const time of times) delays.push(time - at)
  }
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(delays, share))
  process.send({ p50, p95, p99, missing: 1 - received / (sent.length * Number(count)), closed, bytes, pings })
})
