// For tests: a process that sends requests on many connections, the next one of a connection after
// the response to the one before. Reads `{ port, requests, connections, count }` from its input:
// `requests` are the bytes of requests, as base64. Prints how often it received each status.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

const { port, requests, connections, count } = JSON.parse(await text(process.stdin))
const bytes = requests.map((request) => Buffer.from(request, 'base64'))
const statuses = {}
let sent = 0
let open = connections

function start() {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const next = () => {
    if (sent >= count) return socket.end()
    socket.write(bytes[sent % bytes.length])
    sent += 1
    answer = ''
  }
  socket.on('connect', next).on('data', (chunk) => {
    answer += chunk.toString('latin1')
    const end = answer.indexOf('\r\n\r\n')
    const size = /^content-length: (\d+)/im.exec(answer)?.[1]
    if (end < 0 || answer.length < end + 4 + Number(size)) return
    const status = answer.slice(9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    next()
  })
  socket.on('close', () => {
    open -= 1
    if (open === 0) console.log(JSON.stringify(statuses))
  })
}
for (let index = 0; index < connections; index += 1) start()
